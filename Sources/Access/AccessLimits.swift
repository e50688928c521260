/// What the control server puts up with. Times are in seconds, sizes in bytes.
public struct AccessLimits: Hashable, Sendable {
  /// Most bytes of a request's head, names and values together, 1 KiB...64 KiB; no single line has more, either.
  public var head = 32 << 10
  /// Most headers of a request.
  public var headers = 100
  /// Most bytes of a request's body.
  public var body = 512 << 10
  /// Most bytes of an uploaded picture.
  public var picture = 32 << 20
  /// Most bytes of all bodies that are coming in at a time.
  public var bodies = 64 << 20
  /// Most bytes of a refused body that are read, so that the client gets to see the refusal.
  public var discarded = 16 << 20
  /// Most connections at a time, for the socket and for TCP each; the next ones are answered with 503.
  public var connections = 1024
  /// Most connections at a time of one address; not for the socket.
  public var connectionsPerAddress = 64
  /// Most connections over the socket at a time of one user.
  public var connectionsPerUser = 256
  /// How long a request's head may take.
  public var headSeconds = 10
  /// How long a request's body may take, besides the time that `bodyRate` gives it.
  public var bodySeconds = 30
  /// How many bytes a second a body must bring once `bodySeconds` are over.
  public var bodyRate = 8 << 10
  /// How long a connection is kept that nothing is asked on.
  public var idleSeconds = 75
  /// How long a client may take nothing of what is sent to it.
  public var stalledSeconds = 30
  /// How long a client may take to read what is sent to it, besides the time that `answerRate` gives it.
  public var answerSeconds = 60
  /// How many bytes a second a client must take once `answerSeconds` are over.
  public var answerRate = 8 << 10
  /// Most bytes of all answers that clients have not taken; beyond them the connection with the oldest is closed.
  public var answers = 64 << 20
  /// Most events that wait for a client that does not read; one more closes its connection.
  public var events = 256
  /// Most bytes of events that wait so.
  public var eventBytes = 256 << 10
  /// Most requests a second of one address, over time; not for the socket.
  public var requestsPerSecond = 200
  /// Most requests of one address at once; not for the socket.
  public var requestsBurst = 400

  /// The usual limits.
  public init() {}
}

/// The limits by the names that they have in the settings, in the log and where what they cut is counted.
public enum AccessLimit: String, Hashable, Sendable, CaseIterable {
  case head
  case headers
  case body
  case picture
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

  /// Where its value is.
  public var path: WritableKeyPath<AccessLimits, Int> {
    switch self {
    case .head: \.head
    case .headers: \.headers
    case .body: \.body
    case .picture: \.picture
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

  /// Whether it counts bytes.
  public var isSize: Bool {
    [.head, .body, .picture, .bodies, .bodyRate, .answerRate, .answers, .eventBytes].contains(self)
  }

  /// What it may be set to.
  public var range: ClosedRange<Int> {
    switch self {
    case .head: 1 << 10...64 << 10
    case .headers: 16...1000
    case .body: 1 << 10...64 << 20
    case .picture: 1 << 10...256 << 20
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
