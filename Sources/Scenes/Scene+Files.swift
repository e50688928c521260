extension Scene {
  /// Whether it may show a file of this name, in whatever folder: a text that names it counts, too.
  public func mayShow(file name: String) -> Bool {
    switch content {
    case .image(let image): image.path.hasSuffix(name)
    case .now(let now): now.picture?.hasSuffix(name) ?? false
    case .markdown(let markdown): markdown.text.mentions(name)
    case .countdown(let countdown): countdown.then?.mayShow(file: name) ?? false
    case .card(let card): card.names(name)
    case .board(let board): board.columns.contains { $0.cards.contains { $0.names(name) } }
    case .banner, .ticker, .clock, .qr, .blank, .pattern, .mirror, .controller, .identify: false
    }
  }
}

extension Card {
  fileprivate func names(_ name: String) -> Bool { content?.mentions(name) ?? false }
}

extension String {
  /// Whether a name is somewhere in the text.
  fileprivate func mentions(_ name: String) -> Bool {
    utf8.indices.contains { utf8[$0...].starts(with: name.utf8) } || name.isEmpty
  }
}
