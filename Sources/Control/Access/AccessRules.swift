/// The rules that decide which TCP clients are admitted.
///
/// They may change while the daemon runs.
package struct AccessRules: Hashable, Sendable {
  /// The secret that clients must present; nil admits every client that reaches the port.
  package var token: Token?
  /// Names accepted in `Host` besides this machine's own names and addresses, in lowercase.
  package var hosts: Set<String>
  /// Origins of other web pages that may use the API (CORS).
  package var origins: Set<WebOrigin>
  /// The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted.
  package var proxies: [AddressRange]

  /// Creates access rules.
  package init(
    token: Token? = nil, hosts: Set<String> = [], origins: Set<WebOrigin> = [], proxies: [AddressRange] = []
  ) {
    self.token = token
    self.hosts = hosts
    self.origins = origins
    self.proxies = proxies
  }
}

extension Token: Hashable {
  /// Adds nothing to the hash: tokens are compared, but never looked up by their hash.
  package func hash(into hasher: inout Hasher) {}
}

/// The configuration of the TCP listener.
package struct WebListenerSettings: Hashable, Sendable {
  /// The address and port to listen on.
  package let listen: ListenAddress
  /// The rules for its clients.
  package let rules: AccessRules

  /// Creates the configuration of a TCP listener.
  ///
  /// - Parameters:
  ///   - listen: The address and port to listen on.
  ///   - rules: The rules for clients. Only a loopback address may be used without a token.
  /// - Throws: `OpenListenerError` if other machines can reach the address and the rules have no token.
  package init(listen: ListenAddress, rules: AccessRules) throws(OpenListenerError) {
    guard listen.address.isLoopback || rules.token != nil else { throw OpenListenerError(listen: listen) }
    self.listen = listen
    self.rules = rules
  }
}

/// The error for a TCP listener that other machines can reach without a token.
package struct OpenListenerError: Error, Hashable, CustomStringConvertible {
  /// The rejected address and port.
  package let listen: ListenAddress

  /// Creates the error for an address.
  package init(listen: ListenAddress) { self.listen = listen }

  /// A message that names the address, the risk and the next step.
  package var description: String {
    "every host that can reach \(listen) could change what the displays show: set a token file (token_file in "
      + "[controller], or --token-file), or listen on 127.0.0.1 only. As the service's user, create one: "
      + "install -m 600 /dev/null FILE && head -c 24 /dev/urandom | base64 > FILE"
  }
}
