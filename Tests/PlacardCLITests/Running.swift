import Access
import CommandLineTool
import Control
import ControlHTTP
import Glibc
import Logging
import NIOPosix
import Synchronization
import Testing

/// A console in memory that records the output.
final class MemoryConsole: Console {
  private let state = Mutex((output: [UInt8](), errors: "", reads: 0, progress: [String]()))
  private let input: [UInt8]
  private let variables: [String: String]
  private let terminal: MemoryTerminal?
  let columns: Int?
  /// The standard input in parts, if a test sends it over time.
  let parts: InputParts?

  init(
    input: [UInt8] = [], columns: Int? = nil, environment: [String: String] = [:], terminal: MemoryTerminal? = nil,
    parts: InputParts? = nil
  ) {
    self.input = input
    self.columns = columns
    self.terminal = terminal
    self.parts = parts
    variables = environment
  }

  var output: [UInt8] { state.withLock { $0.output } }
  var text: String { String(decoding: output, as: UTF8.self) }
  var errors: String { state.withLock { $0.errors } }
  /// The number of times that the input was read.
  var reads: Int { state.withLock { $0.reads } }

  func write(_ bytes: [UInt8]) throws(Failure) { state.withLock { $0.output += bytes } }
  func writeError(_ bytes: [UInt8]) { state.withLock { $0.errors += String(decoding: bytes, as: UTF8.self) } }
  /// The progress texts.
  var progress: [String] { state.withLock { $0.progress } }
  func progress(_ text: String?) { state.withLock { $0.progress.append(text ?? "") } }
  func environment(_ name: String) -> String? { variables[name] }
  func openTerminal() async throws(Failure) -> (any Terminal)? { terminal }
  func readSome() async throws(Failure) -> [UInt8] { await parts?.next() ?? [] }
  func terminationRequests() async throws(Failure) -> AsyncStream<Void> {
    parts?.terminationRequests ?? AsyncStream { $0.finish() }
  }
  func readInput() throws(Failure) -> [UInt8] {
    state.withLock { $0.reads += 1 }
    return input
  }
}

/// A standard input that arrives in parts, and requests to end the command.
final class InputParts: Sendable {
  private let part: AsyncStream<[UInt8]>.Continuation
  private let ending: AsyncStream<Void>.Continuation
  private let waiting: AsyncStream<[UInt8]>
  let terminationRequests: AsyncStream<Void>

  init() {
    (waiting, part) = AsyncStream.makeStream()
    (terminationRequests, ending) = AsyncStream.makeStream(of: Void.self)
  }

  /// Waits for the next part and returns it; empty after the end.
  func next() async -> [UInt8] {
    for await part in waiting { return part }
    return []
  }

  func send(_ text: String) { part.yield(Array(text.utf8)) }
  func finish() { part.finish() }
  /// Simulates Ctrl-C.
  func end() { ending.yield() }
}

/// A terminal in memory.
final class MemoryTerminal: Terminal {
  private let state: Mutex<(size: TerminalSize, output: [UInt8], isOpen: Bool)>
  private let happening: AsyncStream<TerminalEvent>.Continuation
  private let wrote: AsyncStream<Void>.Continuation
  private let writes: AsyncStream<Void>
  let terminalEvents: AsyncStream<TerminalEvent>

  init(_ size: TerminalSize = TerminalSize(columns: 40, rows: 12)) {
    state = Mutex((size, [], true))
    (terminalEvents, happening) = AsyncStream.makeStream()
    (writes, wrote) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  var size: TerminalSize { state.withLock { $0.size } }
  var output: [UInt8] { state.withLock { $0.output } }
  var text: String { String(decoding: output, as: UTF8.self) }
  var isOpen: Bool { state.withLock { $0.isOpen } }

  func write(_ bytes: [UInt8]) throws(Failure) {
    state.withLock { $0.output += bytes }
    wrote.yield()
  }
  func close() { state.withLock { $0.isOpen = false } }

  func send(_ happening: TerminalEvent) { self.happening.yield(happening) }
  func type(_ text: String) { send(.input(Array(text.utf8))) }
  func resize(_ size: TerminalSize) {
    state.withLock { $0.size = size }
    send(.resized)
  }

  /// Returns after this text has been written, and discards the output up to it; for one caller.
  func wait(for text: String) async {
    let wanted = Array(text.utf8)
    while true {
      let isThere = state.withLock { state in
        guard let end = state.output.firstRange(of: wanted)?.upperBound else { return false }
        state.output.removeFirst(end)
        return true
      }
      if isThere { return }
      for await _ in writes { break }
    }
  }
}

extension Array where Element == UInt8 {
  /// Returns the range of the first occurrence of these bytes.
  func firstRange(of wanted: [UInt8]) -> Range<Int>? {
    guard count >= wanted.count else { return nil }
    return (0...(count - wanted.count)).first { self[$0...].starts(with: wanted) }.map { $0..<($0 + wanted.count) }
  }
}

/// A fake service behind a real socket, and a directory for files.
struct Running {
  let service: FakeService
  let directory: String

  static func run(_ body: (Running) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let service = FakeService()
      // On a busy machine, a test may stall for many seconds.
      var limits = AccessLimits()
      (limits.headSeconds, limits.bodySeconds, limits.idleSeconds, limits.stalledSeconds) = (600, 600, 600, 600)
      let server = try await ControlServer.start(
        service: service, socket: SocketClaim(path: "\(directory)/s"),
        eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, limits: limits)
      do {
        try await body(Running(service: service, directory: directory))
      } catch {
        await server.close()
        throw error
      }
      await server.close()
    }
  }

  /// Runs `placard` with arguments.
  func placard(
    _ arguments: [String], input: String = "", columns: Int? = nil, environment: [String: String] = [:],
    terminal: MemoryTerminal? = nil, parts: InputParts? = nil
  ) async -> (status: Int32, console: MemoryConsole) {
    let console = MemoryConsole(
      input: Array(input.utf8), columns: columns, environment: environment, terminal: terminal, parts: parts)
    return (
      await PlacardTool.run(["--socket", "\(directory)/s", "--timeout", "600"] + arguments, console: console), console
    )
  }
}

/// Calls `body` with a directory in /tmp, short enough for a socket's path, and removes it with the tests' files.
func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
  var template = Array("/tmp/placard-test-XXXXXX".utf8CString)
  try #require(unsafe mkdtemp(&template) != nil)
  let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer {
    for name in ["s", "file", "file.md", "file.json", "file.png", "new", "placard", "placardd"] {
      unsafe unlink("\(path)/\(name)")
    }
    unsafe rmdir(path)
  }
  try await body(path)
}
