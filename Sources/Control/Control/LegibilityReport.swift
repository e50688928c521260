/// The distance from which the smallest text on a display is readable.
public struct LegibilityReport: Codable, Hashable, Sendable {
  /// The connector's name.
  public var display: String
  /// The height of a capital letter in the smallest text, in millimeters.
  public var letterHeight: Double
  /// The largest distance from which a capital letter is seen at an angle of at least 20 minutes of arc, in meters.
  public var readableDistance: Double
  /// The configured distance of the readers, in meters; nil if there is none.
  public var distance: Double?

  /// Creates a report.
  public init(display: String, letterHeight: Double, readableDistance: Double, distance: Double? = nil) {
    self.display = display
    self.letterHeight = letterHeight
    self.readableDistance = readableDistance
    self.distance = distance
  }
}

extension LegibilityReport: InterfaceObject {
  package static let interface = Interface.part(
    "The distance from which the smallest text on a display is readable.",
    [
      field("display", \.display, "The connector's name.", .example("HDMI-A-1")),
      field(
        "letterHeight", \.letterHeight, "The height of a capital letter in the smallest text, in millimeters.",
        .example(36)),
      field(
        "readableDistance", \.readableDistance,
        "The largest distance from which it is readable, in meters: a capital letter is seen at an angle of 20 minutes "
          + "of arc (NUREG-0700).", .example(6)),
      field("distance", \.distance, "The configured distance of the readers, in meters.", .example(6)),
    ])
}
