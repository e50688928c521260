/// A message, and where it is shown.
public struct MessageReport: Codable, Hashable, Sendable {
  /// The presentation of a message on one display.
  public struct Showing: Codable, Hashable, Sendable {
    /// The connector's name.
    public var display: String
    /// The time of the flip, in nanoseconds of CLOCK_MONOTONIC. If the display showed the same picture before, it is
    /// the time of that flip.
    public var flipTime: UInt64
    /// The time from the arrival of the request to the flip, in milliseconds.
    public var milliseconds: Double

    /// Creates a showing.
    public init(display: String, flipTime: UInt64, milliseconds: Double) {
      self.display = display
      self.flipTime = flipTime
      self.milliseconds = milliseconds
    }
  }

  /// The ID of the live message; nil if there is none.
  public var id: Int?
  /// The target display; nil if the target is all displays, a role or a tag.
  public var display: String?
  /// The text; nil if there is none, or if the message is a scene of another kind.
  public var text: String?
  /// The displays that have shown the message; filled in only if the request asked to wait.
  public var shown: [Showing]
  /// The displays that did not show the message, as `name: reason`.
  public var notShown: [String]
  /// Warnings for people about how the message is shown, as `name: warning`.
  ///
  /// Examples are truncated text, characters that no font has (with the Debian package of a font that has them), and a
  /// substituted font.
  public var warnings: [String]
  /// The reason why no display shows the message or is about to; nil if one does.
  public var unseen: String?
  /// The messages that cover this one, one per display; nil if there are none.
  public var covers: [Cover]?
  /// The distances from which the smallest text is readable, one per display whose size is known.
  public var legibility: [LegibilityReport]?

  /// Creates a report.
  public init(
    id: Int? = nil, display: String?, text: String?, shown: [Showing] = [], notShown: [String] = [],
    warnings: [String] = [], unseen: String? = nil, covers: [Cover]? = nil, legibility: [LegibilityReport]? = nil
  ) {
    self.id = id
    self.warnings = warnings
    self.unseen = unseen
    self.covers = covers
    self.legibility = legibility
    self.display = display
    self.text = text
    self.shown = shown
    self.notShown = notShown
  }
}

extension MessageReport: InterfaceObject {
  package static let interface = Interface.report(
    "MessageReport", "A message, and where it is shown.",
    [
      field("id", \.id, "The ID of the live message; absent if there is none.", .id),
      field("display", \.display, "The target display; absent for other targets.", .example("HDMI-A-1")),
      field("text", \.text, "The text; absent if there is none.", .example("Welcome")),
    ] + Delivery.interface.fields)
}

extension MessageReport.Showing: InterfaceObject {
  package static let interface = Interface.part(
    "The presentation of a message on one display.",
    [
      field("display", \.display, "The connector's name.", .example("HDMI-A-1")),
      field(
        "flipTime", \.flipTime,
        "The time of the flip, in nanoseconds of CLOCK_MONOTONIC. If the display showed the same picture before, it is "
          + "the time of that flip."),
      field(
        "milliseconds", \.milliseconds, "The time from the arrival of the request to the flip, in milliseconds."),
    ])
}
