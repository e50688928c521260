/// How much history is kept. Documents are never pruned: whoever puts them removes them.
public struct ArchiveLimits: Hashable, Sendable {
  /// Entries that ended longer ago are removed.
  public var historyDays: Int
  /// The oldest entries are removed while the file is larger.
  public var bytes: Int

  /// Limits from their parts: 90 days and 64 MB where nothing else is said.
  public init(historyDays: Int = 90, bytes: Int = 64 << 20) {
    self.historyDays = historyDays
    self.bytes = bytes
  }
}
