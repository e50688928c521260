package import Access

/// The settings of TCP access to the daemon, and the limits of its server.
package struct ControllerSettings: Hashable, Sendable {
  /// The TCP address to listen on; nil for the Unix socket alone.
  package var listen: ListenAddress?
  /// The path of the token file; nil for none.
  package var tokenFile: String?
  /// Names accepted in the `Host` header, in addition to the machine's own.
  package var hosts: Set<String>
  /// Origins of other pages that may send requests.
  package var origins: Set<WebOrigin>
  /// The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted.
  package var proxies: [AddressRange]
  /// The URL that users enter to reach the page; nil to derive it from `listen`.
  package var address: String?
  /// The limits of the server.
  package var limits: AccessLimits

  /// Creates settings with default values for omitted properties.
  package init(
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
