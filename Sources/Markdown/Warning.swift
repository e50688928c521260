/// What of a text is not in its tree as it was written.
public enum Warning: Hashable, Sendable {
  /// Of a text of so many bytes so many were read.
  case long(bytes: Int, kept: Int)
  /// The text was read up to this line (from 1), whose beginning is indented or nested too deeply.
  case indented(line: Int)
  /// Bare addresses became no links: a text of that length has too many of them.
  case manyAddresses(Int)
  /// The text was read until its tree had this many parts.
  case manyParts(Int)
  /// The text was read until its tree held this many bytes, as references to one long destination make it.
  case manyBytes(Int)
  /// What was nested deeper than this stands at this depth.
  case deep(levels: Int)
  /// md4c stopped, for want of memory or by a fault of its own; what was read until then is there.
  case unfinished
}

extension Warning: CustomStringConvertible {
  /// One sentence for a person.
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
