/// The limits of the control server.
///
/// Times are in seconds, sizes in bytes.
package struct AccessLimits: Hashable, Sendable {
  /// The maximum size of a request's head, names and values together, 1 KiB...64 KiB; also the limit of each line.
  package var head = 32 << 10
  /// The maximum number of headers in a request.
  package var headers = 100
  /// The maximum size of a request's body.
  package var body = 512 << 10
  /// The maximum size of an uploaded image.
  package var image = 32 << 20
  /// The maximum total size of the request bodies held at the same time, from arrival until the response ends.
  package var bodies = 64 << 20
  /// The maximum number of bytes read from a rejected body so that the client can receive the response.
  package var discarded = 16 << 20
  /// The maximum number of open connections, counted separately for the Unix socket and for TCP.
  ///
  /// Further connections are answered with 503. If too many of those are open, they are closed without an answer.
  package var connections = 1024
  /// The maximum number of open TCP connections per client address, or per /64 network for IPv6; proxies are exempt.
  package var connectionsPerAddress = 64
  /// The maximum number of open connections over the Unix socket per user.
  package var connectionsPerUser = 256
  /// The time within which a request's head must arrive.
  package var headSeconds = 10
  /// The time within which a request's body must arrive, extended by `bodyRate`.
  package var bodySeconds = 30
  /// The minimum rate of a request's body after `bodySeconds`, in bytes per second.
  package var bodyRate = 8 << 10
  /// The time after which a connection without a request is closed.
  package var idleSeconds = 75
  /// The maximum time for which a client may accept none of the data sent to it.
  package var stalledSeconds = 30
  /// The time within which a client must read a response, extended by `answerRate`.
  package var answerSeconds = 60
  /// The minimum rate at which a client must read a response after `answerSeconds`, in bytes per second.
  package var answerRate = 8 << 10
  /// The maximum total size of all unsent responses; beyond it, the connection with the oldest one is closed.
  package var answers = 64 << 20
  /// The maximum number of events queued for a client that does not read; one more closes its connection.
  package var events = 256
  /// The maximum size of the events queued for a client.
  package var eventBytes = 256 << 10
  /// The average rate of requests allowed per client address over TCP, in requests per second.
  package var requestsPerSecond = 200
  /// The number of requests that a client address may send in one burst over TCP.
  package var requestsBurst = 400

  /// Creates the default limits.
  package init() {}
}

/// The limits under the names used in the settings, in the log and for the rejection counters.
package enum AccessLimit: String, Hashable, Sendable, CaseIterable {
  case head
  case headers
  case body
  case image
  case bodies
  case connections
  case connectionsPerAddress = "connections_per_address"
  case connectionsPerUser = "connections_per_user"
  case headSeconds = "head_seconds"
  case bodySeconds = "body_seconds"
  case bodyRate = "body_rate"
  case idleSeconds = "idle_seconds"
  case stalledSeconds = "stalled_seconds"
  case answerSeconds = "answer_seconds"
  case answerRate = "answer_rate"
  case answers
  case events
  case eventBytes = "event_bytes"
  case requestsPerSecond = "requests_per_second"
  case requestsBurst = "requests_burst"

  /// The property of `AccessLimits` that holds the limit.
  package var path: WritableKeyPath<AccessLimits, Int> {
    switch self {
    case .head: \.head
    case .headers: \.headers
    case .body: \.body
    case .image: \.image
    case .bodies: \.bodies
    case .connections: \.connections
    case .connectionsPerAddress: \.connectionsPerAddress
    case .connectionsPerUser: \.connectionsPerUser
    case .headSeconds: \.headSeconds
    case .bodySeconds: \.bodySeconds
    case .bodyRate: \.bodyRate
    case .idleSeconds: \.idleSeconds
    case .stalledSeconds: \.stalledSeconds
    case .answerSeconds: \.answerSeconds
    case .answerRate: \.answerRate
    case .answers: \.answers
    case .events: \.events
    case .eventBytes: \.eventBytes
    case .requestsPerSecond: \.requestsPerSecond
    case .requestsBurst: \.requestsBurst
    }
  }

  /// Whether the limit is in bytes or in bytes per second.
  package var isSize: Bool {
    [.head, .body, .image, .bodies, .bodyRate, .answerRate, .answers, .eventBytes].contains(self)
  }

  /// The values that the setting accepts.
  package var range: ClosedRange<Int> {
    switch self {
    case .head: 1 << 10...64 << 10
    case .headers: 16...1000
    case .body: 1 << 10...64 << 20
    case .image: 1 << 10...256 << 20
    case .bodies, .answers: 1 << 20...4 << 30
    case .connections, .connectionsPerAddress, .connectionsPerUser: 1...100_000
    case .headSeconds, .bodySeconds, .idleSeconds, .stalledSeconds, .answerSeconds: 1...86400
    case .bodyRate, .answerRate: 1...1 << 30
    case .events: 1...100_000
    case .eventBytes: 1 << 10...1 << 30
    case .requestsPerSecond, .requestsBurst: 1...1_000_000
    }
  }
}
