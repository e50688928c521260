import DBus
import Testing

@testable import Logind

struct LogindSessionTests {
  private typealias Action = LogindSession.Action

  /// Returns a session whose logind is `:1.7`, and the calls that it has made since.
  private func awake() throws -> (session: LogindSession, calls: [DBusMessage]) {
    var session = LogindSession()
    let hello = session.opened().compactMap(\.call)
    let question = try #require(hello.first { $0.member == "GetNameOwner" })
    let calls = session.handle(answer(question, .string(":1.7"))).compactMap(\.call)
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

  @Test func `a delay lock for sleep is requested, and logind is never started for it`() throws {
    let (_, calls) = try awake()
    #expect(calls.map(\.member) == ["Inhibit", "Get"])
    let words = calls.first?.body.compactMap(\.text)
    #expect(words == ["sleep", "Placard", "puts displays to sleep", "delay"])
    #expect(calls.allSatisfy { $0.flags == 2 && $0.destination == "org.freedesktop.login1" })
  }

  @Test func `at a suspend the lock is held, released on request, and acquired again`() throws {
    var (session, calls) = try awake()
    #expect(session.handle(answer(calls[0], .descriptor(0), descriptors: 1)) == [.acquireLock])
    #expect(session.release().isEmpty)
    #expect(session.handle(prepareForSleep(true)) == [.emit(.willSleep)])
    #expect(session.handle(prepareForSleep(true)).isEmpty)
    #expect(session.release() == [.releaseLock])
    let woken = session.handle(prepareForSleep(false))
    #expect(woken.first == .emit(.resumed))
    #expect(woken.compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
  }

  @Test func `a lock that was not released in time still holds after the resume`() throws {
    var (session, calls) = try awake()
    _ = session.handle(answer(calls[0], .descriptor(0), descriptors: 1))
    _ = session.handle(prepareForSleep(true))
    #expect(session.handle(prepareForSleep(false)).compactMap(\.call).map(\.member) == ["Get"])
    #expect(session.release().isEmpty)
  }

  @Test func `a lock that arrives after its release is dropped`() throws {
    var (session, calls) = try awake()
    _ = session.handle(prepareForSleep(true))
    _ = session.release()
    #expect(session.handle(answer(calls[0], .descriptor(0), descriptors: 1)).isEmpty)
  }

  @Test func `a refused lock is noted, and requested again after the next resume`() throws {
    var (session, calls) = try awake()
    var refusal = answer(calls[0], .string("no"))
    refusal.kind = .error
    guard case .log(let text) = try #require(session.handle(refusal).first) else { throw Unexpected() }
    #expect(text.contains("(no)"))
    _ = session.handle(prepareForSleep(true))
    #expect(session.handle(prepareForSleep(false)).compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
  }

  @Test func `the lid is reported only when it changes`() throws {
    var (session, calls) = try awake()
    #expect(session.handle(answer(calls[1], .variant(.boolean(false)))).isEmpty)
    #expect(session.handle(lidChanged(true)) == [.emit(.lidClosed)])
    #expect(session.handle(lidChanged(true)).isEmpty)
    #expect(session.handle(lidChanged(false)) == [.emit(.lidOpened)])
    let invalidated = propertiesChanged(.array([], of: "{sv}"), .array([.string("LidClosed")], of: "s"))
    let question = try #require(session.handle(invalidated).first?.call)
    #expect(session.handle(answer(question, .variant(.boolean(true)))) == [.emit(.lidClosed)])
  }

  @Test func `signals from other senders are ignored`() throws {
    var (session, _) = try awake()
    #expect(session.handle(prepareForSleep(true, from: ":1.66")).isEmpty)
    #expect(session.handle(ownerChanged(":1.7", ":1.66", from: ":1.66")).isEmpty)
    var anonymous = prepareForSleep(true)
    anonymous.sender = nil
    #expect(session.handle(anonymous).isEmpty)
    var ownerless = LogindSession()
    _ = ownerless.opened()
    #expect(ownerless.handle(anonymous).isEmpty)
  }

  @Test func `a logind that starts later is recognized, and one that exits during a suspend ends it`() throws {
    var session = LogindSession()
    let question = try #require(session.opened().compactMap(\.call).first { $0.member == "GetNameOwner" })
    var nobody = answer(question)
    nobody.kind = .error
    guard case .log = try #require(session.handle(nobody).first) else { throw Unexpected() }
    #expect(session.handle(ownerChanged("", ":1.7")).compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
    _ = session.handle(prepareForSleep(true))
    #expect(session.handle(ownerChanged(":1.7", "")) == [.emit(.resumed), .releaseLock])
    #expect(session.handle(ownerChanged("", ":1.9")).compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
    #expect(session.handle(prepareForSleep(true, from: ":1.9")) == [.emit(.willSleep)])
  }

  @Test func `the presence of logind follows the bus's reply and its signals`() throws {
    var (session, _) = try awake()
    #expect(session.isPresent == true)
    _ = session.handle(ownerChanged(":1.7", ""))
    #expect(session.isPresent == false)
    _ = session.handle(ownerChanged("", ":1.9"))
    #expect(session.isPresent == true)
    _ = session.lost()
    #expect(session.isPresent == nil)
    let question = try #require(session.opened().compactMap(\.call).first { $0.member == "GetNameOwner" })
    var nobody = answer(question)
    nobody.kind = .error
    _ = session.handle(nobody)
    #expect(session.isPresent == false)
  }

  @Test func `a bus that disappears during a suspend ends it, and the lid state is remembered`() throws {
    var (session, _) = try awake()
    _ = session.handle(lidChanged(true))
    _ = session.handle(prepareForSleep(true))
    #expect(session.lost() == [.emit(.resumed), .releaseLock])
    #expect(session.lost() == [.releaseLock])
    let question = try #require(session.opened().compactMap(\.call).last)
    let calls = session.handle(answer(question, .string(":1.2"))).compactMap(\.call)
    #expect(session.handle(answer(calls[1], .variant(.boolean(true)))).isEmpty)
  }

  private struct Unexpected: Error {}
}

extension LogindSession.Action {
  /// The message to send; nil for any other action.
  var call: DBusMessage? { if case .send(let message) = self { message } else { nil } }
}
