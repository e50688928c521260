public import Geometry

/// A title with something below it.
public struct Card: Hashable, Sendable {
  /// What a board calls it, so that it can be opened alone; nil where nobody asks.
  public var id: String?
  /// The largest line; nil for none.
  public var title: String?
  /// What it says.
  public var content: String?
  /// The small print.
  public var footer: String?
  /// The colour of its edge; nil for the style's accent.
  public var accent: Color?

  /// A card from its parts.
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
  /// One column.
  public struct Column: Hashable, Sendable {
    /// Above its cards; nil for none.
    public var title: String?
    /// From the top.
    public var cards: [Card]

    /// A column of these cards.
    public init(title: String? = nil, cards: [Card]) {
      self.title = title
      self.cards = cards
    }
  }

  /// Above the columns; nil for none.
  public var title: String?
  /// From the side where reading starts.
  public var columns: [Column]

  /// A board of these columns.
  public init(title: String? = nil, columns: [Column]) {
    self.title = title
    self.columns = columns
  }

  /// The card of this id; nil where there is none.
  public func card(_ id: String) -> Card? {
    for column in columns { if let card = column.cards.first(where: { $0.id == id }) { return card } }
    return nil
  }
}
