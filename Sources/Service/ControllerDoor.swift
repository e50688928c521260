import Access
import Configuration

extension ControllerSettings {
  /// The way in over TCP with its token read; nil where there is none.
  func door() throws -> WebDoor? {
    guard let listen else { return nil }
    let token = try tokenFile.map(TokenFile.read)
    return try WebDoor(
      listen: listen, rules: AccessRules(token: token, hosts: hosts, origins: origins, proxies: proxies))
  }

  /// What people type to reach the page: what the settings say, or else where the service listens (`bound`, with the port
  /// that it got). Where it listens on all addresses, it is the one that others are most likely to reach.
  func pageAddress(_ bound: ListenAddress?) -> String? {
    guard let bound else { return nil }
    if let address { return address }
    guard bound.address.isWildcard else { return "http://\(bound)/" }
    let host = Machine.address()?.inURL ?? Machine.hostName() ?? "localhost"
    return "http://\(host):\(bound.port)/"
  }
}
