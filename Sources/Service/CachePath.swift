import Glibc

/// Where the service keeps what it could find again.
enum CachePath {
  /// The path of a file in the cache of this process; nil where it has none.
  static func current(_ name: String) -> String? {
    choose { variable in unsafe getenv(variable).flatMap { unsafe String(validatingCString: $0) } }.map {
      "\($0)/\(name)"
    }
  }

  /// The directory: what systemd made for the unit (systemd.exec(5), CacheDirectory=), else the user's own
  /// (XDG base directories).
  static func choose(_ environment: (String) -> String?) -> String? {
    if let list = environment("CACHE_DIRECTORY"), let first = list.split(separator: ":").first, first.first == "/" {
      return String(first)
    }
    if let caches = environment("XDG_CACHE_HOME"), caches.first == "/" { return "\(caches)/placard" }
    if let home = environment("HOME"), home.first == "/" { return "\(home)/.cache/placard" }
    return nil
  }
}
