import Control
import Primitives

/// The parsed target of a request, in origin or absolute form (RFC 9112, 3.2).
struct Target: Sendable {
  /// The path, still percent-encoded, for use in sentences.
  let path: String
  /// The decoded segments of the path.
  let segments: [String]
  /// The query without its question mark, still percent-encoded; empty if there is none.
  let query: String

  /// Parses a target; the problem names the mistake in its escapes.
  init(_ target: String) throws(Problem) {
    let parts = RequestTarget(target).local.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.map(String.init) ?? ""
    query = parts.count > 1 ? String(parts[1]) : ""
    var segments: [String] = []
    for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      segments.append(try Self.decode(segment))
    }
    self.segments = segments
  }

  /// Returns the fields of the query, of which only the given ones are permitted; the problem names the wrong field.
  func fields(_ known: [String]) throws(Problem) -> [String: String] {
    guard !query.isEmpty else { return [:] }
    guard !known.isEmpty else {
      throw .malformed("\(path) accepts no query (?\(query)): put the fields into the JSON body.")
    }
    var values: [String: String] = [:]
    for pair in query.split(separator: "&", omittingEmptySubsequences: true) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try Self.decode(parts[0])
      guard known.contains(name) else {
        throw .malformed("The query of \(path) has the fields \(known.joined(separator: ", ")), but not \(name).")
      }
      guard values[name] == nil else { throw .malformed("The query has the field \(name) twice: send it once.") }
      guard parts.count == 2, !parts[1].isEmpty else {
        throw .malformed("The field \(name) is empty: omit it, or write a value after its equals sign.")
      }
      values[name] = try Self.decode(parts[1])
    }
    return values
  }

  /// Decodes the escapes of a text, whose bytes must be UTF-8.
  private static func decode(_ text: Substring) throws(Problem) -> String {
    guard let bytes = PercentEncoding.decode(text.utf8) else {
      throw .malformed("The target has a % without two hexadecimal digits after it: write % itself as %25.")
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw .malformed("The target's escapes are not UTF-8: escape the UTF-8 bytes of the name.")
    }
    return decoded
  }
}
