import Primitives

/// A date and time in written form, such as `2026-12-31T23:59`, with optional seconds and UTC offset.
package struct DateTime: Hashable, Sendable {
  /// The date.
  package let date: CivilDate
  /// The seconds since midnight, 0 to 86399.
  package let secondOfDay: Int
  /// The offset from UTC in seconds, positive to the east; nil for a local time in an unspecified zone.
  package let utcOffset: Int?

  /// The beginning of 1970 in UTC.
  package static let epoch = DateTime(date: CivilDate(days: 0), secondOfDay: 0, utcOffset: 0)

  /// Creates a date and time from a number of seconds since the beginning of 1970.
  ///
  /// - Parameters:
  ///   - local: The seconds since the beginning of 1970, ignoring the offset.
  ///   - utcOffset: The offset from UTC in seconds; nil for a local time in an unspecified zone.
  package init(local: Int64, utcOffset: Int? = nil) {
    self.init(
      date: CivilDate(days: floorDivide(local, 86400)), secondOfDay: Int(floorModulo(local, 86400)),
      utcOffset: utcOffset)
  }

  private init(date: CivilDate, secondOfDay: Int, utcOffset: Int?) {
    self.date = date
    self.secondOfDay = secondOfDay
    self.utcOffset = utcOffset
  }

  /// The seconds since the beginning of 1970, ignoring the offset.
  package var local: Int64 { date.days * 86400 + Int64(secondOfDay) }

  /// Parses the common formats of RFC 3339 and ISO 8601.
  ///
  /// - Parameter text: A date `2026-12-31`, optionally followed by `T` or a space and a time `23:59` or `23:59:30`,
  ///   then optionally by `Z` or an offset `+01:00`, `+0100` or `+01`. A date without a time is the beginning of its
  ///   day.
  /// - Throws: `DateTimeError`.
  package init(_ text: String) throws(DateTimeError) {
    var reader = DateReader(text)
    guard let year = reader.number(digits: 4), reader.consume("-"), let month = reader.number(digits: 2),
      reader.consume("-"),
      let day = reader.number(digits: 2)
    else { throw .form(text) }
    guard (1...12).contains(month), (1...CivilDate.length(ofMonth: month, in: year)).contains(day) else {
      throw .value(text, "there is no such day")
    }
    date = CivilDate(year: year, month: month, day: day)
    guard reader.consume("T") || reader.consume("t") || reader.consume(" ") else {
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
  /// The canonical form, such as `2026-12-31T23:59:00+01:00`, which parses to an equal value.
  ///
  /// The offset is `Z` for 0, and omitted if it is nil.
  package var description: String {
    let year = String(repeating: "0", count: max(0, 4 - "\(date.year)".count)) + "\(date.year)"
    let day = "\(year)-\(twoDigits(date.month))-\(twoDigits(date.day))"
    return "\(day)T\(clock(secondOfDay)):\(twoDigits(secondOfDay % 60))\(utcOffset.map(offset) ?? "")"
  }

  private func clock(_ seconds: Int) -> String { "\(twoDigits(seconds / 3600)):\(twoDigits(seconds / 60 % 60))" }

  private func offset(_ seconds: Int) -> String {
    seconds == 0 ? "Z" : (seconds < 0 ? "-" : "+") + clock(abs(seconds))
  }
}

/// The reason why a text is not a valid date and time.
package enum DateTimeError: Error, Hashable, Sendable {
  /// The text is not in a known format.
  case form(String)
  /// The text is in a known format, but the date or time does not exist; the second value is the reason.
  case value(String, String)
}

extension DateTimeError: CustomStringConvertible {
  /// The error as one readable sentence.
  package var description: String {
    switch self {
    case .form(let text):
      "\"\(text)\" is not a date and time: write it like 2026-12-31T23:59, 2026-12-31T23:59:30 or "
        + "2026-12-31T23:59+01:00"
    case .value(let text, let reason): "\"\(text)\" is not valid: \(reason)"
    }
  }
}

/// A parser for dates and times, whose methods return nil for unexpected input.
private struct DateReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func consume(_ mark: Unicode.Scalar) -> Bool {
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

  /// Parses `23:59` or `23:59:30`, and checks that this time of day exists.
  mutating func timeOfDay() -> (count: Int, isReal: Bool)? {
    guard let hour = number(digits: 2), consume(":"), let minute = number(digits: 2) else { return nil }
    var second = 0
    if consume(":") {
      guard let number = number(digits: 2) else { return nil }
      second = number
    }
    return ((hour * 60 + minute) * 60 + second, hour < 24 && minute < 60 && second < 60)
  }

  /// Parses `Z`, `+01:00`, `+0100` or `+01`; returns seconds.
  mutating func offset() -> Int? {
    if consume("Z") || consume("z") { return 0 }
    let isWest = consume("-")
    guard isWest || consume("+"), let hours = number(digits: 2), hours < 24 else { return nil }
    var minutes = 0
    if consume(":") || !isAtEnd {
      guard let number = number(digits: 2), number < 60 else { return nil }
      minutes = number
    }
    let seconds = (hours * 60 + minutes) * 60
    return isWest ? -seconds : seconds
  }
}
