import Control
import Displays
import FoundationEssentials
import Geometry
import Glibc
import Lab
import Testing

extension Tag {
  /// Needs QEMU and boots a guest.
  @Tag static var lab: Self
}

/// The error of an unmet expectation.
struct NotSeen: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}

/// A lab with a running daemon, on which the stories run.
final class GuestFixture {
  let lab: Lab
  private(set) var service: LabProcess
  /// The daemon's control socket on the host: `placard` runs there, where it is not emulated.
  private let control: ForwardedSocket
  private var watching: [LabProcess] = []
  private var logMark = 0

  static let socket = "/run/placard-story.sock"
  /// The database that stores sessions across restarts.
  static let state = "/run/placard-story.db"

  /// The folder of the programs that were built with these tests.
  static let programs: String = {
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
  }()

  /// The reason why stories cannot run here; nil if they can.
  static let unavailableReason: String? = {
    let needed = [
      "/usr/bin/qemu-system-x86_64", "\(programs)/placardd", "\(programs)/placard", "\(programs)/placard-lab",
    ]
    return needed.first { !FileManager.default.isExecutableFile(atPath: $0) }.map { "\($0) is not installed" }
  }()

  /// Boots a guest and starts the daemon in it.
  convenience init(_ options: LabOptions = LabOptions(), processors: Int = 1, _ arguments: [String] = []) throws {
    try self.init(lab: try GuestFixture.boot(options, processors: processors), arguments)
  }

  /// Boots a guest without the daemon.
  ///
  /// One processor is enough for the stories. An emulated second one takes time from the guests beside it, because its
  /// kernel waits for locks of a processor that does not run.
  static func boot(_ options: LabOptions = LabOptions(), processors: Int = 1) throws -> Lab {
    var options = options
    options.processors = processors
    options.agent = "\(programs)/placard-lab"
    return try Lab.boot(options)
  }

  /// Starts the daemon in a running guest, without the state of earlier stories.
  init(lab: Lab, _ arguments: [String] = []) throws {
    self.lab = lab
    control = try lab.forwardSocket(GuestFixture.socket)
    try lab.shell("rm -f \(GuestFixture.state)*")
    service = try GuestFixture.launch(lab, arguments)
    try waitForLog("ready:")
  }

  /// Kills the daemon and its watchers: leftover watchers would connect to the next story's daemon on the same socket.
  deinit { for process in watching + [service] { try? process.kill(SIGKILL) } }

  private static func launch(_ lab: Lab, _ arguments: [String]) throws -> LabProcess {
    try lab.start(["\(programs)/placardd", "--backend", "kms", "--socket", socket, "--state", state] + arguments)
  }

  /// Starts the daemon again after it ended.
  func restart(_ arguments: [String] = []) throws {
    service = try GuestFixture.launch(lab, arguments)
    logMark = 0
    try waitForLog("ready:")
  }

