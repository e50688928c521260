import ArgumentParser
import Glibc
import NIOPosix
import SystemCalls

struct ReplayCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Compares a recording's decisions with those of this version, without the service.",
    discussion: """
      `placardd --record FILE` records what the hardware reports and what the service decides. replay repeats the \
      recording on cards in memory, without waiting, so that a fault of a remote machine can be studied here. \
      Recordings contain no frames. Drawing takes no time in a replay, so the late decisions of a busy machine can \
      show up as differences.

      replay runs the placardd in its own directory, or else the one in PATH.

      Exit status:
        0  all decisions are the same
        1  a decision differs
        2  the file cannot be read, or is not a recording

      Examples:
        placardd --record kiosk.jsonl --mask-serials
        placard replay kiosk.jsonl
        placard replay --policy native --json kiosk.jsonl
      """)

  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp("The policy to use instead of the recorded one: see placard edid --help.", valueName: "policy"),
    completion: .list(["legible", "native", "halve-above-1080p"]))
  var policy: String?

  @Option(
    help: ArgumentHelp("The configuration file to use instead of the recorded settings.", valueName: "file"),
    completion: .file())
  var config: String?

  @Argument(help: ArgumentHelp("The recording.", valueName: "file"), completion: .file())
  var file: String

  func run(on console: any Console) async throws(Failure) {
    let options = [("--policy", policy), ("--config", config)].flatMap { name, value in value.map { [name, $0] } ?? [] }
    let arguments = ["--replay", file] + options + (output.json ? ["--json"] : [])
    let program = Companion.path(of: "placardd")
    let result: (output: [UInt8], status: Int32)
    // The thread blocks for as long as the replay takes.
    let thread = NIOThreadPool(numberOfThreads: 1)
    thread.start()
    do {
      result = try await thread.runIfActive { try Companion.run(program, arguments).get() }
      try await thread.shutdownGracefully()
    } catch {
      throw Failure(.refused, "\(program) cannot be started: \(error). Install it beside placard, or in PATH.")
    }
    // The names of connectors and monitors come from the recording, which may be untrusted.
    let report = String(decoding: result.output, as: UTF8.self)
    try console.write(Array((output.json ? SafeText.json(report) : SafeText.lines(report)).utf8))
    switch result.status {
    case 0: return
    // The report contains the differences.
    case 1: throw Failure(.refused, "")
    // The program has printed the reason to standard error.
    case 2: throw Failure(.usage, "")
    default: throw Failure(.usage, "\(program) ended with status \(result.status) instead of a report on \(file).")
    }
  }
}

/// A program that is installed beside this one.
enum Companion {
  /// Returns the path of a program beside this one, or only its name, to be found in PATH, if that does not exist.
  static func path(of name: String) -> String {
    var path = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink("/proc/self/exe", &path, path.count)
    let own = String(decoding: path.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let slash = own.lastIndex(of: "/") else { return name }
    let beside = String(own[...slash]) + name
    return unsafe access(beside, X_OK) == 0 ? beside : name
  }

  /// Runs a program to its end and blocks this thread.
  ///
  /// - Parameters:
  ///   - program: The program's path, or a name to look up in PATH.
  ///   - arguments: The arguments after the program's name.
  /// - Returns: The standard output, and the exit status or 128 plus the number of the signal that ended the program.
  static func run(
    _ program: String, _ arguments: [String]
  ) -> Result<(output: [UInt8], status: Int32), FileBytes.SystemError> {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var pid: pid_t = 0
    let code = unsafe posix_spawnp(&pid, program, &actions, nil, &words, environ)
    close(ends[1])
    guard code == 0 else { return failure(code) }
    let output = FileBytes.read(ends[0], limit: .max)
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let ended = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    return output.map { ($0, ended) }
  }

  private static func failure<Value>(_ errno: Int32) -> Result<Value, FileBytes.SystemError> {
    .failure(FileBytes.SystemError(description: "\(ErrorNumber(errno))"))
  }
}
