import Synchronization

/// A record of what was shown on a display, and when. All times are in milliseconds since 1970.
package struct HistoryEntry: Hashable, Sendable {
  /// The identifier for `ArchiveChange.ended`; IDs are in the order of `began`.
  package let id: Int64
  /// The name of the output, such as `HDMI-A-1`.
  package let display: String
  /// The monitor that was connected.
  package let monitor: String
  /// The session of the content.
  package let session: String
  /// The kind of content.
  package let kind: String
  /// The content, as a short text or as JSON.
  package let what: String
  /// The time of the first page flip.
  package let began: Int64
  /// The time of the next content's page flip, or when the display went dark; nil while it is shown.
  package var ended: Int64?
  /// Whether the end was observed. If not (a crash, a power loss), `ended` is the latest time recorded in the file.
  package var isExact: Bool

  /// Creates an entry that is shown since `began`, with a new ID.
  package init(display: String, monitor: String, session: String, kind: String, what: String, began: Int64) {
    let number = Self.numbers.wrappingAdd(1, ordering: .relaxed).oldValue
    let id = Self.firstID(at: began) | number & (1 << Self.chanceBits - 1)
    self.init(id: id, display: display, monitor: monitor, session: session, kind: kind, what: what, began: began)
  }

  init(
    id: Int64, display: String, monitor: String, session: String, kind: String, what: String, began: Int64,
    ended: Int64? = nil, isExact: Bool = true
  ) {
    self.id = id
    self.display = display
    self.monitor = monitor
    self.session = session
    self.kind = kind
    self.what = what
    self.began = began
    self.ended = ended
    self.isExact = isExact
  }

  /// Returns the lowest ID of entries that began at a time.
  ///
  /// An ID has 42 bits of time, so new entries are appended at the end and a time range is an ID range. It has 21
  /// random bits, so IDs can be assigned while the file cannot be read. They also prevent repeated IDs on a machine
  /// whose clock always starts at the same time.
  ///
  /// - Parameter time: The time, in milliseconds since 1970, clamped to 42 bits.
  /// - Returns: The ID.
  static func firstID(at time: Int64) -> Int64 { min(max(time, 0), 1 << 42 - 1) << chanceBits }

  /// Returns an ID above those of all entries that began at a time, and below those of later ones.
  static func endID(after time: Int64) -> Int64 { time < 1 << 42 - 1 ? firstID(at: time + 1) : .max }

  private static let chanceBits: Int64 = 21

  /// A counter with a random start: IDs are unique in a process and very likely across processes.
  private static let numbers = Atomic(Int64.random(in: 0..<1 << chanceBits))
}

/// A query for a part of the history.
struct HistoryQuery {
  /// Only entries still shown after this time, in milliseconds since 1970.
  var since: Int64?
  /// Only entries that began before this time, in milliseconds since 1970.
  var until: Int64?
  /// Only entries of this output; nil for all.
  var display: String?
  /// The maximum number of entries, the newest first.
  var limit: Int
  /// Only entries with a lower ID; nil for all.
  var before: Int64?

  func matches(_ entry: HistoryEntry) -> Bool {
    if let since, let ended = entry.ended, ended <= since { return false }
    if let until, entry.began >= until { return false }
    if let before, entry.id >= before { return false }
    return display == nil || entry.display == display
  }
}
