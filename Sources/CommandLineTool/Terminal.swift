/// A terminal that a command has to itself: keys come at once and are not echoed, until it is closed.
public protocol Terminal: Sendable {
  /// How large it is now.
  var size: TerminalSize { get }
  /// What is typed, and what else happens. For one consumer at a time.
  var happenings: AsyncStream<TerminalHappening> { get }

  /// Draws, all of it, at once.
  func write(_ bytes: [UInt8]) throws(Failure)
  /// Gives the terminal back as it was. Doing so twice is harmless.
  func close()
}

/// What happens at a terminal.
public enum TerminalHappening: Hashable, Sendable {
  /// Keys, and the terminal's answers to questions. Ctrl-C comes as the byte 3.
  case input([UInt8])
  /// It has another size.
  case resized
  /// The program is asked to end (SIGTERM, SIGINT of another program), or nobody is there any more (SIGHUP).
  case ended
}

/// How large a terminal is.
public struct TerminalSize: Hashable, Sendable {
  /// Cells across.
  public var columns: Int
  /// Cells down.
  public var rows: Int
  /// Pixels across; 0 where the terminal does not tell.
  public var width: Int
  /// Pixels down; 0 where the terminal does not tell.
  public var height: Int

  /// A size from its parts.
  public init(columns: Int, rows: Int, width: Int = 0, height: Int = 0) {
    self.columns = columns
    self.rows = rows
    self.width = width
    self.height = height
  }
}
