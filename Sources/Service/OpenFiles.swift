import Glibc

/// How many files this process may have open.
enum OpenFiles {
  /// Enough for the connections that the control server takes by itself, over each of its two doors, and for all else.
  private static let wanted: rlim_t = 4096

  /// Raises the limit that systemd and shells set for programs which use select(2), 1024; this is none of them. Where
  /// that fails, connections are refused earlier.
  static func allowMany() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
