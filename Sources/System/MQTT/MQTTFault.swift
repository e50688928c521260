/// The reason why there is no connection to a broker.
package struct MQTTFault: Error, Hashable, Sendable {
  /// The kinds of faults, which have different remedies.
  package enum Kind: String, Hashable, Sendable {
    /// The name of the host is unknown.
    case unknownHost
    /// Nothing answers at the address.
    case unreachable
    /// The broker refuses the user name, the password or the certificate of the client.
    case refusedLogin
    /// The broker refuses the client's identifier.
    case refusedClient
    /// The broker does not accept the version of the protocol, or the server is not an MQTT broker.
    case otherProtocol
    /// The broker accepts no clients now.
    case unavailable
    /// The broker's certificate is not accepted.
    case certificate
    /// TLS cannot be used, with another reason.
    case tls
    /// A message that arrives is larger than the memory that the process may use.
    case outOfMemory
    /// An established connection broke.
    case lost
    /// Anything else.
    case other
  }

  /// The kind of the fault.
  package var kind: Kind
  /// The cause, without the address and the remedy, as in `certificate has expired`.
  package var reason: String

  /// Creates a fault.
  package init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// The next step.
  package var advice: String {
    switch kind {
    case .unknownHost: "check the name in `broker`, and the name servers of this machine"
    case .unreachable: "check the address and the port in `broker`, and that the broker runs"
    case .refusedLogin: "check `user`, `password_file` and `certificate`, and the broker's list of users"
    case .refusedClient: "give each box its own `node`"
    case .otherProtocol: "check the port in `broker`, whether it expects TLS (mqtts://), and `version`"
    case .unavailable: "look into the broker's log"
    case .certificate: "renew the broker's certificate, or correct `authorities` or the clock of this machine"
    case .tls: "check whether the port in `broker` expects TLS (mqtts://, usually 8883) or not (mqtt://, 1883)"
    case .outOfMemory: "find the message below the topics of this box and remove it, or limit the size in the broker"
    case .lost, .other: "look into the broker's log"
    }
  }
}

extension MQTTFault: CustomStringConvertible {
  /// The reason with its remedy, in one line.
  package var description: String { "\(reason); \(advice)" }
}
