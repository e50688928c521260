import Glibc
import Systemd
import Testing

@testable import Logind

struct LogindSessionTests {
  private typealias Action = LogindSession.Action

  /// Returns a session whose logind is `:1.7`, and the calls that it has made since.
  private func awake() -> (session: LogindSession, calls: [BusMessage]) {
    var session = LogindSession()
    _ = session.opened()
    let calls = session.handle(reply: reply(.string(":1.7")), to: .owner).compactMap(\.call)
    return (session, calls)
  }

  private func reply(_ values: BusValue...) -> BusMessage {
    var reply = BusMessage(.reply)
    reply.body = values
    return reply
  }

  private func refusal(_ values: BusValue...) -> BusMessage {
    var refusal = BusMessage(.error)
    refusal.body = values
    return refusal
  }

  private func lock() throws -> PassedDescriptor { PassedDescriptor(try Lock().takeWriter()) }

  private func prepareForSleep(_ isStart: Bool, from sender: String = ":1.7") -> BusMessage {
    .prepareForSleep(isStart, from: sender)
  }

  private func lidChanged(_ isClosed: Bool) -> BusMessage { .lidMoved(isClosed, from: ":1.7") }

  private func propertiesChanged(_ changed: BusValue, _ invalidated: BusValue) -> BusMessage {
    var signal = BusMessage(.signal)
    (signal.sender, signal.member) = (":1.7", "PropertiesChanged")
    signal.interface = "org.freedesktop.DBus.Properties"
    signal.body = [.string("org.freedesktop.login1.Manager"), changed, invalidated]
    return signal
  }

  private func ownerChanged(_ old: String, _ new: String, from sender: String = "org.freedesktop.DBus") -> BusMessage {
    var signal = BusMessage(.signal)
    (signal.sender, signal.interface, signal.member) = (sender, "org.freedesktop.DBus", "NameOwnerChanged")
    signal.body = [.string("org.freedesktop.login1"), .string(old), .string(new)]
    return signal
  }

  @Test func `a delay lock for sleep is requested`() {
    let (_, calls) = awake()
    #expect(calls.map(\.member) == ["Inhibit", "Get"])
    let words = calls.first?.body.compactMap(\.text)
    #expect(words == ["sleep", "Placard", "puts displays to sleep", "delay"])
    #expect(calls.allSatisfy { $0.destination == "org.freedesktop.login1" })
  }

  @Test func `at a suspend the lock is held, released on request, and acquired again`() throws {
    var (session, _) = awake()
    let lock = try lock()
    #expect(session.handle(reply: reply(.descriptor(lock)), to: .lock) == [.acquireLock(lock)])
    #expect(session.release().isEmpty)
    #expect(session.handle(prepareForSleep(true)) == [.emit(.willSleep)])
    #expect(session.handle(prepareForSleep(true)).isEmpty)
    #expect(session.release() == [.releaseLock])
    let woken = session.handle(prepareForSleep(false))
    #expect(woken.first == .emit(.resumed))
    #expect(woken.compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
  }

  @Test func `a lock that was not released in time still holds after the resume`() throws {
    var (session, _) = awake()
    _ = session.handle(reply: reply(.descriptor(try lock())), to: .lock)
    _ = session.handle(prepareForSleep(true))
    #expect(session.handle(prepareForSleep(false)).compactMap(\.call).map(\.member) == ["Get"])
    #expect(session.release().isEmpty)
  }

  @Test func `a lock that arrives after its release is dropped`() throws {
    var (session, _) = awake()
    _ = session.handle(prepareForSleep(true))
    _ = session.release()
    #expect(session.handle(reply: reply(.descriptor(try lock())), to: .lock).isEmpty)
  }

  @Test func `a refused lock is noted, and requested again after the next resume`() throws {
    var (session, _) = awake()
    let actions = session.handle(reply: refusal(.string("no")), to: .lock)
    guard case .log(let text) = try #require(actions.first) else { throw Unexpected() }
    #expect(text.contains("(no)"))
    _ = session.handle(prepareForSleep(true))
    #expect(session.handle(prepareForSleep(false)).compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
  }

