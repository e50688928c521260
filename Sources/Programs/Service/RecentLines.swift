import Control
import Synchronization

/// The newest lines of the log, kept in memory for the page.
final class RecentLines: Sendable {
  private let kept = Mutex((lines: [String](), next: 0))

  /// The lines, oldest first.
  var lines: [String] { kept.withLock { Array($0.lines[$0.next...] + $0.lines[..<$0.next]) } }

  /// Adds a line, replacing the oldest one when the buffer is full.
  func add(_ line: String) {
    kept.withLock { kept in
      if kept.lines.count < LogReport.most {
        kept.lines.append(line)
      } else {
        kept.lines[kept.next] = line
        kept.next = (kept.next + 1) % LogReport.most
      }
    }
  }
}
