package import Calendars

/// An event of a calendar, which can be repeated.
///
/// Times without a UTC offset are in the event's zone.
package struct CalendarEvent: Hashable, Sendable {
  /// The name of the event.
  package var summary: String
  /// The first start.
  package var from: DateTime
  /// The first end, at which the event is over.
  package var until: DateTime
  /// The IANA name of the time zone; nil for that of the calendar.
  package var zone: String?
  /// The rule by which the event is repeated, in the form of RFC 5545, such as `FREQ=WEEKLY;BYDAY=MO`; nil for none.
  package var rule: String?
  /// Starts by the rule at which the event does not take place.
  package var except: [DateTime]
  /// Further starts.
  package var also: [DateTime]

  /// Creates an event from its parts.
  package init(
    _ summary: String, from: DateTime, until: DateTime, zone: String? = nil, rule: String? = nil,
    except: [DateTime] = [], also: [DateTime] = []
  ) {
    self.summary = summary
    self.from = from
    self.until = until
    self.zone = zone
    self.rule = rule
    self.except = except
    self.also = also
  }

  /// Returns the times at which the event takes place.
  ///
  /// Each time has the duration of the first one. From midnight to midnight it is counted in days, otherwise in seconds,
  /// as RFC 5545 says of ends and of dates (section 3.8.5.3).
  ///
  /// - Parameters:
  ///   - range: The times to return, as Unix time: those that are not over at its start, and begin before its end.
  ///   - zone: The event's zone.
  /// - Throws: `CalendarError.rule` for a mistake in the rule, or `.noLibrary`.
  /// - Returns: The times in ascending order of their starts.
  package func times(in range: Range<Int64>, zone: Zone) throws(CalendarError) -> [Range<Int64>] {
    let length = zone.seconds(of: until) - zone.seconds(of: from)
    var starts: Set<Int64> = []
    if let rule {
      // A zone is at most 26 hours from UTC.
      let day: Int64 = 26 * 3600
      let window = range.lowerBound - max(length, 0) - 2 * day...range.upperBound + day
      let offset = from.utcOffset
      let rule = try Recurrence(rule)
      let found = try rule.times(from: from.local, in: window) {
        $0 + Int64(offset ?? zone.civil(atSeconds: $0).utcOffset)
      }
      for time in found { starts.insert(zone.seconds(of: DateTime(local: time, utcOffset: offset))) }
    } else {
      starts.insert(zone.seconds(of: from))
    }
    for time in also { starts.insert(zone.seconds(of: time)) }
    for time in except { starts.remove(zone.seconds(of: time)) }
    return starts.sorted().compactMap { start in
      let end = end(of: start, length, zone)
      return start < range.upperBound && end > range.lowerBound && end > start ? start..<end : nil
    }
  }

  /// The number of days from midnight to midnight; nil for an event with other times.
  private var days: Int64? {
    guard from.utcOffset == nil, until.utcOffset == nil, from.secondOfDay == 0, until.secondOfDay == 0 else {
      return nil
    }
    return until.date.days - from.date.days
  }

  private func end(of start: Int64, _ length: Int64, _ zone: Zone) -> Int64 {
    guard let days else { return start + length }
    return zone.seconds(of: DateTime(local: (zone.civil(atSeconds: start).date.days + days) * 86_400))
  }
}
