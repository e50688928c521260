/// Another mode, or another turn, for one monitor: remembered for this monitor, and it goes before the configuration.
public struct ModeRequest: Codable, Hashable, Sendable {
  /// A policy's name (`legible`, `native`, `halve-above-1080p`) or a mode, `1920x1080@60`; nil leaves it as it is.
  public var mode: String?
  /// Degrees clockwise, 0, 90, 180 or 270; nil leaves it as it is.
  public var rotation: Int?
  /// True keeps it at once; otherwise it is taken back after 15 seconds, unless somebody confirms it before.
  public var keep: Bool?

  /// A request from its parts.
  public init(mode: String? = nil, rotation: Int? = nil, keep: Bool? = nil) {
    self.mode = mode
    self.rotation = rotation
    self.keep = keep
  }
}

/// A mode that is tried, and will be taken back unless somebody confirms it.
public struct ModeTrial: Codable, Hashable, Sendable {
  /// What is tried: a policy's name or a mode; nil where the mode was left as it was.
  public var mode: String?
  /// By how many degrees clockwise pictures are turned in the meantime.
  public var rotation: Int
  /// When it is taken back.
  public var until: Timestamp

  /// A trial from its parts.
  public init(mode: String?, rotation: Int, until: Timestamp) {
    self.mode = mode
    self.rotation = rotation
    self.until = until
  }
}

/// Which displays are to tell their names on the glass.
public struct IdentifyRequest: Codable, Hashable, Sendable {
  /// The display; nil for all that are connected.
  public var display: String?
  /// For how long, 1...600; 10 where nothing is said.
  public var seconds: Int?

  /// A request from its parts.
  public init(display: String? = nil, seconds: Int? = nil) {
    self.display = display
    self.seconds = seconds
  }
}
