/// The reason why a calendar cannot be used.
package enum CalendarError: Error, Hashable, Sendable {
  /// The file is not an iCalendar file; the text says what is wrong with it.
  case file(String)
  /// An event has a mistake: its name, and what is wrong with which property.
  case event(String, String)
  /// The rule of a repeated event has a mistake.
  case rule(String, String)
  /// libical is not installed.
  case noLibrary

  /// Returns the error of an event's rule as one of the event.
  func of(event name: String) -> CalendarError {
    guard case .rule = self else { return self }
    return .event(name, description)
  }
}

extension CalendarError: CustomStringConvertible {
  /// The error as one or two sentences without a period.
  package var description: String {
    switch self {
    case .file(let reason): reason
    case .event(let name, let reason): "the event \(name.debugDescription): \(reason)"
    case .rule(let rule, let reason): "it is repeated by \(rule.debugDescription): \(reason)"
    case .noLibrary: "calendars need libical, which is not installed; on Debian the package libical3 has it"
    }
  }
}
