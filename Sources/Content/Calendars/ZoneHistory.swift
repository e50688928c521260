/// The past and future offsets of a zone: a list of transitions, and a rule for the time after the last one.
struct ZoneHistory: Hashable {
  /// An offset and its abbreviation.
  struct Clock: Hashable {
    /// The offset from UTC in seconds, positive to the east; at most 26 hours in either direction.
    var offset: Int64
    /// The abbreviation, such as `CET`; the numeric offset, such as `+0545`, for zones without one.
    var abbreviation: String
  }

  /// The times of the transitions, in ascending order.
  private let changes: [Int64]
  /// The index in `clocks` that each transition changes to.
  private let settings: [UInt8]
  /// The offsets, at least one; the first one applies before the first transition.
  private let clocks: [Clock]
  private let rule: YearlyRule?

  static let utc = ZoneHistory(changes: [], settings: [], clocks: [Clock(offset: 0, abbreviation: "UTC")], rule: nil)

  /// Returns the offset and abbreviation in effect at a point in time.
  func clock(at seconds: Int64) -> Clock {
    if let rule, changes.last.map({ seconds >= $0 }) ?? true { return rule.clock(at: seconds) }
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return clocks[low > 0 ? Int(settings[low - 1]) : 0]
  }
}

// TZif (RFC 9636, tzfile(5)): a header with six counts, followed by the items of each kind. Since version 2, a second
// header and items with 64-bit times follow, and then a line with the rule for the time after the last transition.
extension ZoneHistory {
  init(_ bytes: [UInt8]) throws(ZoneFileError) {
    var reader = ByteReader(bytes)
    var header = try Header(&reader)
    let hasLongTimes = header.version >= UInt8(ascii: "2")
    if hasLongTimes {
      try reader.skip(header.size(timeBytes: 4))
      header = try Header(&reader)
    }
    guard header.leapSeconds == 0 else { throw .leapSeconds }
    let timeBytes = hasLongTimes ? 8 : 4
    let changes = try Self.changes(&reader, header, timeBytes)
    let settings = Array(try reader.read(header.changes))
    let clocks = try Self.clocks(&reader, header)
    guard settings.allSatisfy({ $0 < clocks.count }) else { throw .content("a transition to an undefined time type") }
    try reader.skip(header.standardMarks + header.utcMarks)
    let rule = hasLongTimes ? try Self.rule(&reader) : nil
    self.init(changes: changes, settings: settings, clocks: clocks, rule: rule)
  }

  private struct Header {
    var version: UInt8
    var utcMarks, standardMarks, leapSeconds, changes, clocks, letters: Int

    init(_ reader: inout ByteReader) throws(ZoneFileError) {
      guard Array(try reader.read(4)) == Array("TZif".utf8) else { throw .content("no TZif header") }
      version = try reader.read(1).first ?? 0
      try reader.skip(15)
      utcMarks = Int(try reader.integer(bytes: 4))
      standardMarks = Int(try reader.integer(bytes: 4))
      leapSeconds = Int(try reader.integer(bytes: 4))
      changes = Int(try reader.integer(bytes: 4))
      clocks = Int(try reader.integer(bytes: 4))
      letters = Int(try reader.integer(bytes: 4))
      // The counts are unsigned in the file. Values with the high bit set are rejected: no real file is that large.
      guard [utcMarks, standardMarks, leapSeconds, changes, letters].allSatisfy({ $0 >= 0 }), clocks > 0 else {
        throw .content("invalid counts in its header")
      }
    }

    func size(timeBytes: Int) -> Int {
      changes * (timeBytes + 1) + clocks * 6 + letters + leapSeconds * (timeBytes + 4) + standardMarks + utcMarks
    }
  }

  private static func changes(
    _ reader: inout ByteReader, _ header: Header, _ timeBytes: Int
  ) throws(ZoneFileError) -> [Int64] {
    try reader.expect(header.changes * timeBytes)
    var changes: [Int64] = []
    for _ in 0..<header.changes { changes.append(try reader.integer(bytes: timeBytes)) }
    guard zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 }) else { throw .content("transitions out of order") }
    return changes
  }

  private static func clocks(_ reader: inout ByteReader, _ header: Header) throws(ZoneFileError) -> [Clock] {
    try reader.expect(header.clocks * 6)
    var types: [(offset: Int64, name: Int)] = []
    for _ in 0..<header.clocks {
      let offset = try reader.integer(bytes: 4)
      try reader.skip(1)  // The daylight saving time flag, which is not displayed.
      types.append((offset, Int(try reader.read(1).first ?? 0)))
    }
    let letters = try reader.read(header.letters)
    var clocks: [Clock] = []
    for type in types {
      guard (-mostOffset...mostOffset).contains(type.offset) else { throw .content("an offset of more than 26 hours") }
      let name = letters.dropFirst(type.name).prefix { $0 != 0 }
      clocks.append(Clock(offset: type.offset, abbreviation: String(decoding: name, as: UTF8.self)))
    }
    return clocks
  }

  /// The limit of the offset: RFC 9636, section 3.2, recommends less than 25 hours to the west and 26 hours to the
  /// east.
  private static let mostOffset: Int64 = 26 * 3600

  private static func rule(_ reader: inout ByteReader) throws(ZoneFileError) -> YearlyRule? {
    let newline = UInt8(ascii: "\n")
    guard try reader.read(1).first == newline else { throw .content("no rule after its transitions") }
    let line = reader.rest.prefix { $0 != newline }
    guard line.count < reader.rest.count else { throw .content("a rule without a newline at its end") }
    guard !line.isEmpty else { return nil }
    guard let rule = YearlyRule(String(decoding: line, as: UTF8.self)) else {
      throw .content("the rule \(String(decoding: line, as: UTF8.self)), which is not valid")
    }
    return rule
  }
}
