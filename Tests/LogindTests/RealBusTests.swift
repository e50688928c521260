import CLinux
import Glibc
import Logging
import NIOCore
import NIOPosix
import Systemd
import Testing

@testable import Logind

/// A connection through the real dbus-daemon, which checks every message, to a logind of the test.
@Suite(.enabled(if: unsafe access("/usr/bin/dbus-daemon", X_OK) == 0, "there is no /usr/bin/dbus-daemon"))
struct RealBusTests {
  @Test func `logind's signals and its lock pass through a real bus`() async throws {
    let bus = try RealBus()
    let login = try FakeLogind(bus)
    let logind = Logind(
      loop: NIOSingletons.posixEventLoopGroup.next(), address: bus.address,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    defer { logind.close() }
    var events = logind.events.makeAsyncIterator()
    let lock = try login.answer(lidClosed: true)
    #expect(await events.next() == .lidClosed)
    #expect(lock.isHeld)
    // Any client may send a signal, but not in logind's name. The real one comes after it.
    let stranger = try BusPeer(address: bus.address)
    var forged = BusMessage.prepareForSleep(true)
    forged.destination = login.client
    try stranger.send(forged)
    _ = try stranger.call("GetId")
    try login.send(.lidMoved(false))
    #expect(await events.next() == .lidOpened)
    try login.send(.prepareForSleep(true))
    #expect(await events.next() == .willSleep)
    logind.release()
    try await lock.waitUntilReleased()
    try login.send(.prepareForSleep(false))
    #expect(await events.next() == .resumed)
    #expect(try login.answer().isHeld)
  }

  @Test func `a logind that starts after the client is recognized`() async throws {
    let bus = try RealBus()
    let lines = Lines()
    let logind = Logind(
      loop: NIOSingletons.posixEventLoopGroup.next(), address: bus.address,
      logger: Logger(label: "test") { _ in lines })
    defer { logind.close() }
    for await _ in lines.lineEvents { break }
    #expect(lines.all.count == 1 && lines.all[0].hasPrefix("logind is not on the system bus"), "\(lines.all)")
    let login = try FakeLogind(bus)
    let lock = try login.answer()
    withExtendedLifetime(login) { #expect(lock.isHeld) }
  }
}

/// A dbus-daemon with its own socket, which ends with this object.
final class RealBus {
  let address: String
  let path: String
  private let folder: String
  private var pid: pid_t = 0

  private static let configuration = """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type><listen>unix:path=%</listen><auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
      </policy>
    </busconfig>
    """

  init() throws {
    var template = Array("/tmp/placard-bus-XXXXXX".utf8CString)
    guard let made = unsafe mkdtemp(&template) else { throw BusPeer.Failure(what: "mkdtemp: \(errno)") }
    folder = unsafe String(cString: made)
    (path, address) = ("\(folder)/bus", "unix:path=\(folder)/bus")
    let words = Self.configuration.split(separator: "%", maxSplits: 1).joined(separator: path)
    let file = unsafe open("\(folder)/conf", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    _ = unsafe write(file, words, words.utf8.count)
    close(file)
    try start()
  }

  /// Starts the daemon, which listens once it prints its address.
  private func start() throws {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw BusPeer.Failure(what: "pipe: \(errno)") }
    defer { for end in ends { close(end) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    let words = ["dbus-daemon", "--config-file=\(folder)/conf", "--nofork", "--nopidfile", "--print-address=1"]
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var noEnvironment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
    guard unsafe posix_spawn(&pid, "/usr/bin/dbus-daemon", &actions, nil, &arguments, &noEnvironment) == 0,
      Lock.canRead(ends[0], within: 60_000)
    else { throw BusPeer.Failure(what: "dbus-daemon does not start") }
  }

  deinit {
    if pid > 0 {
      // The signal mask is inherited from the test, which may block SIGTERM.
      kill(pid, SIGKILL)
      _ = waitpid(pid, nil, 0)
    }
    for name in ["conf", "bus"] { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }
}

/// The owner of logind's name on a real bus.
final class FakeLogind {
  /// The bus name of the client that requested the lock.
  private(set) var client: String?
  private let peer: BusPeer

  init(_ bus: RealBus) throws {
    peer = try BusPeer(address: bus.address)
    try peer.call("RequestName", .string("org.freedesktop.login1"), .uint32(0))
  }

  func send(_ message: BusMessage) throws { try peer.send(message) }

  /// Answers calls until the lid state has been requested, which is the last request.
  func answer(lidClosed: Bool = false) throws -> Lock {
    var lock: Lock?
    while true {
      let call = try peer.next { call in
        guard call.member == "Inhibit" else { return [.variant(.boolean(lidClosed))] }
        let new = try Lock()
        lock = new
        return [.descriptor(PassedDescriptor(new.takeWriter()))]
      }
      guard call.kind == .call else { continue }
      client = call.sender
      if call.member != "Inhibit" { return try #require(lock, "the lid state was requested before the lock") }
    }
  }
}
