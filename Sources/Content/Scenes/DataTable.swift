package import JSON

/// Rows of cells below the titles of their columns, such as departures or orders.
package struct DataTable: Hashable, Sendable {
  /// A column.
  package struct Column: Hashable, Sendable {
    /// The title above the cells; nil for none.
    package var title: String?
    /// The alignment of the title and the cells.
    package var alignment: Alignment
    /// The share of the width, relative to the other columns; nil for a width by the content.
    package var weight: Double?

    /// Creates a column from its parts.
    package init(title: String? = nil, alignment: Alignment = .start, weight: Double? = nil) {
      self.title = title
      self.alignment = alignment
      self.weight = weight
    }
  }

  /// A cell.
  package enum Cell: Hashable, Sendable {
    /// A text.
    case text(String)
    /// A number in decimal notation, which is shown in the format of the language.
    case number(String)

    /// Creates a cell from a JSON string, or from a number with at most 40 characters; fails for another value.
    package init?(_ json: JSONValue) {
      switch json {
      case .string(let text): self = .text(text)
      // A number with an exponent of a billion would be written with a billion digits.
      case .number(let text) where text.utf8.count <= 40 && Double(text)?.isFinite ?? false: self = .number(text)
      case .number, .null, .bool, .array, .object: return nil
      }
    }

    /// The cell as a JSON string or number.
    package var json: JSONValue {
      switch self {
      case .text(let text): .string(text)
      case .number(let text): .number(text)
      }
    }

    /// The text of the cell, or its number in decimal notation.
    package var text: String {
      switch self {
      case .text(let text), .number(let text): text
      }
    }
  }

  /// The title above the table; nil for none.
  package var title: String?
  /// The columns, in reading direction.
  package var columns: [Column]
  /// The rows, each with a cell for each column; missing cells are empty.
  package var rows: [[Cell]]
  /// The live value with the rows, which replace `rows` as soon as it exists; nil for none.
  package var value: String?
  /// Words that highlight each row with a cell that begins with one of them, regardless of case.
  package var highlight: [String]
  /// The text while there are no rows; nil for none.
  package var empty: String?
  /// The time for which a page is shown, in seconds; 0 to stay on a page, and nil for `usualSecondsPerPage`.
  package var secondsPerPage: Int?
  /// A remark about all rows, such as the time of a value that is too old; nil for none.
  var note: String?

  /// The time for which a page is shown by default, in seconds.
  package static let usualSecondsPerPage = 10
  /// The allowed weights of columns.
  package static let weights = 0.1...100.0

  /// Creates a table from its parts.
  package init(
    title: String? = nil, columns: [Column], rows: [[Cell]] = [], value: String? = nil, highlight: [String] = [],
    empty: String? = nil, secondsPerPage: Int? = nil
  ) {
    self.title = title
    self.columns = columns
    self.rows = rows
    self.value = value
    self.highlight = highlight
    self.empty = empty
    self.secondsPerPage = secondsPerPage
  }
}

/// The final texts of a table, and the part of it that is visible.
package struct TableView: Hashable, Sendable {
  /// A row.
  package struct Row: Hashable, Sendable {
    /// The texts of the cells, one for each column.
    package var cells: [String]
    /// Whether the row is highlighted.
    package var isHighlighted: Bool

    /// Creates a row.
    package init(_ cells: [String], isHighlighted: Bool = false) {
      self.cells = cells
      self.isHighlighted = isHighlighted
    }
  }

  /// The title above the table; nil for none.
  package var title: String?
  /// The columns, in reading direction.
  package var columns: [DataTable.Column]
  /// All rows.
  package var rows: [Row]
  /// The text instead of rows; nil for none.
  package var empty: String?
  /// A remark about all rows, such as their age; nil for none.
  package var note: String?
  /// The position of the visible page.
  package var place: Place
  /// Whether the first column is at the right.
  package var isRightToLeft: Bool

  /// Creates the view of a table from its parts.
  package init(
    title: String? = nil, columns: [DataTable.Column], rows: [Row], empty: String? = nil, note: String? = nil,
    place: Place = .start, isRightToLeft: Bool = false
  ) {
    self.title = title
    self.columns = columns
    self.rows = rows
    self.empty = empty
    self.note = note
    self.place = place
    self.isRightToLeft = isRightToLeft
  }
}
