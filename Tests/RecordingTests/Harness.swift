import Configuration
import Control
import Displays
import Geometry
import Glibc
import JSON
import Logging
import NIOCore
import NIOPosix
import Synchronization
import SystemCalls
import Testing
import VirtualDisplays
import Waiting

@testable import Director
@testable import Recording

/// A recorded director with a card in memory.
final class Harness: Sendable {
  let card: VirtualCard
  let director: Director
  let recorder: Recorder
  let memory = RecordingMemory()
  let clock: HarnessClock
  let turns: Turns
  private let source: RecordingSource

  /// Creates a director and its recorder, which are not started.
  init(
    _ settings: Settings = Settings(message: "Hello"), isMasked: Bool = false, crtcs: Int = 16,
    patience: FrameMachine.Patience = .init(flip: 60_000_000_000, busy: 1_000_000)
  ) {
    let clock = HarnessClock()
    self.clock = clock
    let now: @Sendable () -> UInt64 = { clock.now }
    card = VirtualCard(crtcs: crtcs, keepsJournal: true, clock: now)
    recorder = Recorder(
      Recorder.Beginning(
        version: "test", kernel: Recorder.kernel(), backend: "virtual", wall: 1_795_262_430_000, settings: settings,
        patience: patience),
      sink: memory, isMasked: isMasked, now: now)
    source = RecordingSource(VirtualSource(card), recorder: recorder)
    let group = NIOSingletons.posixEventLoopGroup
    let turns = Turns(on: group.next())
    self.turns = turns
    director = Director(
      settings: settings, loop: turns.observed(), renderLoops: [turns.observed(group.next())],
      environment: Director.Environment(
        backend: .virtual, version: "test", pid: getpid(), now: now, wallClock: { Int64(now() / 1_000_000) },
        sinceBoot: { Int64(now() / 1_000_000) },
        simulator: card, patience: patience, observer: recorder),
      persistence: ForgetfulPersistence(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  func start() async {
    await director.start(source)
    await director.settled()
  }

  @discardableResult
  func plug(_ width: Int, _ height: Int, into name: String? = nil) async throws -> DisplayReport {
    try await director.plug(PlugRequest(display: name, width: width, height: height))
  }

  func show(_ text: String, on display: String? = nil) async throws {
    _ = try await director.setMessage(MessageRequest(text: text, display: display, wait: true))
  }

  /// Waits until a condition is false. It is checked now and after each job of the director and its painter.
  func waitWhile(
    sourceLocation: SourceLocation = #_sourceLocation, _ isSo: @escaping @Sendable (isolated Director) -> Bool
  ) async {
    let director = director
    await turns.wait(sourceLocation: sourceLocation) { !director.assumeIsolated(isSo) }
  }

  /// Waits until a condition that does not need the director is false. The director may be busy.
  func waitWhile(
    sourceLocation: SourceLocation = #_sourceLocation, _ isSo: @escaping @Sendable () -> Bool
  ) async {
    await turns.wait(onActor: false, sourceLocation: sourceLocation) { !isSo() }
  }

  /// Ends the recording and the director, and returns the recording.
  func end() async -> [UInt8] {
    recorder.finish()
    await director.close()
    return memory.bytes
  }
}

/// A clock that a test sets forward. Each reading is 1 ms later than the previous one, so that a recording does not
/// depend on the machine's speed.
final class HarnessClock: Sendable {
  private let time = Mutex(SystemClock.monotonicNanoseconds())

  var now: UInt64 {
    time.withLock { time in
      time += 1_000_000
      return time
    }
  }

  func advance(_ nanoseconds: UInt64) { time.withLock { $0 += nanoseconds } }
}

/// The failure of a replay, with its exit status and its error output.
struct ReplayFailure: Error {
  var status: Int32
  var words: String
}

/// A thread that waits for processes, because the tests share few threads and others need them to connect.
private let waiting: NIOThreadPool = {
  let pool = NIOThreadPool(numberOfThreads: 1)
  pool.start()
  return pool
}()

/// Replays a recording with more options, in its own process, because a replay simulates the time of its process.
func replayed(_ bytes: [UInt8], _ options: String...) async throws -> ReplayReport {
  try await waiting.runIfActive {
    let path = "/tmp/recording-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { for end in ["", ".out", ".err"] { unsafe unlink(path + end) } }
    let file = try RecordingFile(path: path, limit: .max, on: { $0() }, complain: { _ in })
    _ = file.write(bytes)
    let status = try run("placardd", ["--replay", path, "--json"] + options, output: path)
    guard status == 0 || status == 1 else { throw ReplayFailure(status: status, words: read(path + ".err")) }
    let report = try JSON.decode(ReplayReport.self, from: Array(read(path + ".out").utf8))
    guard report.same == (status == 0) else { throw ReplayFailure(status: status, words: "\(report)") }
    return report
  }
}

/// Runs a program that was built with these tests, and writes its output to files. Returns the exit status.
private func run(_ name: String, _ arguments: [String], output: String) throws -> Int32 {
  var own = [CChar](repeating: 0, count: 4096)
  let length = unsafe readlink("/proc/self/exe", &own, own.count)
  let program = String(decoding: own.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let path = String(program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex)) + "/" + name
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  for (descriptor, end) in [(Int32(1), ".out"), (2, ".err")] {
    unsafe posix_spawn_file_actions_addopen(&actions, descriptor, output + end, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  }
  var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
  defer { unsafe words.forEach { unsafe free($0) } }
  var pid: pid_t = 0
  let code = unsafe posix_spawn(&pid, path, &actions, nil, &words, environ)
  guard code == 0 else { throw ReplayFailure(status: code, words: "posix_spawn \(path)") }
  var status: Int32 = 0
  while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
  return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
}

private func read(_ path: String) -> String {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return "" }
  defer { close(descriptor) }
  var (bytes, part): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 1 << 16))
  while case let count = unsafe Glibc.read(descriptor, &part, part.count), count > 0 { bytes += part.prefix(count) }
  return String(decoding: bytes, as: UTF8.self)
}

/// Returns a recording from the folder of these tests.
func recording(_ name: String) -> [UInt8] {
  let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  return Array(read("\(folder)/Recordings/\(name).jsonl").utf8)
}

/// Returns a recording as text for the message of a failed test.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension Director {
  /// Returns the state of a display.
  func state(of name: String) -> DisplayReport.State? { displays().first { $0.name == name }?.state }

  /// Returns whether a display waits for a flip.
  func awaitsFlip(_ display: String) -> Bool {
    switch core.output(named: display).map({ core.frames(of: $0.id).state }) {
    case .waitingForFlip, .blocked: true
    default: false
    }
  }
}
