/// The input and output of a command, which tests can replace.
package protocol Console: Sendable {
  /// The width of the output terminal in columns; nil if the output is not a terminal.
  var columns: Int? { get }

  /// Returns the value of an environment variable, or nil if it is not set.
  func environment(_ name: String) -> String?
  /// Writes all bytes to standard output before it returns.
  func write(_ bytes: [UInt8]) throws(Failure)
  /// Writes to standard error and ignores failures.
  func writeError(_ bytes: [UInt8])
  /// Replaces the progress text on standard error, if that is a terminal; nil erases the text.
  func progress(_ text: String?)
  /// Returns all of standard input.
  func readInput() throws(Failure) -> [UInt8]
  /// Waits for the next bytes of standard input and returns them; none at its end.
  func readSome() async throws(Failure) -> [UInt8]
  /// Returns a stream of requests to end the command (SIGINT, SIGTERM, SIGHUP), which no longer end the process.
  ///
  /// - Throws: `Failure` if the signals cannot be watched.
  /// - Returns: A stream that yields for each signal. A command may open only one.
  func terminationRequests() async throws(Failure) -> AsyncStream<Void>
  /// Returns the terminal for an interactive command, or nil unless both input and output are terminals.
  func openTerminal() async throws(Failure) -> (any Terminal)?
}

extension Console {
  /// Writes one or more lines of text without control characters, except the colors of `TextColor`.
  func print(_ line: String) throws(Failure) {
    try write(Array("\(SafeText.lines(line, keepsColors: style.hasColors))\n".utf8))
  }

  /// Writes one or more lines of text to standard error, without control characters.
  func complain(_ text: String) { writeError(Array("\(SafeText.lines(text))\n".utf8)) }

  /// Writes the reason of a failure to standard error, in one line.
  func complain(_ failure: Failure) { complain("placard: \(Table.printable(failure.message))") }
}

/// The reason that a command ends without success.
package struct Failure: Error, Hashable, Sendable {
  /// The exit statuses of `placard` other than 0.
  package enum Status: Int32, Sendable {
    /// The service or the system refused the operation.
    case refused = 1
    /// The command line is invalid.
    case usage = 2
    /// The service does not answer.
    case noService = 3
  }

  /// The exit status.
  package var status: Status
  /// The text for standard error; empty if the reason has already been printed.
  package var message: String

  /// Creates a failure.
  package init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
  }
}

extension Console {
  /// Returns the text of standard input, without the line break that the shell adds.
  func readText() throws(Failure) -> String {
    guard let input = String(validating: try readInput(), as: UTF8.self) else {
      throw Failure(.refused, "Standard input is not UTF-8: convert it, for example with iconv.")
    }
    return input.last?.isNewline == true ? String(input.dropLast()) : input
  }
}
