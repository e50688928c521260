import Geometry
import Glibc
import Layout

/// The time to a process's first frame.
///
/// It includes loading libraries, opening fonts and touching memory.
enum FirstFrame {
  /// Returns the time in this process in microseconds.
  ///
  /// The process must not have drawn before.
  static func here(_ metrics: DisplayMetrics) throws -> Double {
    try Stopwatch.time { try Subject(metrics).show(Texts.banner) }
  }

  /// Returns the median over fresh processes in microseconds, or nil if one of them cannot be started.
  static func fresh(_ size: Size, times: Int) -> Double? {
    let each = (0..<times).compactMap { _ in
      output(of: [CommandLine.arguments[0], "first", "\(size)"]).flatMap(Double.init)
    }
    return each.count == times ? Stopwatch.median(each) : nil
  }

  private static func output(of command: [String]) -> String? {
    guard let pipe = unsafe popen(command.joined(separator: " "), "r") else { return nil }
    defer { unsafe pclose(pipe) }
    var line = [CChar](repeating: 0, count: 64)
    guard unsafe fgets(&line, 63, pipe) != nil else { return nil }
    return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
