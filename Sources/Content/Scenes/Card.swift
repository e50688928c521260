public import Geometry

/// A title with a text below it.
public struct Card: Hashable, Sendable {
  /// The card's ID on a board, under which it can be opened alone; nil for none.
  public var id: String?
  /// The largest line; nil for none.
  public var title: String?
  /// The body text; nil for none.
  public var content: String?
  /// The small print; nil for none.
  public var footer: String?
  /// The color of the bar at the card's edge; nil for the style's accent color.
  public var accent: Color?

  /// Creates a card from its parts.
  public init(
    id: String? = nil, title: String? = nil, content: String? = nil, footer: String? = nil, accent: Color? = nil
  ) {
    self.id = id
    self.title = title
    self.content = content
    self.footer = footer
    self.accent = accent
  }
}

/// Columns of cards.
public struct Board: Hashable, Sendable {
  /// A column of cards.
  public struct Column: Hashable, Sendable {
    /// The title above the cards; nil for none.
    public var title: String?
    /// The cards, from top to bottom.
    public var cards: [Card]

    /// Creates a column of cards.
    public init(title: String? = nil, cards: [Card]) {
      self.title = title
      self.cards = cards
    }
  }

  /// The title above the columns; nil for none.
  public var title: String?
  /// The columns, in reading direction.
  public var columns: [Column]

  /// Creates a board of columns.
  public init(title: String? = nil, columns: [Column]) {
    self.title = title
    self.columns = columns
  }

  /// Returns the card with this ID; nil if it does not exist.
  public func card(_ id: String) -> Card? {
    for column in columns { if let card = column.cards.first(where: { $0.id == id }) { return card } }
    return nil
  }
}
