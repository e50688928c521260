/// A request for another mode or rotation of one monitor.
///
/// The daemon stores the choice for this monitor, where it takes precedence over the configuration.
public struct ModeRequest: Codable, Hashable, Sendable {
  /// The name of a policy (`legible`, `native`, `halve-above-1080p`) or a mode such as `1920x1080@60`; nil for no
  /// change.
  public var mode: String?
  /// The rotation in degrees clockwise, 0, 90, 180 or 270; nil for no change.
  public var rotation: Int?
  /// Whether to keep the change at once; otherwise it is reverted after 15 seconds unless it is confirmed.
  public var keep: Bool?

  /// Creates a request.
  public init(mode: String? = nil, rotation: Int? = nil, keep: Bool? = nil) {
    self.mode = mode
    self.rotation = rotation
    self.keep = keep
  }
}

/// A pending mode change, which is reverted unless it is confirmed.
public struct PendingModeChange: Codable, Hashable, Sendable {
  /// The name of a policy or a mode; nil if the mode was not changed.
  public var mode: String?
  /// The rotation of frames while the change is pending, in degrees clockwise.
  public var rotation: Int
  /// The time at which the change is reverted.
  public var until: Timestamp

  /// Creates a pending mode change.
  public init(mode: String?, rotation: Int, until: Timestamp) {
    self.mode = mode
    self.rotation = rotation
    self.until = until
  }
}

/// A request to show the identify screen on displays.
public struct IdentifyRequest: Codable, Hashable, Sendable {
  /// The display; nil for all connected displays.
  public var display: String?
  /// The duration in seconds, 1...600; nil for 10 seconds.
  public var seconds: Int?

  /// Creates a request.
  public init(display: String? = nil, seconds: Int? = nil) {
    self.display = display
    self.seconds = seconds
  }
}
