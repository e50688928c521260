/// A date and a time as somebody writes them: `2026-12-31T23:59`, with seconds and an offset from UTC if need be.
public struct DateTime: Hashable, Sendable {
  /// The day.
  public let date: CivilDate
  /// Seconds from midnight on the clock, 0 to 86399.
  public let secondOfDay: Int
  /// Seconds ahead of UTC; nil where the time is that of some zone's clocks.
  public let utcOffset: Int?

  /// The beginning of 1970 in UTC.
  public static let epoch = DateTime(date: CivilDate(days: 0), secondOfDay: 0, utcOffset: 0)

  private init(date: CivilDate, secondOfDay: Int, utcOffset: Int?) {
    self.date = date
    self.secondOfDay = secondOfDay
    self.utcOffset = utcOffset
  }

  /// Seconds since the beginning of 1970 as if the clocks were UTC's.
  var local: Int64 { date.days * 86400 + Int64(secondOfDay) }

  /// Reads the forms of RFC 3339 and ISO 8601 that people use: a date `2026-12-31`, then behind `T` or a space a time
  /// `23:59` or `23:59:30`, then `Z` or an offset `+01:00`, `+0100` or `+01`. A date alone is its beginning.
  public init(_ text: String) throws(DateTimeError) {
    var reader = DateReader(text)
    guard let year = reader.number(digits: 4), reader.take("-"), let month = reader.number(digits: 2), reader.take("-"),
      let day = reader.number(digits: 2)
    else { throw .form(text) }
    guard (1...12).contains(month), (1...CivilDate.length(ofMonth: month, in: year)).contains(day) else {
      throw .value(text, "there is no such day")
    }
    date = CivilDate(year: year, month: month, day: day)
    guard reader.take("T") || reader.take("t") || reader.take(" ") else {
      guard reader.isAtEnd else { throw .form(text) }
      (secondOfDay, utcOffset) = (0, nil)
      return
    }
    guard let second = reader.timeOfDay() else { throw .form(text) }
    guard second.isReal else {
      throw .value(text, "times go from 00:00 to 23:59:59; midnight is 00:00 of the next day")
    }
    secondOfDay = second.count
    guard !reader.isAtEnd else {
      utcOffset = nil
      return
    }
    guard let offset = reader.offset(), reader.isAtEnd else { throw .form(text) }
    utcOffset = offset
  }
}

extension DateTime: CustomStringConvertible {
  /// `2026-12-31T23:59:00+01:00`, which is read as the same again; the offset is `Z` for none, and left out where the
  /// time is that of some zone.
  public var description: String {
    let year = String(repeating: "0", count: max(0, 4 - "\(date.year)".count)) + "\(date.year)"
    let day = "\(year)-\(twoDigits(date.month))-\(twoDigits(date.day))"
    return "\(day)T\(clock(secondOfDay)):\(twoDigits(secondOfDay % 60))\(utcOffset.map(offset) ?? "")"
  }

  private func clock(_ seconds: Int) -> String { "\(twoDigits(seconds / 3600)):\(twoDigits(seconds / 60 % 60))" }

  private func offset(_ seconds: Int) -> String {
    seconds == 0 ? "Z" : (seconds < 0 ? "-" : "+") + clock(abs(seconds))
  }
}

/// Why a text is no date and time.
public enum DateTimeError: Error, Hashable, Sendable {
  /// It is not written as one.
  case form(String)
  /// It is written as one, but no calendar or clock has it, for this reason.
  case value(String, String)
}

extension DateTimeError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .form(let text):
      "\"\(text)\" is no date and time: write it like 2026-12-31T23:59, 2026-12-31T23:59:30 or 2026-12-31T23:59+01:00"
    case .value(let text, let reason): "\"\(text)\" cannot be: \(reason)"
    }
  }
}

/// Takes a date and time apart; each of its methods is nil where something else stands there.
private struct DateReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func number(digits: Int) -> Int? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    rest = rest.dropFirst(digits)
    return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// `23:59` or `23:59:30`, and whether a clock shows it.
  mutating func timeOfDay() -> (count: Int, isReal: Bool)? {
    guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2) else { return nil }
    var second = 0
    if take(":") {
      guard let number = number(digits: 2) else { return nil }
      second = number
    }
    return ((hour * 60 + minute) * 60 + second, hour < 24 && minute < 60 && second < 60)
  }

  /// `Z`, `+01:00`, `+0100` or `+01`, in seconds.
  mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+"), let hours = number(digits: 2), hours < 24 else { return nil }
    var minutes = 0
    if take(":") || !isAtEnd {
      guard let number = number(digits: 2), number < 60 else { return nil }
      minutes = number
    }
    let seconds = (hours * 60 + minutes) * 60
    return isWest ? -seconds : seconds
  }
}
