/// The 24-hour and 12-hour formats of a clock.
package enum HourCycle: Hashable, Sendable {
  /// 00:00 to 23:59.
  case hours24
  /// 12:00 am to 11:59 pm.
  case hours12
}

extension CivilTime {
  /// Returns the time of day as text.
  ///
  /// - Parameters:
  ///   - cycle: The 24-hour or 12-hour format.
  ///   - seconds: Whether to include seconds.
  /// - Returns: Text such as `14:05` or `2:05 pm`, or with seconds `14:05:09`.
  package func clock(_ cycle: HourCycle = .hours24, seconds: Bool = false) -> String {
    let rest = ":" + twoDigits(minute) + (seconds ? ":" + twoDigits(second) : "")
    switch cycle {
    case .hours24: return twoDigits(hour) + rest
    case .hours12: return "\(hour % 12 == 0 ? 12 : hour % 12)\(rest) \(hour < 12 ? "am" : "pm")"
    }
  }
}

extension CivilDate {
  /// The date as text, such as `Saturday, 21 November 2026`.
  package var words: String { "\(weekday.name), \(day) \(monthName) \(year)" }

  /// The name of the month, such as `November`.
  package var monthName: String { Self.monthNames[month - 1] }

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
}

extension Weekday {
  /// The name of the day, such as `Saturday`.
  package var name: String {
    switch self {
    case .sunday: "Sunday"
    case .monday: "Monday"
    case .tuesday: "Tuesday"
    case .wednesday: "Wednesday"
    case .thursday: "Thursday"
    case .friday: "Friday"
    case .saturday: "Saturday"
    }
  }
}

/// The formats of a remaining time.
package enum TimeLeft {
  /// Returns the remaining time as text.
  ///
  /// - Parameter seconds: The remaining time in seconds; negative values count as 0.
  /// - Returns: Text such as `3 days 04:05:06`, or `04:05:06` if it is less than a day.
  package static func words(seconds: Int64) -> String {
    let seconds = max(0, seconds)
    let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { twoDigits(Int($0)) }
    return days(seconds / 86400) + time.joined(separator: ":")
  }

  /// Returns the remaining time as text without seconds.
  ///
  /// - Parameter seconds: The remaining time in seconds, rounded up to whole minutes; negative values count as 0.
  /// - Returns: Text such as `3 days 04:06`; `00:00` only if no time is left.
  package static func words(minutesOf seconds: Int64) -> String {
    let seconds = max(0, seconds)
    let minutes = seconds / 60 + (seconds % 60 > 0 ? 1 : 0)
    return days(minutes / 1440) + twoDigits(Int(minutes / 60 % 24)) + ":" + twoDigits(Int(minutes % 60))
  }

  private static func days(_ count: Int64) -> String {
    switch count {
    case 0: ""
    case 1: "1 day "
    default: "\(count) days "
    }
  }
}

func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
