/// Where a command writes to and reads from, so that a test can listen.
public protocol Console: Sendable {
  /// Columns of the terminal that the output goes to; nil where it is no terminal.
  var columns: Int? { get }

  /// The value of a variable of the environment; nil where it is not set.
  func environment(_ name: String) -> String?
  /// Writes to the standard output, all of it, at once.
  func write(_ bytes: [UInt8]) throws(Failure)
  /// Writes to the standard error; a failure is ignored.
  func writeError(_ bytes: [UInt8])
  /// Says how far a long work is, in place of the last that was said so, where the standard error is a terminal; nil
  /// takes it away.
  func progress(_ text: String?)
  /// All of the standard input.
  func readInput() throws(Failure) -> [UInt8]
  /// The next bytes of the standard input, when they come; none at its end.
  func readSome() async throws(Failure) -> [UInt8]
  /// Says something when somebody wants the command to end (SIGINT, SIGTERM, SIGHUP), instead of ending it. Once.
  func endings() async throws(Failure) -> AsyncStream<Void>
  /// The terminal, for a command that asks and draws; nil unless the input and the output are one.
  func openTerminal() async throws(Failure) -> (any Terminal)?
}

extension Console {
  /// Writes one or more lines of text, without control characters except the colours of `Ink`.
  func print(_ line: String) throws(Failure) {
    try write(Array("\(SafeText.lines(line, hasInks: paper.hasColours))\n".utf8))
  }

  /// Writes one or more lines of text to the standard error, without control characters.
  func complain(_ text: String) { writeError(Array("\(SafeText.lines(text))\n".utf8)) }

  /// Writes the reason of a failure to the standard error, in one line.
  func complain(_ failure: Failure) { complain("placard: \(Table.printable(failure.message))") }
}

/// Why a command ends without success.
public struct Failure: Error, Hashable, Sendable {
  /// The exit statuses of `placard`, besides 0.
  public enum Status: Int32, Sendable {
    /// The service, or the system, refused it.
    case refused = 1
    /// The command line is not right.
    case usage = 2
    /// No service answers.
    case noService = 3
  }

  /// The exit status.
  public var status: Status
  /// What is said on the standard error; empty where nothing needs to be said.
  public var message: String

  /// A failure from its parts.
  public init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
  }
}
