import Access
import Configuration

extension ControllerSettings {
  /// Reads the token and returns the TCP listener settings, or nil if TCP is disabled.
  func listener() throws -> WebListenerSettings? {
    guard let listen else { return nil }
    let token = try tokenFile.map(TokenFile.read)
    return try WebListenerSettings(
      listen: listen, rules: AccessRules(token: token, hosts: hosts, origins: origins, proxies: proxies))
  }

  /// Returns the URL that users enter to reach the page.
  ///
  /// That is the configured address, or else the one on which the daemon listens. For a wildcard address, it uses the
  /// host address that other machines can most likely reach.
  ///
  /// - Parameter bound: The address and the assigned port; nil if the daemon does not listen on TCP.
  /// - Returns: The URL, or nil if the daemon does not listen on TCP.
  func pageAddress(_ bound: ListenAddress?) -> String? {
    guard let bound else { return nil }
    if let address { return address }
    guard bound.address.isWildcard else { return "http://\(bound)/" }
    let host = Machine.address()?.inURL ?? Machine.hostName() ?? "localhost"
    return "http://\(host):\(bound.port)/"
  }
}
