/// A block-level element.
package enum Block: Hashable, Sendable {
  /// A heading.
  case heading(Heading)
  /// A paragraph, which is never empty.
  case paragraph([Inline])
  /// A block quote.
  case quote([Block])
  /// A bulleted or numbered list.
  case list(List)
  /// A code block, with line breaks and spaces unchanged, and with tabs in the indentation replaced by spaces.
  ///
  /// The language is the first word after the fence, if any.
  case code(String, language: String?)
  /// A thematic break, a horizontal line.
  case rule
  /// A table.
  case table(Table)
}

/// A heading.
package struct Heading: Hashable, Sendable {
  /// The level, 1 to 6.
  package let level: Int
  /// The anchor, unique in the document and compatible with GitHub: `what-to-do`, `what-to-do-1`.
  package let anchor: String
  /// The heading's content.
  package let content: [Inline]
}

/// A bulleted or numbered list.
package struct List: Hashable, Sendable {
  /// The number of the first item, 0 to 999999999; nil for a bulleted list.
  package let start: Int?
  /// Whether no blank lines separate the items.
  package let isTight: Bool
  /// The items, at least one.
  package internal(set) var items: [Item]

  /// An item of a list.
  package struct Item: Hashable, Sendable {
    /// Whether the task is done; nil if the item is not a task.
    package let isDone: Bool?
    /// The item's content, which may be empty.
    package internal(set) var blocks: [Block]
  }
}

/// A table, as in GitHub's extension of CommonMark.
package struct Table: Hashable, Sendable {
  /// The content of one cell.
  package typealias Cell = [Inline]

  /// The alignment of a column.
  package enum Alignment: Hashable, Sendable { case natural, left, center, right }

  /// The alignment of each column.
  package internal(set) var columns: [Alignment] = []
  /// The column titles, one per column.
  package internal(set) var header: [Cell] = []
  /// The rows from top to bottom, with one cell per column; the last row of a truncated text may have fewer.
  package internal(set) var rows: [[Cell]] = []
}

extension Block {
  var headings: [Heading] {
    switch self {
    case .heading(let heading): [heading]
    case .quote(let blocks): blocks.flatMap(\.headings)
    case .list(let list): list.items.flatMap { $0.blocks.flatMap(\.headings) }
    case .paragraph, .code, .rule, .table: []
    }
  }

  /// The text in document order, without markup.
  package var plainText: String {
    switch self {
    case .heading(let heading): heading.content.plainText
    case .paragraph(let content): content.plainText
    case .quote(let blocks): blocks.plainText
    case .list(let list): list.items.map(\.blocks.plainText).joined(separator: "\n")
    case .code(let code, _): code.hasSuffix("\n") ? String(code.dropLast()) : code
    case .rule: ""
    case .table(let table):
      ([table.header] + table.rows).map { $0.map(\.plainText).joined(separator: "\t") }.joined(separator: "\n")
    }
  }
}

extension [Block] {
  /// The text of all blocks, one block per line; thematic breaks are left out.
  package var plainText: String { lazy.filter { $0 != .rule }.map(\.plainText).joined(separator: "\n") }
}
