/// A request to put displays to sleep or to wake them.
public struct SleepRequest: Codable, Hashable, Sendable {
  /// Whether to sleep.
  public var asleep: Bool
  /// The display; nil for all connected displays.
  public var display: String?

  /// Creates a request.
  public init(asleep: Bool, display: String? = nil) {
    self.asleep = asleep
    self.display = display
  }
}

extension SleepRequest: InterfaceObject {
  package static let interface = Interface.request(
    "SleepRequest", noun: "A request to sleep or wake", "A request to put displays to sleep or to wake them.",
    [
      field("asleep", \.asleep, "Whether to sleep."),
      field(
        "display", \.display, "The display; without it, all connected displays.", .notEmpty, .example("Virtual-1")),
    ])
}

/// A request to plug in a virtual monitor, given by its size or by a real monitor's EDID.
public struct PlugRequest: Codable, Hashable, Sendable {
  /// The name of the virtual output, such as `Virtual-2`; nil for the next free one.
  public var display: String?
  /// The width in pixels, 16...16384; set with `height` instead of `edid`.
  ///
  /// Width times height is at most 35,389,440 (8192x4320).
  public var width: Int?
  /// The height in pixels, 16...16384.
  public var height: Int?
  /// The bytes of the EDID in base64; set instead of a size.
  public var edid: String?

  /// Creates a request.
  public init(display: String? = nil, width: Int? = nil, height: Int? = nil, edid: String? = nil) {
    self.display = display
    self.width = width
    self.height = height
    self.edid = edid
  }
}

extension PlugRequest: InterfaceObject {
  package static let interface = Interface.request(
    "PlugRequest", noun: "A virtual monitor",
    "A request to plug in a virtual monitor, given by its size or by a real monitor's EDID.",
    [
      field(
        "display", \.display, "The virtual output; without it, the next free one.",
        .pattern("^(Virtual-([1-9]|[1-5][0-9]|6[0-4])|eDP-1)$"), .example("Virtual-2")),
      field(
        "width", \.width, "The width in pixels; width times height is at most 35389440.", .range(16...16384),
        .example(1280)),
      field(
        "height", \.height, "The height in pixels; width times height is at most 35389440.", .range(16...16384),
        .example(720)),
      field(
        "edid", \.edid, "The bytes of the EDID in base64, instead of a size.", .length(172...44_000),
        .pattern("^AP///////wA[A-Za-z0-9+/]*={0,2}$"), .encoding("base64")),
    ],
    [.exactlyOne(ofGroups: ["width", "height"], ["edid"])])
}
