package import Calendars
package import Locales

/// A cache of time zones, which reads each zone's file once, of the times of calendars' events, and of the formats of
/// languages.
///
/// Resolving scenes into views reads no other files. The cache is not thread-safe: use it only in the isolation domain
/// that created it.
package final class ZoneCache {
  /// A zone, or UTC in its place.
  package struct Entry: Hashable, Sendable {
    /// The zone to use.
    package let zone: Zone
    /// The reason why the zone is UTC, as a sentence; nil if it is the requested zone.
    package let warning: String?
  }

  /// The times of calendars' events.
  package let events = EventCache()
  /// The formats of numbers, dates and times.
  package let formats = LocaleFormats()

  private let load: (String?) throws(ZoneError) -> Zone
  private var entries: [String?: Entry] = [:]

  /// The maximum number of zones, more than any installation shows; the cache is emptied when it is full.
  private static let most = 64

  /// Creates an empty cache of the system's zones.
  package convenience init() {
    self.init { name throws(ZoneError) in if let name { try Zone(named: name) } else { try Zone.system() } }
  }

  /// Creates an empty cache with a custom loader, which receives nil for the system's own zone.
  init(load: @escaping (String?) throws(ZoneError) -> Zone) { self.load = load }

  /// The zone with this name, or the system's own zone for nil; UTC if it cannot be loaded.
  package subscript(name: String?) -> Entry {
    if let entry = entries[name] { return entry }
    if entries.count >= Self.most { entries = [:] }
    let entry = read(name)
    entries[name] = entry
    return entry
  }

  /// Returns a readable time in a time zone.
  ///
  /// - Parameters:
  ///   - time: The time to format, in milliseconds since 1970.
  ///   - now: The current time, in milliseconds since 1970.
  ///   - name: The name of the zone; nil for the system's own zone.
  /// - Returns: The time of day, such as `14:05`, with the date if it is not today, such as `25 November 14:05`.
  package func clock(_ time: Int64, now: Int64, in name: String? = nil) -> String {
    let zone = self[name].zone
    let (then, today) = (zone.civil(atSeconds: time / 1000), zone.civil(atSeconds: now / 1000))
    return then.date == today.date ? then.clock() : "\(then.day) \(then.date.monthName) \(then.clock())"
  }

  /// The number of cached zones.
  var count: Int { entries.count }

  /// Empties the cache, after the host's zone or the tz database has changed.
  package func forget() {
    entries = [:]
    events.forget()
  }

  private func read(_ name: String?) -> Entry {
    do { return Entry(zone: try load(name), warning: nil) } catch {
      return Entry(zone: .utc, warning: "the scene's times are shown in UTC: \(error)")
    }
  }
}