  /// Sends a signal to the daemon and waits until it exits, with status 0 after SIGTERM.
  @discardableResult
  func end(_ signal: Int32 = SIGTERM) throws -> LabProcess.Result {
    try service.kill(signal)
    let result = try service.wait(within: .generous)
    if signal == SIGTERM { #expect(result.status.isSuccess, "\(result.errors.suffix(2000))") }
    return result
  }

  /// Waits for a new line of the daemon's log.
  func waitForLog(_ text: String, within: Duration = .generous) throws {
    logMark = try service.waitForLine(containing: text, from: logMark, within: within) + 1
  }

  /// Ignores all log lines so far.
  func skipLog() { logMark = service.lines.count }

  /// Returns the lines of the log from number `mark` on.
  func log(from mark: Int) -> [String] { service.lines.dropFirst(mark).map(\.text) }

  /// Runs `placard` on the host, and expects success.
  @discardableResult
  func placard(_ arguments: String...) throws -> String {
    let result = try run(arguments)
    try #require(result.status.isSuccess, "placard \(arguments): \(result.output)\(result.errors)")
    return result.output
  }

  /// Runs `placard` on the host, and returns its result.
  func run(_ arguments: [String], input: [UInt8] = []) throws -> LabProcess.Result {
    try Lab.startOnHost(command(arguments), input: input).wait(within: .seconds(600))
  }

  /// Runs `placard` in the guest, where it finds the guest's files and processes, and returns its result.
  func runInGuest(_ arguments: String...) throws -> LabProcess.Result {
    try lab.run(
      ["\(GuestFixture.programs)/placard"] + arguments + ["--socket", GuestFixture.socket, "--timeout", "600"])
  }

  /// Starts `placard` on the host, without waiting for its end.
  func watch(_ arguments: String...) throws -> LabProcess {
    let process = try Lab.startOnHost(command(arguments))
    watching.append(process)
    return process
  }

  /// Repeats a command of `placard` on the host until it fails, and prints `done $i` after run number `$i`.
  ///
  /// - Parameter command: The arguments in the syntax of the shell, in which `$i` is the number of the run.
  /// - Throws: `LabError` if the shell cannot be started.
  /// - Returns: The shell.
  func repeating(_ command: String) throws -> LabProcess {
    let line = "\(GuestFixture.programs)/placard \(command) --socket \(control.path)"
    let process = try Lab.startOnHost([
      "/bin/sh", "-c", "i=1; while \(line) >/dev/null; do echo \"done $i\"; i=$((i+1)); done",
    ])
    watching.append(process)
    return process
  }

  private func command(_ arguments: [String]) -> [String] {
    ["\(GuestFixture.programs)/placard"] + arguments + ["--socket", control.path, "--timeout", "600"]
  }

  /// Returns the report of a display.
  func display(_ name: String) throws -> DisplayReport {
    try #require(try displays().first { $0.name == name }, "no display \(name)")
  }

  /// Returns the reports of all displays.
  func displays() throws -> [DisplayReport] {
    try JSONDecoder().decode([DisplayReport].self, from: Data(placard("displays", "--json").utf8))
  }

  /// Waits until the displays satisfy a condition, which is checked now and after each event.
  ///
  /// - Parameters:
  ///   - within: The time after which a run counts as hung.
  ///   - context: Text that is printed with the log if the wait fails.
  ///   - isSo: The condition.
  /// - Throws: `NotSeen` with the last state of the displays.
  /// - Returns: The displays that satisfy the condition.
  func wait(
    within: Duration = .seconds(300), telling context: String = "", until isSo: ([DisplayReport]) -> Bool
  ) throws -> [DisplayReport] {
    let lists = try watch("displays", "--watch", "--json")
    defer { try? lists.kill(SIGKILL) }
    let deadline = ContinuousClock.now + within
    var (line, displays) = (0, [DisplayReport]())
    repeat {
      do {
        line = try lists.waitForLine(containing: "[", from: line, within: deadline - .now) + 1
      } catch {
        let table = displays.map { "\($0.name) \($0.state) \($0.reason ?? "")" }
        print("\(context)\n\(log(from: 0).suffix(60).joined(separator: "\n"))\n\(guestState)")
        throw NotSeen(reason: "\(error): the displays are \(table)")
      }
      displays = try JSONDecoder().decode([DisplayReport].self, from: Data(lists.lines[line - 1].text.utf8))
    } while !isSo(displays)
    return displays
  }

  /// The cards, the kernel's last messages, and the kernel stacks of the daemon's threads and of all blocked tasks, for
  /// a failed story.
  private var guestState: String {
    let command =
      "ls /dev/dri; for task in /proc/$(pidof placardd)/task/*; do cat $task/comm $task/stack; done; true"
    return "\((try? lab.shell(command)) ?? "")\(lab.kernelState)"
  }

  /// Waits until a display is in a state. A dark display that may still succeed is "lighting" during each attempt.
  @discardableResult
  func wait(for state: DisplayReport.State, of name: String) throws -> DisplayReport {
    let isSo = { (display: DisplayReport) in display.name == name && display.state == state }
    return try #require(wait { $0.contains(where: isSo) }.first(where: isSo))
  }

  /// Returns the number in an environment variable.
  static func setting<Number: FixedWidthInteger>(_ name: String) -> Number? {
    unsafe getenv(name).flatMap { unsafe Number(String(cString: $0)) }
  }

  /// Waits until the capture sees the expected frame, and returns it.
  func see(
    _ output: Int, card: String? = nil, _ expected: Expectation, within: Duration = .generous,
    after act: () throws(LabError) -> Void = {}
  ) throws -> FrameMatch {
    do {
      return try lab.waitForFrame(output, card: card, within: within, after: act) { expected.matches($0) }
    } catch {
      let file = "/tmp/placard-unexpected-\(getpid()).png"
      try? lab.screenshot(output, card: card, toFile: file)
      Issue.record("the frame is in \(file); the service's log:\n\(log(from: 0).joined(separator: "\n"))")
      throw error
    }
  }

  /// Returns the text of a file in the guest.
  func file(_ path: String) throws -> String { try lab.text(path) }

  /// Returns the daemon's process ID in the guest.
  func pid() throws -> Int { try lab.process(named: "placardd") }
}
