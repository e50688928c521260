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
    case .banner, .ticker, .clock, .qr, .blank, .pattern, .mirror, .start, .controller, .identify: false
    }
  }

  /// The file that it shows as a picture; nil for none that it names by itself.
  public var pictureFile: String? {
    switch content {
    case .image(let image): image.path
    case .now(let now): now.picture
    case .countdown(let countdown): countdown.then?.pictureFile
    default: nil
    }
  }

  /// The folder that names of its pictures count from; nil for none.
  public var pictureFolder: String? {
    switch content {
    case .markdown(let markdown): markdown.folder
    case .countdown(let countdown): countdown.then?.pictureFolder
    default: nil
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
