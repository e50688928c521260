import Synchronization

/// What was shown on which display, from when to when. All times are milliseconds since 1970.
public struct HistoryEntry: Hashable, Sendable {
  /// Names the entry for `ArchiveChange.ended`; ids are in the order of `began`.
  public let id: Int64
  /// The output's name, `HDMI-A-1`.
  public let display: String
  /// The monitor that was plugged in there.
  public let monitor: String
  /// The session that it belonged to.
  public let session: String
  /// What sort of thing it was.
  public let kind: String
  /// The thing itself, in a few words or as JSON.
  public let what: String
  /// When its first flip came.
  public let began: Int64
  /// When the flip of the next thing came, or the display went dark; nil while it is shown.
  public var ended: Int64?
  /// False where nobody saw the end (a crash, a power cut): `ended` is then the last time that the file tells of.
  public var isExact: Bool

  /// Something that is shown since `began`, with a new id.
  public init(display: String, monitor: String, session: String, kind: String, what: String, began: Int64) {
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

  /// The lowest id of entries that began at a time.
  ///
  /// 42 bits of time, so that new entries are stored at the end, and a range of time is a range of ids; 21 bits of chance,
  /// so that an id can be given while the file cannot be read, and a machine whose clock always starts at the same time
  /// does not give one twice.
  static func firstID(at time: Int64) -> Int64 { min(max(time, 0), 1 << 42 - 1) << chanceBits }

  /// An id that is above those of all entries that began at a time, and of none that began later.
  static func endID(after time: Int64) -> Int64 { time < 1 << 42 - 1 ? firstID(at: time + 1) : .max }

  private static let chanceBits: Int64 = 21

  /// Counts on from a number by chance: no two entries of a process are the same, and hardly two of different ones.
  private static let numbers = Atomic(Int64.random(in: 0..<1 << chanceBits))
}

/// Which part of the history is asked for.
struct HistoryQuery {
  /// Entries that were still shown after this time; milliseconds since 1970.
  var since: Int64?
  /// Entries that began before this time; milliseconds since 1970.
  var until: Int64?
  /// Entries of this output; nil for all.
  var display: String?
  /// At most so many, the newest.
  var limit: Int
  /// Entries whose ID is less; nil for all.
  var before: Int64?

  func matches(_ entry: HistoryEntry) -> Bool {
    if let since, let ended = entry.ended, ended <= since { return false }
    if let until, entry.began >= until { return false }
    if let before, entry.id >= before { return false }
    return display == nil || entry.display == display
  }
}
