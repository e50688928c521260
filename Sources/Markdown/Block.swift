/// What takes lines of its own.
public enum Block: Hashable, Sendable {
  /// A title of what follows.
  case heading(Heading)
  /// A paragraph; never empty.
  case paragraph([Inline])
  /// What somebody else said.
  case quote([Block])
  /// Items, with bullets or numbers.
  case list(List)
  /// Code, line ends and spaces as they are; tabs that indent a line are spaces. The language is the first word behind
  /// the fence, if any.
  case code(String, language: String?)
  /// A line across, between two themes.
  case rule
  /// Rows and columns.
  case table(Table)
}

/// A title.
public struct Heading: Hashable, Sendable {
  /// 1 to 6.
  public let level: Int
  /// Its name, which no other heading of the document has, made as GitHub makes it: `what-to-do`, `what-to-do-1`.
  public let anchor: String
  /// The words.
  public let content: [Inline]
}

/// Items below one another.
public struct List: Hashable, Sendable {
  /// The number of the first item, 0 to 999999999; nil where there are bullets.
  public let start: Int?
  /// Whether its items stand close together, as those do that no empty line parts.
  public let isTight: Bool
  /// At least one.
  public internal(set) var items: [Item]

  /// One item.
  public struct Item: Hashable, Sendable {
    /// Whether a task is done; nil where the item is no task.
    public let isDone: Bool?
    /// Its content; of an empty item, none.
    public internal(set) var blocks: [Block]
  }
}

/// A table of GitHub's kind.
public struct Table: Hashable, Sendable {
  /// What is in one row of one column.
  public typealias Cell = [Inline]

  /// Where a column's texts stand.
  public enum Alignment: Hashable, Sendable { case natural, left, center, right }

  /// One of each column.
  public internal(set) var columns: [Alignment] = []
  /// The titles of the columns; as many as there are columns.
  public internal(set) var header: [Cell] = []
  /// Rows from the top, each with as many cells as there are columns; the last one may have fewer where a text was cut.
  public internal(set) var rows: [[Cell]] = []
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

  /// Its text in its order, without any marks.
  public var plainText: String {
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
  /// The text of all of them, each on a line of its own; rules have none.
  public var plainText: String { lazy.filter { $0 != .rule }.map(\.plainText).joined(separator: "\n") }
}
