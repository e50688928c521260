import JSON

/// Scenes as the service reads them, made of what a command line names. What they mean is the service's to judge.
enum SceneDocument {
  /// One text, as large as it can be.
  static func banner(_ text: String) -> JSONValue { document("banner", ["text": text]) }

  /// A text in Markdown; pictures that it names are looked for in `folder`.
  static func markdown(_ text: String, folder: String?) -> JSONValue {
    document("markdown", ["text": text, "folder": folder])
  }

  /// A title with something below it.
  static func card(title: String?, content: String?, footer: String?, accent: String?) -> JSONValue {
    document("card", ["title": title, "content": content, "footer": footer, "accent": accent])
  }

  /// A picture over the whole display.
  static func image(path: String) -> JSONValue { document("image", ["path": path]) }

  /// The card of this id on a board, as a scene of its own in the board's style; nil where there is none.
  static func card(_ id: String, of board: JSONValue) -> JSONValue? {
    for column in board["columns"]?.elements ?? [] {
      for card in column["cards"]?.elements ?? [] where card["id"]?.text == id {
        guard case .object(var members) = card else { continue }
        members["kind"] = .string("card")
        members["style"] = board["style"]
        return .object(members)
      }
    }
    return nil
  }

  /// The ids of a board's cards.
  static func cards(of board: JSONValue) -> [String] {
    (board["columns"]?.elements ?? []).flatMap { $0["cards"]?.elements ?? [] }.compactMap { $0["id"]?.text }
  }

  private static func document(_ kind: String, _ fields: [String: String?]) -> JSONValue {
    var members = fields.compactMapValues { $0.map(JSONValue.string) }
    members["kind"] = .string(kind)
    return .object(members)
  }
}

extension JSONValue {
  /// The elements of an array; nil for anything else.
  var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }
}
