import Control
import Primitives

/// An entity tag, which identifies a state of a resource (RFC 9110, 8.8.3).
struct EntityTag: Hashable, Sendable, CustomStringConvertible {
  /// The text between the quotes.
  var text: String
  /// Whether the tag is weak: it identifies equivalent states that may differ in their bytes.
  var isWeak = false

  /// The tag as it appears in a header, `"4f1c"` or `W/"4f1c"`.
  var description: String { (isWeak ? "W/" : "") + "\"\(text)\"" }

  /// Returns the tag of some bytes, their 64-bit FNV-1a hash in hexadecimal, which stays the same after a restart.
  static func of(_ bytes: [UInt8]) -> EntityTag {
    EntityTag(text: String(FNV1a.hash(bytes), radix: 16))
  }
}

/// The content of an If-Match or If-None-Match header.
enum EntityTags: Hashable, Sendable {
  /// `*`, which matches any existing state.
  case any
  /// A list of entity tags.
  case list([EntityTag])

  /// Returns whether a tag matches by strong comparison, in which weak tags in a list never match (RFC 9110, 8.8.3.2).
  func hold(strongly tag: EntityTag) -> Bool {
    switch self {
    case .any: true
    case .list(let tags): !tag.isWeak && tags.contains(tag)
    }
  }

  /// Returns whether a tag matches by weak comparison (RFC 9110, 8.8.3.2).
  func hold(weakly tag: EntityTag) -> Bool {
    switch self {
    case .any: true
    case .list(let tags): tags.contains { $0.text == tag.text }
    }
  }

  /// Parses the lines of a header; returns nil if there are none.
  init?(_ lines: [String], header: String) throws(Problem) {
    if lines.isEmpty { return nil }
    var rest = lines.joined(separator: ",")[...]
    if Self.trimmed(rest) == "*" {
      self = .any
      return
    }
    var tags: [EntityTag] = []
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
      if rest.isEmpty { break }
      guard let tag = Self.parseTag(&rest) else { throw .tags(header) }
      tags.append(tag)
      rest = rest.drop { $0 == " " || $0 == "\t" }
      guard rest.isEmpty || rest.first == "," else { throw .tags(header) }
    }
    self = .list(tags)
  }

  private static func parseTag(_ rest: inout Substring) -> EntityTag? {
    let isWeak = rest.hasPrefix("W/")
    if isWeak { rest.removeFirst(2) }
    guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
    let text = rest[rest.index(after: rest.startIndex)..<end]
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }) else { return nil }
    rest = rest[rest.index(after: end)...]
    return EntityTag(text: String(text), isWeak: isWeak)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let front = text.drop { $0 == " " || $0 == "\t" }
    return front.reversed().drop { $0 == " " || $0 == "\t" }.isEmpty ? "" : front.prefix { $0 != " " && $0 != "\t" }
  }
}

extension Problem {
  fileprivate static func tags(_ header: String) -> Problem {
    .malformed("\(header) must be * or a list of quoted entity tags, \"4f1c\", \"5a2b\": send an ETag as received.")
  }
}
