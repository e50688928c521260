public import JSON

/// The controller's board: columns of cards, each of which can be opened on a display.
public struct BoardReport: Codable, Hashable, Sendable {
  /// A card that is open somewhere.
  public struct OpenCard: Codable, Hashable, Sendable {
    /// The card's id.
    public var card: String
    /// The session that shows it.
    public var session: Int
    /// The display that the session is on; nil while it waits for its monitor.
    public var display: String?

    /// A card that this session shows.
    public init(card: String, session: Int, display: String?) {
      self.card = card
      self.session = session
      self.display = display
    }
  }

  /// A scene's document of kind `board`, each card with an `id`; a board without columns at first.
  public var board: JSONValue
  /// Its revision.
  public var revision: String
  /// Which cards are open where: sessions whose tag is `card:` and the card's id.
  public var open: [OpenCard]

  /// A report from its parts.
  public init(board: JSONValue, revision: String, open: [OpenCard] = []) {
    self.board = board
    self.revision = revision
    self.open = open
  }
}
