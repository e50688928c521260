/// Something that happened, for whoever watches.
public struct ControlEvent: Codable, Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// A monitor is there.
    case connected
    /// A monitor is gone.
    case disconnected
    /// A display has another mode than before; `detail` names it.
    case modeChanged
    /// A message or a session's scene was presented; `time` is the flip's, `detail` its summary.
    case messageShown
    /// A display went dark or could not be lit; `detail` says why.
    case dark
    /// A display is in another state, or for another reason; `detail` is both, as in `stalled: no flip came in time`.
    case stateChanged
    /// A display was sent to sleep, or was plugged in while it is meant to sleep.
    case asleep
    /// A session was opened or brought forward, seen or covered; `detail` is its summary.
    case sessionOpened
    /// A session came to this display; `detail` is its summary.
    case sessionMoved
    /// A session ended; `detail` is its summary.
    case sessionClosed
    /// A message was posted or changed, seen or covered; `detail` is its summary.
    case messagePosted
    /// A message was withdrawn, acknowledged or is over; `detail` is its summary.
    case messageEnded
    /// A session got another scene or is read elsewhere; `detail` is its summary.
    case sessionChanged
    /// The controller's board changed.
    case boardChanged
    /// A mode is on trial, was confirmed or taken back; `detail` says which.
    case modeTrial
    /// A loss was recorded, repaired or acknowledged; `detail` is the text of a new one.
    case healthChanged
  }

  /// Counts up from 1 over the service's life.
  public var id: UInt64
  /// What happened.
  public var kind: Kind
  /// The connector's name; empty where what happened is not about one display.
  public var display: String
  /// Nanoseconds of CLOCK_MONOTONIC.
  public var time: UInt64
  /// The same moment on the wall clock as it stood then; nil from a service that does not send it.
  public var date: Timestamp?
  /// The mode, the summary, or the reason, in one line of at most 80 Characters. `message` and `session` name the
  /// resource that has the whole text.
  public private(set) var detail: String?
  /// The session that the event is about; nil for none.
  public var session: Int?
  /// The message that the event is about; nil for none.
  public var message: Int?

  /// An event from its parts.
  ///
  /// - Parameters:
  ///   - id: The number of the event.
  ///   - kind: What happened.
  ///   - display: The connector's name, or an empty string.
  ///   - time: Nanoseconds of CLOCK_MONOTONIC.
  ///   - date: The same moment on the wall clock.
  ///   - detail: A text of any length, of which the event keeps one line of at most 80 Characters.
  ///   - session: The session that the event is about.
  ///   - message: The message that the event is about.
  public init(
    id: UInt64, kind: Kind, display: String, time: UInt64, date: Timestamp? = nil, detail: String? = nil,
    session: Int? = nil, message: Int? = nil
  ) {
    self.id = id
    self.kind = kind
    self.display = display
    self.time = time
    self.date = date
    self.detail = detail?.eventSummary
    self.session = session
    self.message = message
  }
}
