import Glibc

/// The path of the control socket, by one rule for the daemon and its clients.
public enum SocketPath {
  /// The environment variable whose path takes precedence over all others.
  public static let variable = "PLACARD_SOCKET"
  /// The socket of the system-wide daemon.
  public static let system = "/run/placard/placard.sock"

  /// Returns the path at which a client of this process's user finds the daemon.
  ///
  /// The order is `PLACARD_SOCKET`, the system-wide socket if it exists, and the socket of this user's daemon.
  ///
  /// - Returns: The path of a socket, which need not exist.
  public static func `default`() -> String {
    let isThere = unsafe access(system, F_OK) == 0
    return choose(environment: variable(_:), user: geteuid(), isServiceUser: isServiceUser, isThere: isThere)
  }

  /// Returns the path at which a daemon of this user listens; unlike `default()`, it ignores an existing system-wide
  /// socket.
  public static func listening() -> String {
    choose(environment: variable(_:), user: geteuid(), isServiceUser: isServiceUser, isThere: false)
  }

  /// Returns the path for a given environment and user.
  ///
  /// - Parameters:
  ///   - environment: Returns the value of a variable; nil if it is not set.
  ///   - user: The effective user ID.
  ///   - isServiceUser: Returns whether this user is `placard`, which runs the system-wide daemon. It is called only if
  ///     the result depends on it, because looking up a user takes longer than the rest of a client's start.
  ///   - isThere: Whether a socket exists at `system` and is preferred.
  /// - Returns: An absolute path, unless `PLACARD_SOCKET` is a relative one.
  public static func choose(
    environment: (String) -> String?, user: UInt32, isServiceUser: () -> Bool, isThere: Bool
  ) -> String {
    if let path = environment(variable), !path.isEmpty { return path }
    if isThere || user == 0 || isServiceUser() { return system }
    if let directory = environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") {
      return "\(directory)/placard/placard.sock"
    }
    return "/tmp/placard-\(user)/placard.sock"
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(validatingCString: value)
  }

  private static func isServiceUser() -> Bool {
    guard let entry = unsafe getpwnam("placard") else { return false }
    return unsafe entry.pointee.pw_uid == geteuid()
  }
}
