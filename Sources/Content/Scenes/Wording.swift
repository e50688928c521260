import Calendars
import Locales

/// The words for numbers, dates and times in the language of a scene.
///
/// Without a language, and without ICU, they are English.
struct Wording {
  /// The formats of all languages.
  let formats: LocaleFormats
  /// The language; nil for English as it is written in most countries, without ICU.
  let language: Language?

  /// Whether the language is written from right to left, in the script that it usually has.
  var isRightToLeft: Bool {
    let code = language?.tag.prefix { $0 != "-" }.lowercased() ?? ""
    return ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"].contains(code)
  }

  /// The reason why the words are not in the language, as a sentence; nil if they are.
  var warning: String? {
    guard let language else { return nil }
    switch formats.knows(language) {
    case true?: return nil
    case false?: return "ICU does not know the language \(language.tag); choose another one, like de or en-GB"
    case nil:
      return "dates and numbers are English: they need \(LocaleFormats.library), which is in the Debian package "
        + LocaleFormats.debianPackage
    }
  }

  /// The time of day, such as `14:05` or `2:05 pm`.
  func clock(_ time: CivilTime, _ cycle: HourCycle, seconds: Bool) -> String {
    let skeleton = (cycle == .hours24 ? "Hm" : "hm") + (seconds ? "s" : "")
    guard let language, let text = formats.date(time.local, skeleton, in: language) else {
      return time.clock(cycle, seconds: seconds)
    }
    // Some languages have a narrow space before the part of the day, which the layout of a clock looks for.
    return String(text.map { $0 == "\u{202F}" || $0 == "\u{A0}" ? " " : $0 })
  }

  /// The date, such as `Saturday, 21 November 2026`.
  func date(_ time: CivilTime) -> String {
    language.flatMap { formats.date(time.local, "yMMMMEEEEd", in: $0) } ?? time.date.words
  }

  /// The remaining time, such as `3 days 04:05:06`.
  func timeLeft(_ seconds: Int64, hasSeconds: Bool) -> String {
    let seconds = max(0, seconds)
    let counted = hasSeconds ? seconds : (seconds + 59) / 60 * 60
    let (days, rest) = counted.quotientAndRemainder(dividingBy: 86400)
    let parts = hasSeconds ? [rest / 3600, rest / 60 % 60, rest % 60] : [rest / 3600, rest / 60 % 60]
    let digits = parts.compactMap { part in
      language.flatMap { formats.number("\(part)", "integer-width/*00", in: $0) }
    }
    let words = days == 0 ? "" : language.flatMap { formats.number("\(days)", "unit/day unit-width-full-name", in: $0) }
    guard digits.count == parts.count, let words else {
      return hasSeconds ? TimeLeft.words(seconds: seconds) : TimeLeft.words(minutesOf: seconds)
    }
    return (words.isEmpty ? "" : words + " ") + digits.joined(separator: ":")
  }

  /// A number with its unit.
  ///
  /// - Parameters:
  ///   - decimal: The number in ASCII.
  ///   - digits: The number of digits after the point; nil for those that the number has.
  ///   - unit: The unit; nil for none.
  ///   - isShare: Whether the number is a share of 1 to show in percent.
  /// - Returns: The text.
  func number(_ decimal: String, digits: Int? = nil, unit: String? = nil, isShare: Bool = false) -> String {
    let given = decimal.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).dropFirst().first
    let isPlain = !decimal.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
    var skeleton = ".#########"
    if let count = digits ?? (isShare ? 0 : isPlain ? min(given?.count ?? 0, 9) : nil) {
      skeleton = "." + String(repeating: "0", count: count)
    }
    if isShare { skeleton += " percent scale/100" } else if unit == "%" { skeleton += " percent" }
    let ending = unit.map { $0 == "%" || isShare ? "" : Self.ending($0) } ?? ""
    if let language = language ?? Language("en"), let text = formats.number(decimal, skeleton, in: language) {
      return text + ending
    }
    if isShare, let share = Double(decimal), share.isFinite { return "\((share * 100).rounded())%" }
    return decimal + (unit == "%" ? "%" : ending)
  }

  /// The unit after its number: after a space that does not break, except for an angle (ISO 80000-1, section 7.1.4).
  private static func ending(_ unit: String) -> String { ["°", "′", "″"].contains(unit) ? unit : "\u{A0}" + unit }
}
