import CLinux
import Glibc

/// The limit of open files for this process.
enum OpenFiles {
  /// Enough for the maximum connections of the control server, on each of its two listeners, and for everything else.
  private static let wanted: rlim_t = 4096

  /// Raises the soft limit of 1024, which systemd and shells set for programs that use select(2).
  ///
  /// The daemon does not use select(2). If this fails, connections are refused earlier.
  static func allowMany() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
