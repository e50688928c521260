/// A terminal for the exclusive use of a command: until it is closed, keys arrive at once and are not echoed.
package protocol Terminal: Sendable {
  /// The current size.
  var size: TerminalSize { get }
  /// The input and other events of the terminal, for one consumer at a time.
  var terminalEvents: AsyncStream<TerminalEvent> { get }

  /// Writes all bytes before it returns.
  func write(_ bytes: [UInt8]) throws(Failure)
  /// Restores the terminal's previous state; further calls have no effect.
  func close()
}

/// An event of a terminal.
package enum TerminalEvent: Hashable, Sendable {
  /// Keys, and the terminal's answers to queries. Ctrl-C is the byte 3.
  case input([UInt8])
  /// The terminal's size has changed.
  case resized
  /// The program must end: because of SIGTERM, SIGINT from another program, SIGHUP, or the end of the input.
  case ended
}

/// The size of a terminal.
package struct TerminalSize: Hashable, Sendable {
  /// The width in cells.
  package var columns: Int
  /// The height in cells.
  package var rows: Int
  /// The width in pixels; 0 if the terminal does not report it.
  package var width: Int
  /// The height in pixels; 0 if the terminal does not report it.
  package var height: Int

  /// Creates a size.
  package init(columns: Int, rows: Int, width: Int = 0, height: Int = 0) {
    self.columns = columns
    self.rows = rows
    self.width = width
    self.height = height
  }
}
