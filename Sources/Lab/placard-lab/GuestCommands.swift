import ArgumentParser
import Glibc
import Lab

struct Exec: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run a program in the guest and exit with its exit code.",
    discussion: """
      Standard input is passed on. If signal N ends the program, the exit code is 128 + N.

      Examples:
        placard-lab exec -- ls -l /dev/dri
        placard-lab exec --env LANG=C --directory /tmp -- sh -c 'env; pwd'
        echo text | placard-lab exec -- cat
        placard-lab exec --fresh -- "$PWD/.build/debug/my-program"
      """)

  @OptionGroup var lab: LabName

  @Option(name: .customLong("env"), help: "An environment variable as NAME=VALUE; may be repeated.")
  var environment: [String] = []

  @Option(help: "The program's working directory.")
  var directory = "/"

  @Flag(help: "Discard cached host files first, for example after a rebuild on the host.")
  var fresh = false

  @Argument(parsing: .postTerminator, help: "After --: the program and its arguments.")
  var command: [String]

  func validate() throws {
    guard !command.isEmpty else { throw ValidationError("Give a program after --, e.g. placard-lab exec -- uname -a") }
    guard environment.allSatisfy({ $0.contains("=") }) else { throw ValidationError("--env takes NAME=VALUE.") }
  }

  func run() throws {
    var variables: [String: String] = [:]
    for item in environment {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      variables[parts[0]] = parts[1]
    }
    let lab = try lab.attach()
    if fresh { try lab.dropHostFileCache() }
    let process = try lab.start(command, environment: variables, directory: directory, input: nil)
    switch try process.relayStandardStreams() {
    case .exited(let code): throw ExitCode(code)
    case .signalled(let number): throw ExitCode(128 + number)
    }
  }
}

struct Put: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy a file from the host to the guest.",
    discussion: "Example: placard-lab put unit.service /etc/systemd/system/unit.service")

  @OptionGroup var lab: LabName
  @Argument(help: "The file on the host.") var file: String
  @Argument(help: "The path in the guest.") var path: String

  func run() throws {
    try lab.attach().put(file: file, to: path)
  }
}

struct Get: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy a file from the guest to the host.",
    discussion: "Example: placard-lab get /proc/version version.txt")

  @OptionGroup var lab: LabName
  @Argument(help: "The file in the guest.") var path: String
  @Argument(help: "The file on the host; by default standard output.") var file: String?

  func run() throws {
    try lab.attach().get(path, toFile: file)
  }
}

struct Uevents: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the uevents of the guest's kernel as they arrive, until interrupted.",
    discussion: """
      Each line has the time (the guest's CLOCK_MONOTONIC), the action, the path and the properties.
      Example: placard-lab uevents --all
      """)

  @OptionGroup var lab: LabName

  @Flag(help: "Print earlier uevents first.")
  var all = false

  @Option(help: "End after this number of uevents.")
  var count: Int?

  func run() throws {
    let lab = try lab.attach()
    var left = count ?? Int.max
    guard left > 0 else { return }
    try lab.followUevents(fromStart: all) { event in
      print(event)
      fflush(nil)
      left -= 1
      return left > 0
    }
  }
}

struct Log: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the output of the guest's serial console: kernel messages and early boot programs.",
    discussion: "Example: placard-lab log")

  @OptionGroup var lab: LabName

  func run() throws {
    print(try lab.attach().console, terminator: "")
  }
}
