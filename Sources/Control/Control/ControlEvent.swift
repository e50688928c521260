package import JSON

/// An event that the daemon sends to clients.
public struct ControlEvent: Codable, Hashable, Sendable {
  /// The kind of an event.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A monitor was connected.
    case connected
    /// A monitor was disconnected.
    case disconnected
    /// A display's mode changed; `detail` is the new mode.
    case modeChanged
    /// A message or a session's scene was presented; `time` is the time of the flip and `detail` the summary.
    case messageShown
    /// A display's state or its reason changed; `detail` contains both, as in `stalled: no flip came in time`.
    case stateChanged
    /// A display went dark or could not be enabled; `detail` is the reason.
    case dark
    /// A display was put to sleep, or a monitor that is set to sleep was connected.
    case asleep
    /// A session was opened or brought forward, visible or covered; `detail` is its summary.
    case sessionOpened
    /// A session moved to this display; `detail` is its summary.
    case sessionMoved
    /// A session ended; `detail` is its summary.
    case sessionClosed
    /// A message was posted or changed, visible or covered; `detail` is its summary.
    case messagePosted
    /// A message was acknowledged on the display that shows it; `detail` is its summary. One event for each display; if
    /// none shows the message, one for its target.
    case messageAcknowledged
    /// A message was withdrawn or acknowledged, or it expired; `detail` is its summary.
    case messageEnded
    /// A session got another scene or was scrolled; `detail` is its summary.
    case sessionChanged
    /// The controller's board changed.
    case boardChanged
    /// A library entry was added, changed or removed; `detail` is its name.
    case libraryChanged
    /// A mode change is pending, was confirmed or was reverted; `detail` says which.
    case modePending
    /// A loss was recorded, repaired or acknowledged; `detail` is the text of a new one.
    case healthChanged
  }

  /// The event's number, which counts up from 1 while the daemon runs.
  public var id: UInt64
  /// The kind of the event.
  public var kind: Kind
  /// The connector's name; empty if the event does not concern a single display.
  public var display: String
  /// The time of the event, in nanoseconds of CLOCK_MONOTONIC.
  public var time: UInt64
  /// The same time on the wall clock, as it was set then; nil from a daemon that does not send it.
  public var date: Timestamp?
  /// The mode, the summary or the reason, in one line of at most 80 characters (Swift `Character`s).
  ///
  /// The resource identified by `message` or `session` has the whole text.
  public private(set) var detail: String?
  /// The ID of the session that the event concerns; nil if there is none.
  public var session: Int?
  /// The ID of the message that the event concerns; nil if there is none.
  public var message: Int?

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - id: The number of the event.
  ///   - kind: The kind of the event.
  ///   - display: The connector's name, or an empty string.
  ///   - time: The time of the event, in nanoseconds of CLOCK_MONOTONIC.
  ///   - date: The same time on the wall clock.
  ///   - detail: A text of any length, of which the event keeps one line of at most 80 characters.
  ///   - session: The ID of the session that the event concerns.
  ///   - message: The ID of the message that the event concerns.
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

extension ControlEvent.Kind: InterfaceValue {
  /// The schema of any text, since later versions may add kinds.
  package static var schema: JSONValue { APISchema.text() }
}

extension ControlEvent: InterfaceObject {
  package static let interface = Interface.report(
    "ControlEvent",
    "An event. The kinds are \(Kind.allCases.map(\.rawValue).listed("and")); later versions may add kinds.",
    [
      field("id", \.id, "The event's number, which counts up while the service runs.", .id),
      field("kind", \.kind, "The kind of the event.", .example("messageShown")),
      field(
        "display", \.display, "The connector's name; empty if the event does not concern a single display.",
        .example("HDMI-A-1")),
      field("time", \.time, "The time of the event, in nanoseconds of CLOCK_MONOTONIC."),
      field("date", \.date, "The same time on the wall clock of the service's machine, as it was set then."),
      field(
        "detail", \.detail,
        "The mode, the summary or the reason, in one line of at most 80 characters. The message or session has the "
          + "whole text."),
      field("session", \.session, "The ID of the session that the event concerns.", .id),
      field("message", \.message, "The ID of the message that the event concerns.", .id),
    ])
}
