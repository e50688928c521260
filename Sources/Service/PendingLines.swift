/// The lines of a log whose reader may be slow: a line that does not fit is dropped and counted. No line is ever merged
/// with another: the rest of a line that was written in part goes first.
struct PendingLines: Sendable {
  /// What has not been written of a line that was written in part.
  private var rest: ArraySlice<UInt8> = []
  /// How many lines were dropped since the last report of dropped lines.
  private(set) var dropped = 0

  /// Writes a line, or drops it.
  ///
  /// - Parameters:
  ///   - line: The line with its newline.
  ///   - report: Makes the line that reports how many lines were dropped. It is written before the next line that fits.
  ///   - write: Writes what fits of some bytes without waiting, and returns how many bytes were written.
  mutating func add(_ line: [UInt8], report: (Int) -> [UInt8], write: (ArraySlice<UInt8>) -> Int) {
    flush(report: report, write: write)
    guard rest.isEmpty, dropped == 0, put(line, write) else {
      dropped += 1
      return
    }
  }

  /// Writes the rest of a cut line, then the report of dropped lines.
  ///
  /// - Parameters:
  ///   - report: Makes the line that reports how many lines were dropped.
  ///   - write: Writes what fits of some bytes without waiting, and returns how many bytes were written.
  mutating func flush(report: (Int) -> [UInt8], write: (ArraySlice<UInt8>) -> Int) {
    if !rest.isEmpty { rest = rest.dropFirst(write(rest)) }
    if rest.isEmpty, dropped > 0, put(report(dropped), write) { dropped = 0 }
  }

  /// Returns whether any byte of the line was written. What was not becomes the rest.
  private mutating func put(_ line: [UInt8], _ write: (ArraySlice<UInt8>) -> Int) -> Bool {
    let count = write(line[...])
    guard count > 0 else { return false }
    rest = line[...].dropFirst(count)
    return true
  }
}
