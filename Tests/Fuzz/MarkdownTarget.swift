/// Fuzzes the Markdown parser with bytes from libFuzzer. Every text must become a tree without a trap, and the tree
/// must keep the invariants of its types.
func fuzzMarkdown(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let document = Document(text)
  check(document.blocks, levels: 100)
  let anchors = document.headings.map(\.anchor)
  precondition(Set(anchors).count == anchors.count, "two headings with one anchor")
  precondition(document == Document(text))
  precondition(!document.plainText.utf8.contains(0))
}

private func check(_ blocks: [Block], levels: Int) {
  precondition(levels > 0, "the tree is too deep")
  for block in blocks {
    switch block {
    case .heading(let heading):
      precondition((1...6).contains(heading.level))
      check(heading.content, levels: levels - 1)
    case .paragraph(let content):
      precondition(!content.isEmpty)
      check(content, levels: levels - 1)
    case .quote(let blocks): check(blocks, levels: levels - 1)
    case .list(let list):
      precondition(!list.items.isEmpty && list.start ?? 0 >= 0)
      for item in list.items { check(item.blocks, levels: levels - 2) }
    case .table(let table):
      precondition(!table.columns.isEmpty)
      for row in [table.header] + table.rows {
        precondition(row.count == table.columns.count)
        for cell in row { check(cell, levels: levels - 1) }
      }
    case .code, .rule: break
    }
  }
}

private func check(_ content: [Inline], levels: Int) {
  precondition(levels > 0, "the tree is too deep")
  for (inline, next) in zip(content, content.dropFirst()) {
    if case .text = inline, case .text = next { preconditionFailure("two texts side by side") }
  }
  for inline in content {
    switch inline {
    case .text(let text): precondition(!text.isEmpty)
    case .emphasis(let content), .strong(let content), .strikethrough(let content): check(content, levels: levels - 1)
    case .link(let content, _, _): check(content, levels: levels - 1)
    case .code, .image, .softBreak, .hardBreak: break
    }
  }
}
