import Control

/// What a request is sent to, taken apart: a target in origin or absolute form (RFC 9112, 3.2).
struct Target: Sendable {
  /// The path as it came, still with its escapes, for sentences.
  let path: String
  /// The path's segments, their escapes read.
  let segments: [String]
  /// What stands behind the question mark, still with its escapes; empty where there is none.
  let query: String

  /// The parts of a target; the problem says what is wrong with its escapes.
  init(_ target: String) throws(Problem) {
    let parts = RequestTarget(target).local.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.map(String.init) ?? ""
    query = parts.count > 1 ? String(parts[1]) : ""
    var segments: [String] = []
    for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      segments.append(try PercentEncoding.decode(segment))
    }
    self.segments = segments
  }

  /// The fields of the query, of which only these are known; the problem names the one that is wrong.
  func fields(_ known: [String]) throws(Problem) -> [String: String] {
    guard !query.isEmpty else { return [:] }
    guard !known.isEmpty else {
      throw .malformed("\(path) takes no query (?\(query)): put the fields into the JSON body.")
    }
    var values: [String: String] = [:]
    for pair in query.split(separator: "&", omittingEmptySubsequences: true) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try PercentEncoding.decode(parts[0])
      guard known.contains(name) else {
        throw .malformed("The query of \(path) has the fields \(known.joined(separator: ", ")), and no \(name).")
      }
      guard values[name] == nil else { throw .malformed("The query has the field \(name) twice: send it once.") }
      guard parts.count == 2, !parts[1].isEmpty else {
        throw .malformed("The field \(name) is empty: leave it out, or write a value behind its equals sign.")
      }
      values[name] = try PercentEncoding.decode(parts[1])
    }
    return values
  }
}
