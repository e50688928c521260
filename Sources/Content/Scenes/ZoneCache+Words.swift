import Calendars
import Locales

extension ZoneCache {
  /// Returns a date and a time of day in the system's own zone.
  ///
  /// - Parameters:
  ///   - seconds: The time, in seconds since 1970.
  ///   - language: The language, as a BCP 47 tag; nil for English.
  /// - Returns: The words, such as `Saturday, 21 November 2026, 14:05`.
  package func moment(atSeconds seconds: Int64, in language: String?) -> String {
    let time = self[nil].zone.civil(atSeconds: seconds)
    let words = Wording(formats: formats, language: language.flatMap { Language($0) })
    return words.date(time) + ", " + words.clock(time, .hours24, seconds: false)
  }
}
