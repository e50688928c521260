/// How a zone's clocks were and will be set: a list of changes, and a rule for the time after it.
struct ZoneHistory: Hashable {
  /// What clocks are set to.
  struct Clock: Hashable {
    /// Seconds ahead of UTC, at most 26 hours in either direction.
    var offset: Int64
    /// `CET`, or `+0545` where nobody has a word for it.
    var abbreviation: String
  }

  /// Moments at which the clocks were set, in their order.
  private let changes: [Int64]
  /// What they were set to then, by its place in `clocks`.
  private let settings: [UInt8]
  /// At least one; the first is that before the first change.
  private let clocks: [Clock]
  private let rule: YearlyRule?

  static let utc = ZoneHistory(changes: [], settings: [], clocks: [Clock(offset: 0, abbreviation: "UTC")], rule: nil)

  /// What the clocks are set to at a moment.
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

// TZif (RFC 9636, tzfile(5)): a header with six counts, then as many items of each kind. Since version 2 the same comes
// again with times of 64 bits, and a line with the rule for the time after the last change.
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
    let settings = Array(try reader.take(header.changes))
    let clocks = try Self.clocks(&reader, header)
    guard settings.allSatisfy({ $0 < clocks.count }) else { throw .content("a change to a clock that is not there") }
    try reader.skip(header.standardMarks + header.utcMarks)
    let rule = hasLongTimes ? try Self.rule(&reader) : nil
    self.init(changes: changes, settings: settings, clocks: clocks, rule: rule)
  }

  private struct Header {
    var version: UInt8
    var utcMarks, standardMarks, leapSeconds, changes, clocks, letters: Int

    init(_ reader: inout ByteReader) throws(ZoneFileError) {
      guard Array(try reader.take(4)) == Array("TZif".utf8) else { throw .content("no TZif header") }
      version = try reader.take(1).first ?? 0
      try reader.skip(15)
      utcMarks = Int(try reader.integer(bytes: 4))
      standardMarks = Int(try reader.integer(bytes: 4))
      leapSeconds = Int(try reader.integer(bytes: 4))
      changes = Int(try reader.integer(bytes: 4))
      clocks = Int(try reader.integer(bytes: 4))
      letters = Int(try reader.integer(bytes: 4))
      // The integers are signed here; a file that needs the upper half of their range is longer than any is let be.
      guard [utcMarks, standardMarks, leapSeconds, changes, letters].allSatisfy({ $0 >= 0 }), clocks > 0 else {
        throw .content("counts that cannot be")
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
    guard zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 }) else { throw .content("changes out of order") }
    return changes
  }

  private static func clocks(_ reader: inout ByteReader, _ header: Header) throws(ZoneFileError) -> [Clock] {
    try reader.expect(header.clocks * 6)
    var types: [(offset: Int64, name: Int)] = []
    for _ in 0..<header.clocks {
      let offset = try reader.integer(bytes: 4)
      try reader.skip(1)  // Whether it is summer time, which no clock shows.
      types.append((offset, Int(try reader.take(1).first ?? 0)))
    }
    let letters = try reader.take(header.letters)
    var clocks: [Clock] = []
    for type in types {
      guard (-mostOffset...mostOffset).contains(type.offset) else { throw .content("more than 26 hours from UTC") }
      let name = letters.dropFirst(type.name).prefix { $0 != 0 }
      clocks.append(Clock(offset: type.offset, abbreviation: String(decoding: name, as: UTF8.self)))
    }
    return clocks
  }

  /// RFC 9636, 3.2: less than 26 hours; 25 to the west.
  private static let mostOffset: Int64 = 26 * 3600

  private static func rule(_ reader: inout ByteReader) throws(ZoneFileError) -> YearlyRule? {
    let newline = UInt8(ascii: "\n")
    guard try reader.take(1).first == newline else { throw .content("no rule behind the changes") }
    let line = reader.rest.prefix { $0 != newline }
    guard line.count < reader.rest.count else { throw .content("a rule without an end") }
    guard !line.isEmpty else { return nil }
    guard let rule = YearlyRule(String(decoding: line, as: UTF8.self)) else {
      throw .content("the rule \(String(decoding: line, as: UTF8.self)), which cannot be read")
    }
    return rule
  }
}
