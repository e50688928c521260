/// A difference between a text and its tree.
package enum Warning: Hashable, Sendable {
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
  package var description: String {
    switch self {
    case .long(let bytes, let kept): "the text has \(bytes) bytes; only the first \(kept) are shown"
    case .indented(let line):
      "line \(line) and the lines after it are not shown: it begins with more than \(Source.mostColumns) spaces or "
        + "quote marks"
    case .manyAddresses(let count): "\(count) bare addresses are not links; write <https://...> to make one a link"
    case .manyParts(let count): "the text has more than \(count) parts; the rest is not shown"
    case .manyBytes(let count): "text and link destinations take more than \(count) bytes; the rest is not shown"
    case .deep(let levels): "elements nested deeper than \(levels) levels are shown at that level"
    case .unfinished: "the end of the text could not be parsed: md4c ran out of memory or failed; please report this"
    }
  }
}
