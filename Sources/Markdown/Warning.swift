/// A difference between a text and its tree.
public enum Warning: Hashable, Sendable {
  /// The text has `bytes` bytes, of which the first `kept` were parsed.
  case long(bytes: Int, kept: Int)
  /// The text was parsed up to this line, counted from 1, which is indented or nested too deeply at its beginning.
  case indented(line: Int)
  /// Bare addresses did not become links, because there are too many of them for the length of the text.
  case manyAddresses(Int)
  /// The text was parsed until its tree had this many parts.
  case manyParts(Int)
  /// The text was parsed until its tree had this many bytes; references that repeat a long destination can cause this.
  case manyBytes(Int)
  /// Elements that are nested more deeply than this level were moved to it.
  case deep(levels: Int)
  /// md4c stopped early, due to a lack of memory or an internal error; the tree contains what was parsed before.
  case unfinished
}

extension Warning: CustomStringConvertible {
  /// The warning as one readable sentence.
  public var description: String {
    switch self {
    case .long(let bytes, let kept): "the text has \(bytes) bytes, of which the first \(kept) are shown"
    case .indented(let line):
      "line \(line) and what follows is not shown: it begins with more than \(Source.mostColumns) spaces or quote marks"
    case .manyAddresses(let count): "\(count) addresses are no links: write <https://...> for those that shall be"
    case .manyParts(let count): "the text has more than \(count) parts; what follows them is not shown"
    case .manyBytes(let count): "with its destinations the text takes more than \(count) bytes; the rest is not shown"
    case .deep(let levels): "what is nested deeper than \(levels) levels is shown at that level"
    case .unfinished: "the text could not be read to its end, for want of memory or by a fault of md4c; tell us of it"
    }
  }
}
