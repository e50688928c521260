import Glibc
import SystemCalls

/// A measured child process that answers commands.
///
/// It ends with this object.
final class Process {
  /// The time just before the process was spawned, in nanoseconds of CLOCK_MONOTONIC.
  let started: Int
  private let name: String
  private let input: Int32
  private let output: Int32
  private let pid: pid_t

  /// Starts a program.
  ///
  /// The first command is already in its pipe, so the first frame includes no wait for input.
  init(_ arguments: [String], first command: Command? = nil) throws {
    name = arguments[0]
    let toChild = try Process.pipe()
    let fromChild = try Process.pipe()
    (input, output) = (toChild.write, fromChild.read)
    if let command { try Stream.write(command.bytes, to: input) }
    started = Stopwatch.now()
    let code: Int32
    (pid, code) = Process.spawn(arguments, input: toChild.read, output: fromChild.write)
    close(toChild.read)
    close(fromChild.write)
    guard code == 0 else { throw BenchError("\(name) cannot be started: \(ErrorNumber(code))") }
  }

  deinit {
    close(input)
    close(output)
    if pid > 0 { waitpid(pid, nil, 0) }
  }

  /// A command in the protocol of scripts/bench.d/pango.c.
  struct Command {
    var letter: Character
    var text: String

    init(_ letter: Character, _ text: String = "") {
      self.letter = letter
      self.text = text
    }

    var bytes: [UInt8] {
      let count = String(text.utf8.count)
      return Array("\(letter) \(String(repeating: "0", count: 10 - count.count))\(count)\n\(text)".utf8)
    }
  }

  func ask(_ command: Command) throws -> Answer {
    try Stream.write(command.bytes, to: input)
    return try answer()
  }

  /// Returns the answer to a command that was already sent.
  func answer() throws -> Answer {
    let line = try line()
    guard let answer = Answer(line) else { throw BenchError("\(name) gave no answer, but \"\(line)\"") }
    return answer
  }

  /// Reads one line of the program's output.
  func line() throws -> String { try Stream.readLine(from: output) }

  /// Returns the peak memory of this process in kB.
  static func peakMemory() -> Int {
    let line = Stream.text(of: "/proc/self/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  /// Creates a pipe that children inherit only through explicit file actions.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw BenchError("no pipe could be made: \(ErrorNumber(errno))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(_ arguments: [String], input: Int32, output: Int32) -> (pid_t, Int32) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe words.forEach { unsafe free($0) }
    }
    var pid: pid_t = 0
    let code = unsafe posix_spawn(&pid, arguments[0], &actions, nil, &words, environ)
    return (pid, code)
  }
}
