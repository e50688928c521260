package import Geometry

/// A title with a text below it.
package struct Card: Hashable, Sendable {
  /// The card's ID on a board, under which it can be opened alone; nil for none.
  package var id: String?
  /// The largest line; nil for none.
  package var title: String?
  /// The body text; nil for none.
  package var content: String?
  /// The small print; nil for none.
  package var footer: String?
  /// The color of the bar at the card's edge; nil for the style's accent color.
  package var accent: Color?

  /// Creates a card from its parts.
  package init(
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
package struct Board: Hashable, Sendable {
  /// A column of cards.
  package struct Column: Hashable, Sendable {
    /// The title above the cards; nil for none.
    package var title: String?
    /// The cards, from top to bottom.
    package var cards: [Card]

    /// Creates a column of cards.
    package init(title: String? = nil, cards: [Card]) {
      self.title = title
      self.cards = cards
    }
  }

  /// The title above the columns; nil for none.
  package var title: String?
  /// The columns, in reading direction.
  package var columns: [Column]

  /// Creates a board of columns.
  package init(title: String? = nil, columns: [Column]) {
    self.title = title
    self.columns = columns
  }

  /// Returns the card with this ID; nil if it does not exist.
  package func card(_ id: String) -> Card? {
    for column in columns { if let card = column.cards.first(where: { $0.id == id }) { return card } }
    return nil
  }
}
