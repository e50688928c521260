/// The lines of a log whose reader may be slow: a line that does not fit is dropped and counted.
///
/// Lines are never merged: the rest of a partly written line is written first.
struct PendingLines: Sendable {
  /// The unwritten rest of a partly written line.
  private var rest: ArraySlice<UInt8> = []
  /// The number of lines dropped since the last report of dropped lines.
  private(set) var dropped = 0

  /// Writes a line, or drops it.
  ///
  /// - Parameters:
  ///   - line: The line with its newline.
  ///   - report: Returns the line that reports the number of dropped lines. It is written before the next line that
  ///     fits.
  ///   - write: Writes as many of the bytes as possible without blocking, and returns their number.
  mutating func add(_ line: [UInt8], report: (Int) -> [UInt8], write: (ArraySlice<UInt8>) -> Int) {
    flush(report: report, write: write)
    guard rest.isEmpty, dropped == 0, put(line, write) else {
      dropped += 1
      return
    }
  }

  /// Writes the rest of a partly written line, then the report of dropped lines.
  ///
  /// - Parameters:
  ///   - report: Returns the line that reports the number of dropped lines.
  ///   - write: Writes as many of the bytes as possible without blocking, and returns their number.
  mutating func flush(report: (Int) -> [UInt8], write: (ArraySlice<UInt8>) -> Int) {
    if !rest.isEmpty { rest = rest.dropFirst(write(rest)) }
    if rest.isEmpty, dropped > 0, put(report(dropped), write) { dropped = 0 }
  }

  /// Writes a line, keeps its unwritten rest, and returns whether any byte was written.
  private mutating func put(_ line: [UInt8], _ write: (ArraySlice<UInt8>) -> Int) -> Bool {
    let count = write(line[...])
    guard count > 0 else { return false }
    rest = line[...].dropFirst(count)
    return true
  }
}
