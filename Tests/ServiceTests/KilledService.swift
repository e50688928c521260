import CLinux
import Glibc
import NIOPosix
import Synchronization
import Testing

/// A daemon with virtual displays in a separate process, which is killed and restarted on the same state.
///
/// Its state is next to the test programs, on the disk that they were built on, because /tmp may be in memory. Its
/// sockets are in /tmp, because their paths must be short.
final class KilledService: Sendable {
  private let folder: String
  private let sockets: String
  /// The daemons that run. A test that ends early leaves one.
  private let running = Mutex(Set<pid_t>())
  var state: String { folder + "/state.sqlite" }
  private var log: String { folder + "/log" }
  private var notices: String { sockets + "/notices" }
  var socket: String { sockets + "/control" }
  /// The configuration file.
  var configuration: String { folder + "/placard.toml" }

  /// The standard descriptors of the daemon.
  enum Standard {
    /// Standard error is the file of complaints; the others are inherited from the test.
    case log
    /// Standard error is this descriptor of the test.
    case error(Int32)
    /// All three are closed.
    case closed
  }

  /// Threads that wait for processes: the threads that all tests share are few, and others need them to connect.
  private static let waiting: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    return pool
  }()

  /// The folder of the programs that were built with these tests.
  static let programs: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink("/proc/self/exe", &path, path.count)
    let program = String(decoding: path.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return String(program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex))
  }()

  struct Failure: Error {
    var what: String
  }

  init() throws {
    folder = try Self.makeFolder(in: Self.programs)
    sockets = try Self.makeFolder(in: "/tmp")
    try configure("")
  }

  /// Limits for clients that get little time on a busy machine.
  private static let patience =
    "\n[controller.limits]\n"
    + ["head", "body", "idle", "stalled", "answer"].map { "\($0)_seconds = 86400\n" }.joined()

  private static func makeFolder(in place: String) throws -> String {
    var name = Array("\(place)/killed-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else { throw Failure(what: "mkdtemp in \(place): \(errno)") }
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for pid in running.withLock({ $0 }) {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    let ends =
      ["", "-wal", "-shm", ".lock"]
      + [".foreign-1", ".damaged-1"].flatMap { name in
        ["", "-wal", "-shm"].map { name + $0 }
      }
    for path in ends.map({ state + $0 }) + [log, configuration, recording, notices, socket, socket + ".lock"] {
      unsafe unlink(path)
    }
    for path in [folder, sockets] { unsafe rmdir(path) }
  }

  /// Starts the daemon and returns its process ID when it is ready, or immediately if `waits` is false.
  func start(waits: Bool = true, _ options: [String] = [], standard: Standard = .log) async throws -> pid_t {
    try await Self.waiting.runIfActive { [self] in
      let listener = try waits ? listen() : -1
      defer { if listener >= 0 { close(listener) } }
      let pid = try spawn(options, standard)
      if waits { try waitForReadiness(listener, pid) }
      return pid
    }
  }

  /// Writes the configuration file, with limits for a busy machine.
  func configure(_ text: String) throws {
    let descriptor = unsafe open(configuration, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(what: "\(configuration): \(errno)") }
    defer { close(descriptor) }
    let bytes = Array((text + Self.patience).utf8)
    guard unsafe write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure(what: "write: \(errno)") }
  }

  /// Replaces the state file with bytes that are not a database.
  func damageState() throws {
    for suffix in ["-wal", "-shm"] { unsafe _ = unlink(state + suffix) }
    let descriptor = unsafe open(state, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(what: "\(state): \(errno)") }
    defer { close(descriptor) }
    let bytes = [UInt8](repeating: 0xA5, count: 9000)
    guard unsafe write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure(what: "write: \(errno)") }
  }

  /// Reloads the configuration, and returns after the reload has succeeded or failed.
  func reload(_ pid: pid_t) async throws {
    try await Self.waiting.runIfActive { [self] in
      let listener = try listen()
      defer { close(listener) }
      kill(pid, SIGHUP)
      try waitForReadiness(listener, pid)
    }
  }

  /// Reads until the text has arrived.
  static func text(from descriptor: Int32, until end: String) async throws -> String {
    try await waiting.runIfActive {
      var (text, part) = ("", [UInt8](repeating: 0, count: 65536))
      while !text.contains(end) {
        let count = unsafe Glibc.read(descriptor, &part, part.count)
        guard count > 0 else { throw Failure(what: "read: \(count)") }
        text += String(decoding: part.prefix(count), as: UTF8.self)
      }
      return text
    }
  }

  /// The file that a daemon records to, if a test uses it.
  var recording: String { folder + "/recording" }

  /// Replays the recording in a separate process, and returns its exit status.
  func replay() async throws -> Int32 {
    try await ending(try await Self.waiting.runIfActive { [self] in try spawn(["--replay", recording]) })
  }

  /// Returns the exit status of a daemon that ends by itself.
  func ending(_ pid: pid_t) async throws -> Int32 {
    try await Self.waiting.runIfActive { [self] in
      var status: Int32 = 0
      guard unsafe waitpid(pid, &status, 0) == pid else { throw Failure(what: "waitpid: \(errno)") }
      running.withLock { _ = $0.remove(pid) }
      return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }
  }

  /// Waits for the end of a killed process.
  func bury(_ pid: pid_t) async throws {
    try await Self.waiting.runIfActive { [self] in
      var status: Int32 = 0
      let ended = unsafe waitpid(pid, &status, 0)
      if ended == pid { running.withLock { _ = $0.remove(pid) } }
      guard ended == pid, status & 0x7F == SIGKILL else {
        throw Failure(what: "the service ended by itself, with status \(status)")
      }
    }
  }

  /// Returns the errors that the daemon has printed since it was first started.
  func complaints() throws -> String {
    let descriptor = unsafe open(log, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(what: "\(log): \(errno)") }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while case let count = unsafe Glibc.read(descriptor, &part, part.count), count > 0 { text += part.prefix(count) }
    return String(decoding: text, as: UTF8.self)
  }

  private func listen() throws -> Int32 {
    unsafe unlink(notices)
    let listener = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: notices.utf8) }
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { throw Failure(what: "bind \(notices): \(errno)") }
    return listener
  }

  private func waitForReadiness(_ listener: Int32, _ pid: pid_t) throws {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, 300_000) == 1 else {
        kill(pid, SIGKILL)
        throw Failure(what: "the service is not ready within a minute: \(try complaints())")
      }
      let count = unsafe recv(listener, &bytes, bytes.count, 0)
      if String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).contains("READY=1") { return }
    }
  }

  private func spawn(_ options: [String], _ standard: Standard = .log) throws -> pid_t {
    let words =
      [
        "\(Self.programs)/placardd", "--backend", "virtual", "--state", state, "--socket", socket, "--log", "warning",
      ] + (options.contains("--config") ? [] : ["--config", configuration]) + options
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    let home = ["HOME=\(folder)", "XDG_CACHE_HOME=\(Self.programs)/killed-cache", "NOTIFY_SOCKET=\(notices)"]
    var environment = unsafe home.map { unsafe strdup($0) } + [nil]
    defer { unsafe environment.forEach { unsafe free($0) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    switch standard {
    case .log: unsafe posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    case .error(let descriptor): unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, 2)
    case .closed: for descriptor in Int32(0)...2 { unsafe posix_spawn_file_actions_addclose(&actions, descriptor) }
    }
    // The sockets of other tests would stay open for as long as the daemon runs.
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var pid: pid_t = 0
    let code = unsafe posix_spawn(&pid, words[0], &actions, nil, &arguments, &environment)
    guard code == 0 else { throw Failure(what: "\(words[0]): \(code)") }
    running.withLock { _ = $0.insert(pid) }
    return pid
  }
}
