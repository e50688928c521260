import JSON
import Primitives

/// The syntax of names that clients choose: IDs of cards, names of messages, and tags of sessions and monitors.
///
/// Shells complete and expand these names, so no allowed character has a special meaning in a shell.
package enum Name {
  /// The syntax as a JSON Schema pattern.
  static let pattern = #"^[A-Za-z0-9._:@-]{1,64}$"#
  private static let most = 64
  private static let card = "card:"

  /// Returns the reason why a name is not allowed; nil if it is.
  ///
  /// - Parameter text: The name to check.
  /// - Returns: The rest of a sentence that starts with the name's field.
  package static func refusal(of text: String) -> String? {
    guard !isAllowed(text) else { return nil }
    return "is \(DocumentError.quote(text)): it must be 1 to 64 of the characters A-Z a-z 0-9 . _ : @ -"
  }

  /// Returns the reason why a tag is not allowed; nil if it is.
  ///
  /// - Parameter text: The tag to check. The tag of an open card is `card:` and the card's ID.
  /// - Returns: The rest of a sentence that starts with the tag's field.
  package static func refusal(ofTag text: String) -> String? {
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

// Daemons up to version 0.1 accepted any text as a name. A stored name that is no longer allowed is replaced. The
// replacement depends only on the old name, so an open card still matches its card on the board.

extension Name {
  /// Returns a stored name if it is allowed, or otherwise a replacement: dashes for invalid bytes, and a hash of the
  /// old name.
  static func restored(_ old: String) -> String {
    if isAllowed(old) { return old }
    // With the hash, different names stay different.
    let digits = String(FNV1a.hash(old.utf8), radix: 16)
    let start = old.utf8.prefix(most - 1 - digits.count).map { isAllowed($0) ? $0 : UInt8(ascii: "-") }
    return String(decoding: start, as: UTF8.self) + "-" + digits
  }

  /// Returns a stored tag if it is allowed, or otherwise its replacement.
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
