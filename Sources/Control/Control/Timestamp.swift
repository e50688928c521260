import Calendars

/// A point in time, for programs and for people.
public struct Timestamp: Codable, Hashable, Sendable {
  /// The time in milliseconds since the beginning of 1970, UTC.
  public var milliseconds: Int64
  /// The same time in ISO 8601 format, such as `2026-11-21T16:01:38.123Z`.
  public var utc: String

  /// Creates the time from milliseconds since the beginning of 1970, UTC.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let clock = Zone.utc.civil(atSeconds: rest < 0 ? seconds - 1 : seconds)
    var text: [UInt8] = []
    Self.append(clock.year, 4, "-", to: &text)
    Self.append(clock.month, 2, "-", to: &text)
    Self.append(clock.day, 2, "T", to: &text)
    Self.append(clock.hour, 2, ":", to: &text)
    Self.append(clock.minute, 2, ":", to: &text)
    Self.append(clock.second, 2, ".", to: &text)
    Self.append(Int(rest < 0 ? rest + 1000 : rest), 3, "Z", to: &text)
    utc = String(decoding: text, as: UTF8.self)
  }

  /// Parses milliseconds since 1970, or a date and time in ISO 8601 format (see `DateTime`).
  ///
  /// A fraction of a second is accepted. Without an offset, the time is UTC.
  ///
  /// - Parameter text: The text.
  /// - Throws: `ControlError` of kind `invalid` that describes the expected format.
  public init(parsing text: String) throws(ControlError) {
    if let milliseconds = Int64(text) {
      self.init(milliseconds: milliseconds)
      return
    }
    let (whole, fraction) = Self.parts(text)
    do throws(DateTimeError) {
      let seconds = Zone.utc.seconds(of: try DateTime(whole))
      self.init(milliseconds: seconds * 1000 + fraction)
    } catch {
      throw ControlError(.invalid, "\(error).")
    }
  }

  /// Splits a time into the text without its fraction of a second, and the fraction in milliseconds.
  private static func parts(_ text: String) -> (whole: String, milliseconds: Int64) {
    guard let point = text.firstIndex(of: "."), text.contains(":") else { return (text, 0) }
    let rest = text[text.index(after: point)...]
    let fraction = rest.prefix { $0.isASCII && $0.isNumber }
    guard let milliseconds = Int64((fraction + "000").prefix(3)), !fraction.isEmpty else { return (text, 0) }
    return (String(text[..<point] + rest.dropFirst(fraction.count)), milliseconds)
  }

  /// Appends a number with leading zeros, and the ASCII character after it.
  private static func append(_ number: Int, _ count: Int, _ end: Unicode.Scalar, to text: inout [UInt8]) {
    let digits = String(number.magnitude).utf8
    if number < 0 { text.append(UInt8(ascii: "-")) }
    for _ in 0..<max(0, count - digits.count) { text.append(UInt8(ascii: "0")) }
    text += digits
    text.append(UInt8(ascii: end))
  }
}

extension Timestamp: InterfaceObject {
  package static let interface = Interface.report(
    "Timestamp", "A point in time, for programs and for people.",
    [
      field("milliseconds", \.milliseconds, "The time in milliseconds since the beginning of 1970, UTC."),
      field("utc", \.utc, "The same time in ISO 8601 format.", .example("2026-11-21T16:01:38.123Z")),
    ])
}
