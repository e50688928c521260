import Glibc
import SystemCalls

/// The address of a broker, and how to connect to it.
package struct MQTTOptions: Hashable, Sendable {
  /// A version of the protocol.
  package enum Version: String, Hashable, Sendable, CaseIterable {
    /// MQTT 3.1.1, which all brokers speak.
    case v3 = "3.1.1"
    /// MQTT 5.
    case v5 = "5"
  }

  /// The files for TLS, in PEM.
  package struct TLS: Hashable, Sendable {
    /// The path of the certificates of trusted authorities; nil for those of the system.
    package var authorities: String?
    /// The path of the client's certificate; nil for none.
    package var certificate: String?
    /// The path of the certificate's key; nil for none.
    package var key: String?

    /// Creates a choice of files.
    package init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
      self.authorities = authorities
      self.certificate = certificate
      self.key = key
    }
  }

  /// The broker's host name or IP address.
  package var host: String
  /// The broker's port.
  package var port: Int
  /// The version of the protocol.
  package var version: Version
  /// The identifier by which the broker recognizes the client's session.
  package var client: String
  /// The user name; nil to connect without one.
  package var user: String?
  /// The path of the file whose first line is the password; nil for none. It is read for each connection, so that a new
  /// password needs no restart.
  package var passwordFile: String?
  /// TLS; nil for a connection without encryption.
  package var tls: TLS?
  /// The time without messages after which the client proves that it is alive, in seconds.
  package var keepalive: Int
  /// The message that the broker publishes when the client vanishes; nil for none.
  package var will: MQTTMessage?
  /// The maximum size of a message that arrives, in bytes.
  package var largest = 1 << 20
  /// The quality of service (QoS) of subscriptions: 1 for messages that the client acknowledges, 0 for others.
  package var qos = 1
  /// Whether the broker discards the session of an earlier connection, and this one when it ends.
  package var isClean: Bool

  /// Creates options for a broker, without TLS and login.
  package init(host: String, port: Int, client: String, version: Version = .v3, keepalive: Int = 60) {
    self.host = host
    self.port = port
    self.client = client
    self.version = version
    self.keepalive = keepalive
    self.isClean = false
  }

  /// Reads the password.
  ///
  /// - Throws: `MQTTFault` if the file cannot be read or has no password.
  /// - Returns: The password; nil if none is used.
  func password() throws(MQTTFault) -> String? {
    guard let path = passwordFile else { return nil }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw MQTTFault(.refusedLogin, "password_file \(path) cannot be read: \(ErrorNumber(errno))")
    }
    defer { close(descriptor) }
    let bytes = (try? Transfer.read(descriptor, atMost: 4096)) ?? nil
    let line = bytes?.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") } ?? []
    guard !line.isEmpty, let password = String(validating: line, as: UTF8.self) else {
      throw MQTTFault(.refusedLogin, "password_file \(path) has no password in its first line")
    }
    return password
  }

  /// The address for messages, `mqtts://broker.example:8883`.
  package var address: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return "\(tls == nil ? "mqtt" : "mqtts")://\(name):\(port)"
  }
}
