/// A message to show.
public struct MessageRequest: Codable, Hashable, Sendable {
  /// The text; empty leaves the plain background.
  public var text: String
  /// The display it is for; nil for all, which also ends the messages that displays had of their own.
  public var display: String?
  /// Whether to answer only when it is on the glass.
  public var wait: Bool?

  /// A request from its parts.
  public init(text: String, display: String? = nil, wait: Bool? = nil) {
    self.text = text
    self.display = display
    self.wait = wait
  }
}

/// Who is to sleep, or to wake.
public struct SleepRequest: Codable, Hashable, Sendable {
  /// Whether to sleep.
  public var asleep: Bool
  /// The display; nil for all that are connected.
  public var display: String?

  /// A request from its parts.
  public init(asleep: Bool, display: String? = nil) {
    self.asleep = asleep
    self.display = display
  }
}

/// A virtual monitor to plug: a size, or a real monitor's EDID.
public struct PlugRequest: Codable, Hashable, Sendable {
  /// Name of the virtual output, `Virtual-2`; nil takes the next free one.
  public var display: String?
  /// Pixels across, 16...16384; with `height`, instead of `edid`.
  public var width: Int?
  /// Pixels down, 16...16384.
  public var height: Int?
  /// The EDID's bytes in base64, instead of a size.
  public var edid: String?

  /// A request from its parts.
  public init(display: String? = nil, width: Int? = nil, height: Int? = nil, edid: String? = nil) {
    self.display = display
    self.width = width
    self.height = height
    self.edid = edid
  }
}

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
    /// A message is on the glass; `time` is the flip's.
    case messageShown
    /// A display went dark or could not be lit; `detail` says why.
    case dark
    /// A display was sent to sleep, or was plugged in while it is meant to sleep.
    case asleep
  }

  /// Counts up from 1 over the service's life.
  public var id: UInt64
  /// What happened.
  public var kind: Kind
  /// The connector's name.
  public var display: String
  /// Nanoseconds of CLOCK_MONOTONIC.
  public var time: UInt64
  /// The mode, the message's text, or the reason.
  public var detail: String?

  /// An event from its parts.
  public init(id: UInt64, kind: Kind, display: String, time: UInt64, detail: String? = nil) {
    self.id = id
    self.kind = kind
    self.display = display
    self.time = time
    self.detail = detail
  }
}
