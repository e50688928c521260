import JSON

/// The rule for names that clients give: IDs of cards, names of messages, tags of sessions and monitors.
///
/// Shells complete these names and expand them, so none of the allowed characters has a meaning in a shell.
public enum Name {
  /// The rule as a pattern of JSON Schema.
  static let pattern = #"^[A-Za-z0-9._:@-]{1,64}$"#
  private static let most = 64
  private static let card = "card:"

  /// Returns why a text is not allowed as a name, as the rest of a sentence that begins with its field; nil if it is.
  public static func refusal(of text: String) -> String? {
    guard !isAllowed(text) else { return nil }
    return "is \(DocumentError.quote(text)): it must be 1 to 64 of the characters A-Z a-z 0-9 . _ : @ -"
  }

  /// Returns why a text is not allowed as a tag; nil if it is. The tag of an open card is `card:` and the card's ID.
  public static func refusal(ofTag text: String) -> String? {
    refusal(of: text.hasPrefix(card) ? String(text.dropFirst(card.count)) : text)
  }

  private static func isAllowed(_ text: String) -> Bool {
    (1...most).contains(text.utf8.count) && text.utf8.allSatisfy(isAllowed)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "._:@-".utf8.contains(byte)
    }
  }
}

// Services up to 0.1 accepted any text as a name. A stored name that is no longer allowed is replaced by an allowed one. The
// replacement depends on the old name alone, so an open card still belongs to its card on the board.

extension Name {
  /// Returns a stored name if it is allowed, otherwise one with a dash for each other byte, and a hash of the old name.
  static func restored(_ old: String) -> String {
    if isAllowed(old) { return old }
    // FNV-1a, so that different names remain different.
    let hash = old.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    let start = old.utf8.prefix(most - 1 - digits.count).map { isAllowed($0) ? $0 : UInt8(ascii: "-") }
    return String(decoding: start, as: UTF8.self) + "-" + digits
  }

  /// Returns a stored tag if it is allowed, otherwise its replacement.
  static func restored(tag old: String) -> String {
    guard old.hasPrefix(card) else { return restored(old) }
    return card + restored(String(old.dropFirst(card.count)))
  }

  /// Returns a stored scene's document with allowed IDs on its cards.
  static func restored(in document: JSONValue) -> JSONValue {
    guard case .object(var members) = document else { return document }
    switch members["kind"]?.text {
    case "card": members["id"] = members["id"].map(restored(id:))
    case "board": members["columns"] = each(of: members["columns"]) { changing("cards", of: $0, restoredCards) }
    case "countdown": members["then"] = members["then"].map(restored(in:))
    default: break
    }
    return .object(members)
  }

  private static func restoredCards(_ cards: JSONValue) -> JSONValue {
    each(of: cards) { changing("id", of: $0, restored(id:)) } ?? cards
  }

  private static func restored(id: JSONValue) -> JSONValue { id.text.map { .string(restored($0)) } ?? id }

  private static func each(of array: JSONValue?, _ change: (JSONValue) -> JSONValue) -> JSONValue? {
    guard case .array(let elements)? = array else { return array }
    return .array(elements.map(change))
  }

  private static func changing(
    _ key: String, of object: JSONValue, _ change: (JSONValue) -> JSONValue
  ) -> JSONValue {
    guard case .object(var members) = object else { return object }
    members[key] = members[key].map(change)
    return .object(members)
  }
}
