extension Scene {
  /// Returns whether the scene may show a file with this name, in any folder.
  ///
  /// The result errs on the side of true: any occurrence of the name in a Markdown text or a card's content counts.
  ///
  /// - Parameter name: The file's name; the empty string occurs in every text.
  /// - Returns: Whether an image path ends with the name, or a Markdown text or a card's content contains it.
  package func mayShow(file name: String) -> Bool {
    switch content {
    case .image(let image): image.path.hasSuffix(name)
    case .now(let now): now.image?.hasSuffix(name) ?? false
    case .markdown(let markdown): markdown.text.mentions(name)
    case .card(let card): card.names(name)
    case .board(let board): board.columns.contains { $0.cards.contains { $0.names(name) } }
    default: children.contains { $0.scene.mayShow(file: name) }
    }
  }

  /// The image files that the scene and the scenes inside it name directly, as paths.
  package var pictureFiles: [String] { tree.compactMap(\.ownPicture) }

  /// The folders that relative image names of the scene and the scenes inside it resolve against.
  package var pictureFolders: [String] {
    tree.compactMap { if case .markdown(let markdown) = $0.content { markdown.folder } else { nil } }
  }

  /// The image file that the scene itself shows, as its path; nil if it does not name one directly.
  var ownPicture: String? {
    switch content {
    case .image(let image): image.path
    case .now(let now): now.image
    default: nil
    }
  }
}

extension Card {
  fileprivate func names(_ name: String) -> Bool { content?.mentions(name) ?? false }
}

extension String {
  /// Returns whether a name occurs anywhere in the text.
  fileprivate func mentions(_ name: String) -> Bool {
    utf8.indices.contains { utf8[$0...].starts(with: name.utf8) } || name.isEmpty
  }
}
