import CLinux
import Control
import Glibc
import Logging

/// A log handler that writes one whole line per event to standard error.
///
/// A line that standard error does not accept immediately is dropped and counted (`LineWriter`). For the journal, a
/// line starts with its priority such as `<4>`, which journald removes and stores (sd-daemon(3)). It has no time,
/// because journald adds its own. Otherwise it starts with the time in UTC, so that the time zone file is not needed.
struct LogLines: LogHandler {
  /// The minimum level to write, shared by all loggers with the same threshold.
  var logLevel: Logger.Level {
    get { threshold.level }
    set { threshold.level = newValue }
  }
  /// The metadata, which is not written: all information is in the messages.
  var metadata: Logger.Metadata = [:]

  /// The newest lines, each with its time.
  let recent = RecentLines()

  private let threshold: LogThreshold
  private let writer: LineWriter
  private let isForJournal: Bool

  /// Creates a log on standard error.
  init(_ threshold: LogThreshold) {
    self.init(threshold, writer: .standardError, isForJournal: Self.isStandardErrorTheJournal())
  }

  init(_ threshold: LogThreshold, writer: LineWriter, isForJournal: Bool) {
    self.threshold = threshold
    self.writer = writer
    self.isForJournal = isForJournal
  }

  /// The value of one metadata key.
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes the line of an event.
  func log(event: LogEvent) {
    let (level, message) = (event.level, event.message.description)
    let dated = Self.line(level, message, at: time(nil))
    recent.add(String(dated.dropLast()))
    writer.write(isForJournal ? Self.line(level, message, at: nil) : dated, report: droppedReport)
  }

  /// Returns the number of lines dropped since the log last reported them; 0 if standard error is being read.
  func dropped() -> Int { writer.dropped(report: droppedReport) }

  private func droppedReport(_ count: Int) -> String {
    let lines = count == 1 ? "1 log line was" : "\(count) log lines were"
    return line(.warning, "\(lines) dropped: standard error was not read fast enough")
  }

  private func line(_ level: Logger.Level, _ message: String) -> String {
    Self.line(level, message, at: isForJournal ? nil : time(nil))
  }

  /// Formats the line of a message, with a time or with the journal's priority.
  ///
  /// Control characters are replaced with spaces, because they could end or garble the line (a monitor name can contain
  /// anything).
  ///
  /// - Parameters:
  ///   - level: The level of the message.
  ///   - message: The message.
  ///   - time: The time, in seconds since 1970; nil for the journal.
  /// - Returns: The line, with its newline.
  static func line(_ level: Logger.Level, _ message: String, at time: time_t?) -> String {
    let head = time.map { "\(utc($0)) \(level.rawValue): " } ?? "<\(level.priority)>"
    let text = message.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0 }
    return head + String(String.UnicodeScalarView(text)) + "\n"
  }

  /// Formats a time as `2026-01-31T23:59:58Z`. gmtime_r(3) would read the time zone file first.
  private static func utc(_ seconds: time_t) -> String {
    "\(Timestamp(milliseconds: Int64(seconds) * 1000).utc.prefix(19))Z"
  }

  /// Compares with systemd's JOURNAL_STREAM, the device and inode of the journal's socket, which reveals a redirection.
  private static func isStandardErrorTheJournal() -> Bool {
    guard let stream = unsafe getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }
}

extension Logger.Level {
  /// The priority of syslog(3), as stored by journald.
  fileprivate var priority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
