import Control

/// How the history is written.
enum HistoryFormat: String, Hashable, Sendable {
  /// A list of objects.
  case json
  /// A table for spreadsheets.
  case csv
}

/// The query of a request for the history, `since=2026-11-21T08:00Z&display=HDMI-A-1&format=csv`.
enum HistoryTarget {
  private static let fields = ["since", "until", "display", "limit", "format"]

  /// What a query asks for; the problem names the field that is wrong.
  static func operation(_ query: String) throws(Problem) -> Operation {
    let values = try values(query)
    let wish = HistoryQuery(
      since: try time("since", values), until: try time("until", values), display: values["display"],
      limit: try limit(values))
    let format = values["format"] ?? "json"
    guard let known = HistoryFormat(rawValue: format) else {
      throw .malformed("The field format is \(format): it is json or csv.")
    }
    return .history(wish, known)
  }

  private static func values(_ query: String) throws(Problem) -> [String: String] {
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try PercentEncoding.decode(parts[0])
      guard fields.contains(name) else {
        throw .malformed("The history's query has the fields \(fields.joined(separator: ", ")), and no \(name).")
      }
      guard values[name] == nil else { throw .malformed("The query has the field \(name) twice: send it once.") }
      guard parts.count == 2, !parts[1].isEmpty else {
        throw .malformed("The field \(name) is empty: leave it out, or write a value behind its equals sign.")
      }
      values[name] = try PercentEncoding.decode(parts[1])
    }
    return values
  }

  private static func time(_ name: String, _ values: [String: String]) throws(Problem) -> Int64? {
    guard let text = values[name] else { return nil }
    do throws(ControlError) {
      return try Timestamp(parsing: text).milliseconds
    } catch {
      throw .malformed("The field \(name): \(error.message)")
    }
  }

  private static func limit(_ values: [String: String]) throws(Problem) -> Int? {
    guard let text = values["limit"] else { return nil }
    if let limit = Int(text), limit > 0 { return limit }
    throw .malformed("The field limit is \(text): it is a whole number of lines, from 1.")
  }
}
