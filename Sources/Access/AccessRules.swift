/// Who gets in over TCP; may change while the service runs.
public struct AccessRules: Hashable, Sendable {
  /// The secret that clients must know; nil lets everybody in who reaches the port.
  public var token: Token?
  /// Names that `Host` may have besides the addresses and names of this machine, in small letters.
  public var hosts: Set<String>
  /// Origins of other pages that may ask for something, too (CORS).
  public var origins: Set<WebOrigin>
  /// Whose word counts about where a request came from.
  public var proxies: [AddressRange]

  /// Rules from their parts.
  public init(
    token: Token? = nil, hosts: Set<String> = [], origins: Set<WebOrigin> = [], proxies: [AddressRange] = []
  ) {
    self.token = token
    self.hosts = hosts
    self.origins = origins
    self.proxies = proxies
  }
}

extension Token: Hashable {
  /// Tokens are compared, but never looked up.
  public func hash(into hasher: inout Hasher) {}
}

/// The way in over TCP.
public struct WebDoor: Hashable, Sendable {
  /// Where it listens.
  public let listen: ListenAddress
  /// Who gets in.
  public let rules: AccessRules

  /// A door at an address. Only one that is for this machine alone may be without a token.
  public init(listen: ListenAddress, rules: AccessRules) throws(OpenDoorError) {
    guard listen.address.isLoopback || rules.token != nil else { throw OpenDoorError(listen: listen) }
    self.listen = listen
    self.rules = rules
  }
}

/// A way in over TCP without a token that is open to the network.
public struct OpenDoorError: Error, Hashable, CustomStringConvertible {
  /// Where it would have listened.
  public let listen: ListenAddress

  /// A door at this address.
  public init(listen: ListenAddress) { self.listen = listen }

  /// The address, the risk and the next step.
  public var description: String {
    "every host that reaches \(listen) could change what displays show: name a token file (token_file in [controller], or "
      + "--token-file), or listen on 127.0.0.1 only. As the service's user, this makes one: "
      + "install -m 600 /dev/null FILE && head -c 24 /dev/urandom | base64 > FILE"
  }
}