  @Test func `the lid is reported only when it changes`() throws {
    var (session, _) = awake()
    #expect(session.handle(reply: reply(.variant(.boolean(false))), to: .lid).isEmpty)
    #expect(session.handle(lidChanged(true)) == [.emit(.lidClosed)])
    #expect(session.handle(lidChanged(true)).isEmpty)
    #expect(session.handle(lidChanged(false)) == [.emit(.lidOpened)])
    let invalidated = propertiesChanged(.array([], of: "{sv}"), .array([.string("LidClosed")], of: "s"))
    #expect(session.handle(invalidated).compactMap(\.call).map(\.member) == ["Get"])
    #expect(session.handle(reply: reply(.variant(.boolean(true))), to: .lid) == [.emit(.lidClosed)])
  }

  @Test func `signals from other senders are ignored`() {
    var (session, _) = awake()
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
    _ = session.opened()
    guard case .log = try #require(session.handle(reply: refusal(), to: .owner).first) else { throw Unexpected() }
    #expect(session.handle(ownerChanged("", ":1.7")).compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
    _ = session.handle(prepareForSleep(true))
    #expect(session.handle(ownerChanged(":1.7", "")) == [.emit(.resumed), .releaseLock])
    #expect(session.handle(ownerChanged("", ":1.9")).compactMap(\.call).map(\.member) == ["Inhibit", "Get"])
    #expect(session.handle(prepareForSleep(true, from: ":1.9")) == [.emit(.willSleep)])
  }

  @Test func `the presence of logind follows the bus's reply and its signals`() {
    var (session, _) = awake()
    #expect(session.isPresent == true)
    _ = session.handle(ownerChanged(":1.7", ""))
    #expect(session.isPresent == false)
    _ = session.handle(ownerChanged("", ":1.9"))
    #expect(session.isPresent == true)
    _ = session.lost()
    #expect(session.isPresent == nil)
    _ = session.opened()
    _ = session.handle(reply: refusal(), to: .owner)
    #expect(session.isPresent == false)
  }

  @Test func `a bus that disappears during a suspend ends it, and the lid state is remembered`() {
    var (session, _) = awake()
    _ = session.handle(lidChanged(true))
    _ = session.handle(prepareForSleep(true))
    #expect(session.lost() == [.emit(.resumed), .releaseLock])
    #expect(session.lost() == [.releaseLock])
    _ = session.opened()
    _ = session.handle(reply: reply(.string(":1.2")), to: .owner)
    #expect(session.handle(reply: reply(.variant(.boolean(true))), to: .lid).isEmpty)
  }

  /// Messages whose arguments are of other types, in another number or absent must not end the service.
  @Test func `logind's messages with any arguments are accepted`() {
    var random = SystemRandomNumberGenerator()
    func value(_ depth: Int = 0) -> BusValue {
      switch Int.random(in: 0..<(depth < 3 ? 7 : 4), using: &random) {
      case 0: .boolean(.random(using: &random))
      case 1: .uint32(.random(in: 0...3, using: &random))
      case 2: .string(["", "LidClosed", "org.freedesktop.login1", ":1.7"].randomElement(using: &random) ?? "")
      case 3: .skipped(type: "d")
      case 4: .variant(value(depth + 1))
      case 5: .entry(value(depth + 1), value(depth + 1))
      default: .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth + 1) }, of: "v")
      }
    }
    var (session, _) = awake()
    for _ in 1...10_000 {
      var message =
        [prepareForSleep(true), lidChanged(true), ownerChanged("", ":1.7"), reply()]
        .randomElement(using: &random) ?? reply()
      message.body = (0..<Int.random(in: 0...4, using: &random)).map { _ in value() }
      switch message.kind {
      case .reply:
        _ = session.handle(reply: message, to: [.owner, .lock, .lid].randomElement(using: &random) ?? .lid)
      default: _ = session.handle(message)
      }
    }
    _ = session.handle(ownerChanged("", ":1.9"))
    _ = session.handle(prepareForSleep(false, from: ":1.9"))
    #expect(session.handle(prepareForSleep(true, from: ":1.9")) == [.emit(.willSleep)])
  }

  private struct Unexpected: Error {}
}

extension LogindSession.Action {
  /// The message to send; nil for any other action.
  var call: BusMessage? { if case .send(let message, _) = self { message } else { nil } }
}
