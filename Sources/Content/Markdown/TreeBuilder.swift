/// A builder that turns a parser's events into a tree: the start and end of blocks and spans, and texts.
///
/// Its size is limited in each dimension. Containers and spans that are nested too deeply are dropped, and their
/// content moves to the deepest allowed level. `isFull` reports that the limit on parts or bytes is reached.
final class TreeBuilder {
  /// The nesting limit, separately for containers (quotes and lists with their items) and for spans.
  private static let mostLevels = 32
  private static let mostParts = 1 << 18
  private static let mostBytes = 1 << 22

  private(set) var warnings: [Warning] = []
  /// Whether the tree has reached its maximum size, so that the parser must stop.
  private(set) var isFull = false
  /// The length of the whole text in bytes, which no piece of it can exceed.
  var mostPieceBytes = 0

  private var containers = [Container(kind: .document)]
  private var spans: [Span] = []
  private var ignoredContainers = 0
  private var ignoredSpans = 0
  private var table: Table?
  private var row: Row?
  private var anchors = AnchorNames()
  /// HTML that is still incomplete: the parser reports it in pieces.
  private var html = ""
  private var parts = 0
  private var bytes = 0

  /// A block that contains blocks.
  struct Container {
    enum Kind {
      case document, quote
      case list(List)
      case item(isDone: Bool?)
    }
    var kind: Kind
    var blocks: [Block] = []
    var items: [List.Item] = []

    var isItem: Bool { if case .item = kind { true } else { false } }
  }

  /// An element that contains text: a block, or a span inside of it.
  struct Span {
    enum Kind {
      /// The text of an item in a tight list, which the parser does not report as a paragraph; it starts and ends
      /// implicitly.
      case tight
      case paragraph, heading(level: Int), codeBlock(language: String), html, cell
      case emphasis, strong, strikethrough, code
      case link(destination: String, title: String)
      case image(source: String, title: String)
    }
    var kind: Kind
    var content: [Inline] = []
    /// The text that is being collected at the end of the content.
    var text = ""

    mutating func append(_ inline: Inline) {
      endText()
      content.append(inline)
    }

    mutating func endText() {
      if !text.isEmpty { content.append(.text(text)) }
      text = ""
    }
  }

  private struct Row {
    var isHeader: Bool
    var cells: [Table.Cell] = []
  }

  /// Closes all open elements and returns the tree.
  func finish() -> [Block] {
    endLeaf()
    endRow()
    endTable()
    while containers.count > 1 { endContainer() }
    return containers[0].blocks
  }

  func warn(_ warning: Warning) { if !warnings.contains(warning) { warnings.append(warning) } }

  /// Stops before the end of the text, with a warning.
  func stop() {
    warn(.unfinished)
    isFull = true
  }

  /// Counts parts and bytes that are about to be added to the tree.
  private func count(parts: Int = 0, bytes: Int = 0) {
    self.parts &+= parts
    self.bytes &+= bytes
    guard self.parts > Self.mostParts || self.bytes > Self.mostBytes else { return }
    warn(self.parts > Self.mostParts ? .manyParts(Self.mostParts) : .manyBytes(Self.mostBytes))
    isFull = true
  }
}

// MARK: Blocks
extension TreeBuilder {
  func begin(_ kind: Container.Kind) {
    endLeaf()
    let container = Container(kind: kind)
    // An item is kept or dropped together with its list.
    if ignoredContainers > 0 || !container.isItem && containers.count(where: { !$0.isItem }) > Self.mostLevels {
      ignoredContainers &+= 1
      warn(.deep(levels: Self.mostLevels))
    } else {
      count(parts: 1)
      containers.append(container)
    }
  }

  func endContainer() {
    endLeaf()
    guard ignoredContainers == 0 else { return ignoredContainers &-= 1 }
    guard containers.count > 1, let container = containers.popLast() else { return }
    switch container.kind {
    case .document: break
    case .quote: append(.quote(container.blocks))
    case .item(let isDone):
      containers[containers.count - 1].items.append(List.Item(isDone: isDone, blocks: container.blocks))
    case .list(var list):
      list.items = container.items
      append(.list(list))
    }
  }

