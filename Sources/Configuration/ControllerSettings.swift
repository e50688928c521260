public import Access

/// How the service is reached over TCP, and what its server puts up with.
public struct ControllerSettings: Hashable, Sendable {
  /// Where it listens for TCP; nil for the Unix socket alone.
  public var listen: ListenAddress?
  /// The file that holds the token; nil for none.
  public var tokenFile: String?
  /// Names that `Host` may have besides this machine's own.
  public var hosts: Set<String>
  /// Origins of other pages that may ask for something.
  public var origins: Set<WebOrigin>
  /// Whose word counts about where a request came from.
  public var proxies: [AddressRange]
  /// What people type to reach the page; nil derives it from where it listens.
  public var address: String?
  /// What the server puts up with.
  public var limits: AccessLimits

  /// Settings from their parts; what is left out has its default.
  public init(
    listen: ListenAddress? = nil, tokenFile: String? = nil, hosts: Set<String> = [], origins: Set<WebOrigin> = [],
    proxies: [AddressRange] = [], address: String? = nil, limits: AccessLimits = AccessLimits()
  ) {
    self.listen = listen
    self.tokenFile = tokenFile
    self.hosts = hosts
    self.origins = origins
    self.proxies = proxies
    self.address = address
    self.limits = limits
  }
}
