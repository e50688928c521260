public import JSON

/// The controller's board: columns of cards, each of which can be opened on a display.
public struct BoardReport: Codable, Hashable, Sendable {
  /// A card that is open in a session.
  public struct OpenCard: Codable, Hashable, Sendable {
    /// The card's ID.
    public var card: String
    /// The ID of the session that shows the card.
    public var session: Int
    /// The display of the session; nil while the session waits for its monitor.
    public var display: String?

    /// Creates an open card.
    public init(card: String, session: Int, display: String?) {
      self.card = card
      self.session = session
      self.display = display
    }
  }

  /// The scene document of kind `board`, in which each card has an `id`; a new board has no columns.
  public var board: JSONValue
  /// The revision of `board`.
  public var revision: String
  /// The open cards: those with a session whose tag is `card:` followed by the card's ID.
  public var open: [OpenCard]

  /// Creates a report.
  public init(board: JSONValue, revision: String, open: [OpenCard] = []) {
    self.board = board
    self.revision = revision
    self.open = open
  }
}

extension BoardReport: InterfaceObject {
  package static let interface = Interface.report(
    "BoardReport", "The controller's board.",
    [
      field("board", \.board, "The scene document of kind board, in which each card has an id."),
      field(
        "revision", \.revision, "The revision of the board, which is its entity tag.", .example("9ae16a3b2f90404f")),
      field("open", \.open, "The open cards."),
    ])
}

extension BoardReport.OpenCard: InterfaceObject {
  package static let interface = Interface.part(
    "A card that is open in a session.",
    [
      field("card", \.card, "The card's ID.", .example("c1")),
      field("session", \.session, "The ID of the session that shows the card.", .id),
      field(
        "display", \.display, "The display of the session; absent while the session waits for its monitor.",
        .example("HDMI-A-1")),
    ])
}
