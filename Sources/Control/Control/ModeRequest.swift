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

extension ModeRequest: InterfaceObject {
  package static let interface = Interface.request(
    "ModeRequest", noun: "A request for a mode",
    "A request for another mode or rotation of one monitor, with at least one of the two.",
    [
      field(
        "mode", \.mode, "A policy (legible, native, halve-above-1080p) or one of the display's modes.", .notEmpty,
        .example("1280x720@60")),
      field("rotation", \.rotation, "The rotation in degrees clockwise.", .values([0, 90, 180, 270])),
      field(
        "keep", \.keep,
        "Whether to keep the change at once; otherwise it is reverted after 15 seconds unless it is confirmed."),
    ],
    [.atLeastOne(of: "mode", "rotation")])
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

extension PendingModeChange: InterfaceObject {
  package static let interface = Interface.report(
    "PendingModeChange", "A pending mode change, which is reverted unless it is confirmed.",
    [
      field(
        "mode", \.mode, "The name of a policy or a mode; absent if the mode was not changed.",
        .example("1280x720@60")),
      field(
        "rotation", \.rotation, "The rotation while the change is pending, in degrees clockwise.",
        .values([0, 90, 180, 270])),
      field("until", \.until, "The time at which the change is reverted."),
    ])
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

extension IdentifyRequest: InterfaceObject {
  package static let interface = Interface.request(
    "IdentifyRequest", noun: "A request to identify displays", "A request to show the identify screen on displays.",
    [
      field(
        "display", \.display, "The display; without it, all connected displays.", .notEmpty, .example("Virtual-1")),
      field("seconds", \.seconds, "The duration in seconds; 10 by default.", .range(1...600)),
    ])
}
