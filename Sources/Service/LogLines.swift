import Glibc
import Logging

/// Writes the service's log to standard error: one line per event, whole lines only. A line that standard error does not
/// take at once is dropped and counted (`LineWriter`).
///
/// To the journal a line begins with its priority, `<4>`, which journald takes off and keeps (sd-daemon(3)), and has no
/// time, since journald writes its own. Elsewhere it begins with the time in UTC: the time zone's file is not read.
struct LogLines: LogHandler {
  /// The least level that is written: that of all loggers which share the threshold.
  var logLevel: Logger.Level {
    get { threshold.level }
    set { threshold.level = newValue }
  }
  /// Nothing of it is written: the service says all in its messages.
  var metadata: Logger.Metadata = [:]

  /// The newest lines, each with its time.
  let recent = RecentLines()

  private let threshold: LogThreshold
  private let writer: LineWriter
  private let isForJournal: Bool

  /// A log on standard error.
  init(_ threshold: LogThreshold) {
    self.init(threshold, writer: .standardError, isForJournal: Self.isStandardErrorTheJournal())
  }

  init(_ threshold: LogThreshold, writer: LineWriter, isForJournal: Bool) {
    self.threshold = threshold
    self.writer = writer
    self.isForJournal = isForJournal
  }

  /// One value of the metadata.
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes the event's line.
  func log(event: LogEvent) {
    recent.add(String(Self.line(event.level, event.message.description, at: time(nil)).dropLast()))
    writer.write(line(event.level, event.message.description), report: droppedReport)
  }

  /// How many lines were dropped since the log last reported them; 0 where standard error is read.
  func dropped() -> Int { writer.dropped(report: droppedReport) }

  private func droppedReport(_ count: Int) -> String {
    let lines = count == 1 ? "1 log line was" : "\(count) log lines were"
    return line(.warning, "\(lines) dropped: the reader of standard error did not take more")
  }

  private func line(_ level: Logger.Level, _ message: String) -> String {
    Self.line(level, message, at: isForJournal ? nil : time(nil))
  }

  /// The line of a message; with its time, or else with the journal's priority. What would end or garble the line (a
  /// monitor's name may hold anything) is left out of it.
  static func line(_ level: Logger.Level, _ message: String, at time: time_t?) -> String {
    let head = time.map { "\(utc($0)) \(level.rawValue): " } ?? "<\(level.priority)>"
    let text = message.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0 }
    return head + String(String.UnicodeScalarView(text)) + "\n"
  }

  /// `2026-01-31T23:59:58Z`.
  private static func utc(_ seconds: time_t) -> String {
    var seconds = seconds
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = unsafe "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return unsafe "\(day)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  /// systemd names the journal's socket by device and inode, so that one who was redirected elsewhere sees it.
  private static func isStandardErrorTheJournal() -> Bool {
    guard let stream = unsafe getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }
}

extension Logger.Level {
  /// Of syslog(3), as journald keeps it.
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
