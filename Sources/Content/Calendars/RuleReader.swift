/// A parser for POSIX `TZ` rules, whose methods return nil for unexpected input.
struct RuleReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }
  var next: UInt8? { rest.first }

  /// Parses an abbreviation such as `CET` or, with digits and signs in angle brackets, `<+0545>`.
  mutating func name() -> String? {
    if consume("<") {
      let name = rest.prefix { $0 != UInt8(ascii: ">") }
      rest = rest[name.endIndex...]
      return consume(">") && name.count >= 3 ? String(decoding: name, as: UTF8.self) : nil
    }
    let name = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) && $0 < 0x80 }
    rest = rest[name.endIndex...]
    return name.count >= 3 ? String(decoding: name, as: UTF8.self) : nil
  }

  /// Parses `[+-]hh[:mm[:ss]]`; returns seconds.
  mutating func time(mostHours: Int) -> Int64? {
    let isNegative = consume("-")
    if !isNegative { _ = consume("+") }
    guard var time = number(0...mostHours).map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where consume(":") {
      guard let count = number(0...59) else { return nil }
      time += count * unit
    }
    return Int64(isNegative ? -time : time)
  }

  /// Parses a transition such as `,M3.5.0/2`, `,J60` or `,59`; the default time is 02:00.
  mutating func moment() -> YearlyTransition? {
    guard consume(","), let day = day() else { return nil }
    guard consume("/") else { return YearlyTransition(day: day, time: 7200) }
    return time(mostHours: 167).map { YearlyTransition(day: day, time: $0) }
  }

  private mutating func day() -> YearlyTransition.Day? {
    if consume("J") { return number(1...365).map { .withoutLeapDays($0) } }
    guard consume("M") else { return number(0...365).map { .withLeapDays($0) } }
    guard let month = number(1...12), consume("."), let week = number(1...5), consume("."), let day = number(0...6)
    else {
      return nil
    }
    return .weekday(day, week: week, month: month)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...4).contains(digits.count) else { return nil }
    rest = rest[digits.endIndex...]
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return range.contains(number) ? number : nil
  }

  private mutating func consume(_ mark: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