  func append(_ block: Block) {
    count(parts: 1)
    containers[containers.count - 1].blocks.append(block)
  }

  func rule() {
    endLeaf()
    append(.rule)
  }

  func beginTable() {
    endLeaf()
    table = Table()
  }

  func beginRow() { row = Row(isHeader: table?.header.isEmpty ?? true) }

  func beginCell(_ alignment: Table.Alignment) {
    if row?.isHeader == true { table?.columns.append(alignment) }
    begin(.cell)
  }

  func endRow() {
    guard let ended = row else { return }
    if ended.isHeader { table?.header = ended.cells } else { table?.rows.append(ended.cells) }
    row = nil
  }

  func endTable() {
    guard let ended = table else { return }
    table = nil
    if !ended.columns.isEmpty { append(.table(ended)) }
  }
}

// MARK: Texts
extension TreeBuilder {
  /// Starts a block of text, or a span inside of one.
  func begin(_ kind: Span.Kind) {
    endHTML()
    switch kind {
    case .tight, .paragraph, .heading, .codeBlock, .html, .cell: endLeaf()
    case .emphasis, .strong, .strikethrough, .code, .link, .image: beginTight()
    }
    if spans.count > Self.mostLevels {
      ignoredSpans &+= 1
      return warn(.deep(levels: Self.mostLevels))
    }
    count(parts: 1)
    if case .link(let address, let title) = kind { count(bytes: address.utf8.count &+ title.utf8.count) }
    if case .image(let source, let title) = kind { count(bytes: source.utf8.count &+ title.utf8.count) }
    spans.append(Span(kind: kind))
  }

  func text(_ text: String) {
    endHTML()
    add(text)
  }

  func html(_ source: String) {
    beginTight()
    html += source
  }

  func lineBreak(_ inline: Inline) {
    endHTML()
    append(inline)
  }

  /// Ends the innermost span.
  func endSpan() {
    endHTML()
    guard ignoredSpans == 0 else { return ignoredSpans &-= 1 }
    guard var span = spans.popLast() else { return }
    span.endText()
    switch span.kind {
    case .emphasis: append(.emphasis(span.content))
    case .strong: append(.strong(span.content))
    case .strikethrough: append(.strikethrough(span.content))
    case .code: append(.code(span.content.plainText))
    case .link(let destination, let title):
      append(.link(span.content, destination: destination, title: title.isEmpty ? nil : title))
    case .image(let source, let title):
      append(.image(source: source, alternative: span.content.plainText, title: title.isEmpty ? nil : title))
    case .heading(let level):
      let anchor = anchors.name(for: span.content.plainText)
      append(.heading(Heading(level: level, anchor: anchor, content: span.content)))
    case .codeBlock(let language):
      append(.code(span.content.plainText, language: language.isEmpty ? nil : language))
    case .cell: row?.cells.append(span.content)
    case .tight, .paragraph, .html: if !span.content.isEmpty { append(.paragraph(span.content)) }
    }
  }

  /// Ends the block of text and all spans that are open in it.
  func endLeaf() {
    ignoredSpans = 0
    while !spans.isEmpty { endSpan() }
  }

  private func beginTight() { if spans.isEmpty { begin(.tight) } }

  private func append(_ inline: Inline) {
    beginTight()
    count(parts: 1)
    spans[spans.count - 1].append(inline)
  }

  private func add(_ text: String) {
    guard !text.isEmpty else { return }
    beginTight()
    if spans[spans.count - 1].text.isEmpty { count(parts: 1) }
    count(bytes: text.utf8.count)
    spans[spans.count - 1].text += text
  }

  /// Adds the collected HTML as plain text, line by line; standalone comments are dropped.
  private func endHTML() {
    guard !html.isEmpty else { return }
    let source = html.utf8.last == UInt8(ascii: "\n") ? html.dropLast() : html[...]
    html = ""
    let words = source.drop { $0.isWhitespace }
    if words.hasPrefix("<!--"), words.hasSuffix("-->") { return }
    let isBlock = if case .html = spans.last?.kind { true } else { false }
    for (place, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if place > 0 { append(isBlock ? .hardBreak : .softBreak) }
      add(String(line))
    }
  }
}
