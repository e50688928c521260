import CMD4C

// md4c calls back for each block, span and text. The callbacks convert the values, and stop md4c when the tree is full.

extension TreeBuilder {
  /// Parses a text with md4c (https://github.com/mity/md4c), which borrows the text and the builder until it returns.
  func read(_ source: Source) {
    var parser = MD_PARSER()
    parser.flags = placard_md_flags | (source.hasAddresses ? placard_md_flag_autolinks : 0)
    unsafe parser.enter_block = { kind, detail, builder in
      unsafe TreeBuilder.at(builder) { unsafe $0.enterBlock(kind, detail) }
    }
    unsafe parser.leave_block = { kind, _, builder in unsafe TreeBuilder.at(builder) { $0.leaveBlock(kind) } }
    unsafe parser.enter_span = { kind, detail, builder in
      unsafe TreeBuilder.at(builder) { unsafe $0.enterSpan(kind, detail) }
    }
    unsafe parser.leave_span = { kind, _, builder in unsafe TreeBuilder.at(builder) { $0.leaveSpan(kind) } }
    unsafe parser.text = { kind, start, size, builder in
      unsafe TreeBuilder.at(builder) { unsafe $0.text(kind, start, size) }
    }
    mostPieceBytes = source.bytes.count
    let builder = unsafe Unmanaged.passUnretained(self).toOpaque()
    let result = unsafe source.bytes.withUnsafeBytes { bytes in
      let text = unsafe bytes.assumingMemoryBound(to: CChar.self)
      return unsafe md_parse(text.baseAddress, MD_SIZE(text.count - Source.padding), &parser, builder)
    }
    if result < 0 { stop() }
  }

  /// Returns a callback's result; any value other than 0 stops md4c.
  private static func at(_ pointer: UnsafeMutableRawPointer?, _ act: (TreeBuilder) -> Void) -> CInt {
    guard let pointer = unsafe pointer else { return 1 }
    let builder = unsafe Unmanaged<TreeBuilder>.fromOpaque(pointer).takeUnretainedValue()
    act(builder)
    return builder.isFull ? 1 : 0
  }

  private func enterBlock(_ kind: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) {
    switch kind {
    case MD_BLOCK_QUOTE: begin(.quote)
    case MD_BLOCK_UL, MD_BLOCK_OL, MD_BLOCK_LI: unsafe enterList(kind, detail)
    case MD_BLOCK_HR: rule()
    case MD_BLOCK_P: begin(.paragraph)
    case MD_BLOCK_HTML: begin(.html)
    case MD_BLOCK_TABLE: beginTable()
    case MD_BLOCK_TR: beginRow()
    case MD_BLOCK_H:
      let level = unsafe detail?.load(as: MD_BLOCK_H_DETAIL.self).level ?? 1
      begin(.heading(level: Int(level)))
    case MD_BLOCK_CODE:
      let language = unsafe (detail?.load(as: MD_BLOCK_CODE_DETAIL.self).lang).map { unsafe words($0) }
      begin(.codeBlock(language: language ?? ""))
    case MD_BLOCK_TH, MD_BLOCK_TD:
      let align = unsafe detail?.load(as: MD_BLOCK_TD_DETAIL.self).align ?? MD_ALIGN_DEFAULT
      beginCell(alignment(align))
    default: break
    }
  }

  private func enterList(_ kind: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) {
    guard let detail = unsafe detail else { return }
    switch kind {
    case MD_BLOCK_OL:
      let list = unsafe detail.load(as: MD_BLOCK_OL_DETAIL.self)
      begin(.list(List(start: Int(list.start), isTight: list.is_tight != 0, items: [])))
    case MD_BLOCK_UL:
      let list = unsafe detail.load(as: MD_BLOCK_UL_DETAIL.self)
      begin(.list(List(start: nil, isTight: list.is_tight != 0, items: [])))
    default:
      let item = unsafe detail.load(as: MD_BLOCK_LI_DETAIL.self)
      let isDone = item.task_mark != CChar(UInt8(ascii: " "))
      begin(.item(isDone: item.is_task != 0 ? isDone : nil))
    }
  }

  private func leaveBlock(_ kind: MD_BLOCKTYPE) {
    switch kind {
    case MD_BLOCK_QUOTE, MD_BLOCK_UL, MD_BLOCK_OL, MD_BLOCK_LI: endContainer()
    case MD_BLOCK_P, MD_BLOCK_H, MD_BLOCK_CODE, MD_BLOCK_HTML, MD_BLOCK_TH, MD_BLOCK_TD: endLeaf()
    case MD_BLOCK_TR: endRow()
    case MD_BLOCK_TABLE: endTable()
    default: break
    }
  }

  private func enterSpan(_ kind: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) {
    switch kind {
    case MD_SPAN_EM: begin(.emphasis)
    case MD_SPAN_STRONG: begin(.strong)
    case MD_SPAN_DEL: begin(.strikethrough)
    case MD_SPAN_CODE: begin(.code)
    case MD_SPAN_A:
      guard let link = unsafe detail?.load(as: MD_SPAN_A_DETAIL.self) else { return }
      begin(unsafe .link(destination: words(link.href), title: words(link.title)))
    case MD_SPAN_IMG:
      guard let image = unsafe detail?.load(as: MD_SPAN_IMG_DETAIL.self) else { return }
      begin(unsafe .image(source: words(image.src), title: words(image.title)))
    default: break
    }
  }

  private func leaveSpan(_ kind: MD_SPANTYPE) {
    switch kind {
    case MD_SPAN_EM, MD_SPAN_STRONG, MD_SPAN_DEL, MD_SPAN_CODE, MD_SPAN_A, MD_SPAN_IMG: endSpan()
    default: break
    }
  }

  private func text(_ kind: MD_TEXTTYPE, _ start: UnsafePointer<CChar>?, _ size: MD_SIZE) {
    // A longer piece than the whole text indicates an inconsistent range.
    guard size <= mostPieceBytes else { return stop() }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(size))
    switch kind {
    case MD_TEXT_BR: lineBreak(.hardBreak)
    case MD_TEXT_SOFTBR: lineBreak(.softBreak)
    case MD_TEXT_HTML: unsafe html(String(decoding: bytes, as: UTF8.self))
    default: unsafe text(decoded(kind, bytes[...]))
    }
  }

  /// Returns text of any kind except breaks and HTML.
  private func decoded(_ kind: MD_TEXTTYPE, _ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    switch kind {
    case MD_TEXT_NULLCHAR: "\u{FFFD}"
    case MD_TEXT_ENTITY: unsafe Entity.text(of: String(decoding: bytes, as: UTF8.self))
    default: unsafe String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Returns a destination, a title or a language; `substr_offsets` has one more element than `substr_types`, the size.
  private func words(_ attribute: MD_ATTRIBUTE) -> String {
    guard let start = unsafe attribute.text, let kinds = unsafe attribute.substr_types,
      let offsets = unsafe attribute.substr_offsets
    else { return "" }
    let size = unsafe Int(attribute.size)
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: size)
    var words = ""
    var place = 0
    while case let from = unsafe Int(offsets[place]), from < size {
      let end = unsafe Int(offsets[place + 1])
      guard from <= end, end <= size else { break }
      unsafe words += decoded(kinds[place], bytes[from..<end])
      place += 1
    }
    return words
  }

  private func alignment(_ align: MD_ALIGN) -> Table.Alignment {
    switch align {
    case MD_ALIGN_LEFT: .left
    case MD_ALIGN_CENTER: .center
    case MD_ALIGN_RIGHT: .right
    default: .natural
    }
  }
}
