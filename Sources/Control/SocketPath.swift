import Glibc

/// Where the service listens and its clients look: one rule for both.
public enum SocketPath {
  /// The environment's name for a path that goes before all others.
  public static let variable = "PLACARD_SOCKET"
  /// Where the service of the whole machine listens.
  public static let system = "/run/placard/placard.sock"

  /// Where a client of this process's user finds the service.
  ///
  /// `PLACARD_SOCKET` first; then the machine's socket if it is there; then where a service of this user listens.
  public static func `default`() -> String {
    let isThere = unsafe access(system, F_OK) == 0
    return choose(environment: variable(_:), user: geteuid(), isServiceUser: isServiceUser, isThere: isThere)
  }

  /// Where a service of this process's user listens: as `default`, but another service's socket does not attract it.
  public static func listening() -> String {
    choose(environment: variable(_:), user: geteuid(), isServiceUser: isServiceUser, isThere: false)
  }

  /// The rule itself, for what it depends on.
  ///
  /// - Parameters:
  ///   - environment: The value of a variable; nil where it is not set.
  ///   - user: The effective user id.
  ///   - isServiceUser: Whether this user is `placard`, as the unit runs the service; asked only where it matters,
  ///     since looking a user up takes longer than all the rest of a client's start.
  ///   - isThere: Whether something is at `system` that is to be preferred.
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
