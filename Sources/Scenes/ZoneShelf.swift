public import Calendars

/// Time zones by their names, each read from its file once.
///
/// Where scenes become views this is all that reads files. It belongs to whoever made it, and to that isolation.
public final class ZoneShelf {
  /// A zone, or UTC in its stead.
  public struct Entry: Hashable, Sendable {
    /// What clocks go by.
    public let zone: Zone
    /// Why it is UTC, in a sentence; nil for the zone that was asked for.
    public let warning: String?
  }

  private let load: (String?) throws(ZoneError) -> Zone
  private var entries: [String?: Entry] = [:]

  /// More names than there are cities on anybody's wall: then it begins anew.
  private static let most = 64

  /// An empty shelf of the system's zones.
  public convenience init() {
    self.init { name throws(ZoneError) in if let name { try Zone(named: name) } else { try Zone.system() } }
  }

  /// An empty shelf of zones from elsewhere; nil stands for the system's own.
  init(load: @escaping (String?) throws(ZoneError) -> Zone) { self.load = load }

  /// The zone of this name, or the system's own for nil; UTC where there is none such.
  public subscript(name: String?) -> Entry {
    if let entry = entries[name] { return entry }
    if entries.count >= Self.most { forget() }
    let entry = read(name)
    entries[name] = entry
    return entry
  }

  /// Returns a moment for people, in the system's time zone.
  ///
  /// - Parameters:
  ///   - time: The moment, in milliseconds since 1970.
  ///   - now: The present, in milliseconds since 1970.
  /// - Returns: The time of day, `14:05`; on another day with the date, `25 November 14:05`.
  public func clock(_ time: Int64, now: Int64) -> String {
    let zone = self[nil].zone
    let (then, today) = (zone.civil(atSeconds: time / 1000), zone.civil(atSeconds: now / 1000))
    return then.date == today.date ? then.clock() : "\(then.day) \(then.date.monthName) \(then.clock())"
  }

  /// How many zones are kept.
  var count: Int { entries.count }

  /// Reads all anew when they are asked for: after the machine's zone was set, or the database was brought up to date.
  public func forget() { entries = [:] }

  private func read(_ name: String?) -> Entry {
    do { return Entry(zone: try load(name), warning: nil) } catch {
      return Entry(zone: .utc, warning: "a scene's times are those of UTC: \(error)")
    }
  }
}
