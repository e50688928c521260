public import JSON

/// A request for a picture of a scene, which no display shows.
public struct RenderRequest: Codable, Hashable, Sendable {
  /// The scene document.
  public var scene: JSONValue
  /// The width of the picture, in pixels.
  public var width: Int
  /// The height of the picture, in pixels.
  public var height: Int
  /// The number of pixels per logical unit; nil for the number that a display of this size has.
  public var scale: Int?
  /// The time that the scene shows, in milliseconds since 1970; nil for now.
  public var at: Int64?
  /// The display whose style the scene inherits; nil for the style of the settings.
  public var display: String?

  /// The permitted widths and heights, in pixels.
  static let sides = 64...3840
  /// The maximum number of pixels.
  package static let mostPixels = 3840 * 2160

  /// Creates a request.
  public init(
    scene: JSONValue, width: Int, height: Int, scale: Int? = nil, at: Int64? = nil, display: String? = nil
  ) {
    self.scene = scene
    self.width = width
    self.height = height
    self.scale = scale
    self.at = at
    self.display = display
  }
}

extension RenderRequest: InterfaceObject {
  package static let interface = Interface.request(
    "RenderRequest", noun: "A request for a picture", "A scene to draw as a picture, which no display shows.",
    [
      field("scene", \.scene, "The scene document.", .scene),
      field("width", \.width, "The width of the picture, in pixels.", .range(sides), .example(640)),
      field("height", \.height, "The height of the picture, in pixels.", .range(sides), .example(360)),
      field(
        "scale", \.scale, "The number of pixels per logical unit; by default that of a display of this size.",
        .range(1...4)),
      field(
        "at", \.at, "The time that the scene shows, in milliseconds since 1970; now by default.",
        .range(ScheduleQuery.permittedTimes)),
      field("display", \.display, "The display whose style the scene inherits.", .notEmpty, .example("Virtual-1")),
    ])
}
