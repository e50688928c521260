import Control

/// Names one state of a resource (RFC 9110, 8.8.3).
struct EntityTag: Hashable, Sendable, CustomStringConvertible {
  /// What stands in the quotes.
  var text: String
  /// Whether it names states that are as good as each other, not byte by byte the same.
  var isWeak = false

  /// `"4f1c"`, or `W/"4f1c"`.
  var description: String { (isWeak ? "W/" : "") + "\"\(text)\"" }

  /// A tag of these bytes: equal bytes have equal tags, also after a restart (FNV-1a, 64 bits, in hex).
  static func of(_ bytes: [UInt8]) -> EntityTag {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return EntityTag(text: String(hash, radix: 16))
  }
}

/// What a request says about the states that it knows: If-Match or If-None-Match.
enum EntityTags: Hashable, Sendable {
  /// `*`: whatever is there.
  case any
  /// These.
  case list([EntityTag])

  /// Whether a state is one of these, byte by byte (RFC 9110, 8.8.3.2): weak tags never are.
  func hold(strongly tag: EntityTag) -> Bool {
    switch self {
    case .any: true
    case .list(let tags): !tag.isWeak && tags.contains(tag)
    }
  }

  /// Whether a state is as good as one of these.
  func hold(weakly tag: EntityTag) -> Bool {
    switch self {
    case .any: true
    case .list(let tags): tags.contains { $0.text == tag.text }
    }
  }

  /// Reads the lines of a header of this name; nil where there are none.
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
      guard let tag = Self.takeTag(&rest) else { throw .tags(header) }
      tags.append(tag)
      rest = rest.drop { $0 == " " || $0 == "\t" }
      guard rest.isEmpty || rest.first == "," else { throw .tags(header) }
    }
    self = .list(tags)
  }

  private static func takeTag(_ rest: inout Substring) -> EntityTag? {
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
    .malformed("\(header) is * or a list of entity tags in quotes, \"4f1c\", \"5a2b\": send an ETag as it came.")
  }
}
