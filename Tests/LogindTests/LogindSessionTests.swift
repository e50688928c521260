import DBus
import Testing

@testable import Logind

struct LogindSessionTests {
  private typealias Action = LogindSession.Action

  /// A session whose logind is `:1.7`, and the calls that it made after that.
  private func awake() throws -> (session: LogindSession, calls: [DBusMessage]) {
    var session = LogindSession()
    let hello = session.opened().compactMap(\.call)
    let question = try #require(hello.first { $0.member == "GetNameOwner" })
    let calls = session.take(answer(question, .string(":1.7"))).compactMap(\.call)
    return (session, calls)
  }

  private func answer(_ call: DBusMessage, _ values: DBusValue..., descriptors: UInt32 = 0) -> DBusMessage {
    var reply = DBusMessage(.reply)
    (reply.replySerial, reply.body, reply.descriptorCount) = (call.serial, values, descriptors)
    return reply
  }

  private func prepareForSleep(_ isStart: Bool, from sender: String = ":1.7") -> DBusMessage {
    .prepareForSleep(isStart, from: sender)
  }

  private func lidChanged(_ isClosed: Bool) -> DBusMessage { .lidMoved(isClosed, from: ":1.7") }

  private func propertiesChanged(_ changed: DBusValue, _ invalidated: DBusValue) -> DBusMessage {
    var signal = DBusMessage(.signal)
    (signal.sender, signal.member) = (":1.7", "PropertiesChanged")
    signal.interface = "org.freedesktop.DBus.Properties"
    signal.body = [.string("org.freedesktop.login1.Manager"), changed, invalidated]
    return signal
  }

  private func ownerChanged(_ old: String, _ new: String, from sender: String = "org.freedesktop.DBus") -> DBusMessage {
    var signal = DBusMessage(.signal)
    (signal.sender, signal.interface, signal.member) = (sender, "org.freedesktop.DBus", "NameOwnerChanged")
    signal.body = [.string("org.freedesktop.login1"), .string(old), .string(new)]
    return signal
  }

  @Test func `A delay lock for sleep is asked for, and logind is never started for it`() throws {
    let (_, calls) = try awake()
    #expect(calls.map(\.member) == ["Inhibit", "Get"])
    let words = calls.first?.body.compactMap(\.text)
    #expect(words == ["sleep", "Placard", "puts displays to sleep", "delay"])
    #expect(calls.allSatisfy { $0.flags == 2 && $0.destination == "org.freedesktop.login1" })
  }

  @Test func `Sleep: the lock is held, let go of when told, and taken again`() throws {
    var (session, calls) = try awake()
    #expect(session.take(answer(calls[0], .descriptor(0), descriptors: 1)) == [.takeLock])
    #expect(session.release().isEmpty)
    #expect(session.take(prepareForSleep(true)) == [.tell(.willSleep)])
    #expect(session.take(prepareForSleep(true)).isEmpty)
    #expect(session.release() == [.dropLock])
    let woken = session.take(prepareForSleep(false))
    #expect(woken.first == .tell(.resumed))
    #expect(woken.compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
  }

  @Test func `A lock that was not let go of in time still holds after the sleep`() throws {
    var (session, calls) = try awake()
    _ = session.take(answer(calls[0], .descriptor(0), descriptors: 1))
    _ = session.take(prepareForSleep(true))
    #expect(session.take(prepareForSleep(false)).compactMap(\.call).map(\.member) == ["Get"])
    #expect(session.release().isEmpty)
  }

  @Test func `A lock that comes after it was let go of is not kept`() throws {
    var (session, calls) = try awake()
    _ = session.take(prepareForSleep(true))
    _ = session.release()
    #expect(session.take(answer(calls[0], .descriptor(0), descriptors: 1)).isEmpty)
  }

  @Test func `A lock that is refused is noted, and asked for again after the next sleep`() throws {
    var (session, calls) = try awake()
    var refusal = answer(calls[0], .string("no"))
    refusal.kind = .error
    guard case .note(let text) = try #require(session.take(refusal).first) else { throw Unexpected() }
    #expect(text.contains("(no)"))
    _ = session.take(prepareForSleep(true))
    #expect(session.take(prepareForSleep(false)).compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
  }

  @Test func `The lid is told when it changes, and not else`() throws {
    var (session, calls) = try awake()
    #expect(session.take(answer(calls[1], .variant(.boolean(false)))).isEmpty)
    #expect(session.take(lidChanged(true)) == [.tell(.lidClosed)])
    #expect(session.take(lidChanged(true)).isEmpty)
    #expect(session.take(lidChanged(false)) == [.tell(.lidOpened)])
    let invalidated = propertiesChanged(.array([], of: "{sv}"), .array([.string("LidClosed")], of: "s"))
    let question = try #require(session.take(invalidated).first?.call)
    #expect(session.take(answer(question, .variant(.boolean(true)))) == [.tell(.lidClosed)])
  }

  @Test func `Signals of anybody else are not believed`() throws {
    var (session, _) = try awake()
    #expect(session.take(prepareForSleep(true, from: ":1.66")).isEmpty)
    #expect(session.take(ownerChanged(":1.7", ":1.66", from: ":1.66")).isEmpty)
    var anonymous = prepareForSleep(true)
    anonymous.sender = nil
    #expect(session.take(anonymous).isEmpty)
    var ownerless = LogindSession()
    _ = ownerless.opened()
    #expect(ownerless.take(anonymous).isEmpty)
  }

  @Test func `A logind that starts later is heard; one that ends in a sleep ends the sleep`() throws {
    var session = LogindSession()
    let question = try #require(session.opened().compactMap(\.call).first { $0.member == "GetNameOwner" })
    var nobody = answer(question)
    nobody.kind = .error
    guard case .note = try #require(session.take(nobody).first) else { throw Unexpected() }
    #expect(session.take(ownerChanged("", ":1.7")).compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
    _ = session.take(prepareForSleep(true))
    #expect(session.take(ownerChanged(":1.7", "")) == [.tell(.resumed), .dropLock])
    #expect(session.take(ownerChanged("", ":1.9")).compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
    #expect(session.take(prepareForSleep(true, from: ":1.9")) == [.tell(.willSleep)])
  }

  @Test func `Whether logind is there follows the bus's answer and its signals`() throws {
    var (session, _) = try awake()
    #expect(session.isPresent == true)
    _ = session.take(ownerChanged(":1.7", ""))
    #expect(session.isPresent == false)
    _ = session.take(ownerChanged("", ":1.9"))
    #expect(session.isPresent == true)
    _ = session.lost()
    #expect(session.isPresent == nil)
    let question = try #require(session.opened().compactMap(\.call).first { $0.member == "GetNameOwner" })
    var nobody = answer(question)
    nobody.kind = .error
    _ = session.take(nobody)
    #expect(session.isPresent == false)
  }

  @Test func `A bus that goes away in a sleep ends it, and the lid stays known`() throws {
    var (session, _) = try awake()
    _ = session.take(lidChanged(true))
    _ = session.take(prepareForSleep(true))
    #expect(session.lost() == [.tell(.resumed), .dropLock])
    #expect(session.lost() == [.dropLock])
    let question = try #require(session.opened().compactMap(\.call).last)
    let calls = session.take(answer(question, .string(":1.2"))).compactMap(\.call)
    #expect(session.take(answer(calls[1], .variant(.boolean(true)))).isEmpty)
  }

  private struct Unexpected: Error {}
}

extension LogindSession.Action {
  /// The message that is to be sent.
  var call: DBusMessage? { if case .send(let message) = self { message } else { nil } }
}
