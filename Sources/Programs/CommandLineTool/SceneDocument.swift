import JSON

/// Scenes that are built from the values of a command line.
///
/// The service validates them.
enum SceneDocument {
  /// Returns a scene with one text, as large as possible.
  static func banner(_ text: String) -> JSONValue { document("banner", ["text": text]) }

  /// Returns a page of Markdown, whose images are relative to `folder`.
  static func markdown(_ text: String, folder: String?) -> JSONValue {
    document("markdown", ["text": text, "folder": folder])
  }

  /// Returns a card with a title and content below it.
  static func card(title: String?, content: String?, footer: String?, accent: String?) -> JSONValue {
    document("card", ["title": title, "content": content, "footer": footer, "accent": accent])
  }

  /// Returns the scene of a library entry.
  static func entry(_ name: String) -> JSONValue { document("entry", ["name": name]) }

  /// Returns an image that fills the display.
  static func image(path: String) -> JSONValue { document("image", ["path": path]) }

  /// Returns the card with this ID as a scene in the board's style, or nil if the board has none.
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

  /// Returns the IDs of a board's cards.
  static func cards(of board: JSONValue) -> [String] {
    (board["columns"]?.elements ?? []).flatMap { $0["cards"]?.elements ?? [] }.compactMap { $0["id"]?.text }
  }

  private static func document(_ kind: String, _ fields: [String: String?]) -> JSONValue {
    var members = fields.compactMapValues { $0.map(JSONValue.string) }
    members["kind"] = .string(kind)
    return .object(members)
  }
}
