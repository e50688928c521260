import CommandLineTool
import Control
import ControlHTTP
import Glibc
import Logging
import NIOPosix
import Synchronization
import Testing

/// A console that remembers.
final class MemoryConsole: Console {
  private let state = Mutex((output: [UInt8](), errors: "", reads: 0))
  private let input: [UInt8]
  let columns: Int?

  init(input: [UInt8] = [], columns: Int? = nil) {
    self.input = input
    self.columns = columns
  }

  var output: [UInt8] { state.withLock { $0.output } }
  var text: String { String(decoding: output, as: UTF8.self) }
  var errors: String { state.withLock { $0.errors } }
  /// How often the input was asked for.
  var reads: Int { state.withLock { $0.reads } }

  func write(_ bytes: [UInt8]) throws(Failure) { state.withLock { $0.output += bytes } }
  func complain(_ text: String) { state.withLock { $0.errors += "\(text)\n" } }
  func readInput() throws(Failure) -> [UInt8] {
    state.withLock { $0.reads += 1 }
    return input
  }
}

/// A fake service behind a real socket, and a directory for files.
struct Running {
  let service: FakeService
  let directory: String

  static func run(_ body: (Running) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let service = FakeService()
      let server = try await ControlServer.start(
        service: service, socket: "\(directory)/s", eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      do {
        try await body(Running(service: service, directory: directory))
      } catch {
        await server.close()
        throw error
      }
      await server.close()
    }
  }

  /// Runs `placard` with these arguments.
  func placard(
    _ arguments: [String], input: String = "", columns: Int? = nil
  ) async -> (status: Int32, console: MemoryConsole) {
    let console = MemoryConsole(input: Array(input.utf8), columns: columns)
    return (await PlacardTool.run(["--socket", "\(directory)/s"] + arguments, console: console), console)
  }
}

/// A directory in /tmp, short enough for a socket's path, removed with the files that the tests make.
func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
  var template = Array("/tmp/placard-test-XXXXXX".utf8CString)
  try #require(unsafe mkdtemp(&template) != nil)
  let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer {
    for name in ["s", "file", "file.md", "file.json", "file.png", "new"] { unsafe unlink("\(path)/\(name)") }
    unsafe rmdir(path)
  }
  try await body(path)
}
