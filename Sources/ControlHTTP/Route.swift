import Control

/// A thing that the service has, by its path.
enum Route: Hashable, Sendable {
  case status
  case displays
  case display(String)
  case why(String)
  case screenshot(String)
  /// The message of a display, or with nil the one for all.
  case message(String?)
  case events
  case sessions
  case sleep
  case virtual
  case virtualDisplay(String)

  /// The methods it knows.
  var methods: [String] {
    switch self {
    case .message: ["GET", "PUT", "DELETE"]
    case .virtual: ["POST"]
    case .virtualDisplay: ["DELETE"]
    case .sleep: ["PUT"]
    case .status, .displays, .display, .why, .screenshot, .events, .sessions: ["GET"]
    }
  }

  /// What goes into an Allow header.
  var allow: String {
    let heads = self == .events ? [] : ["HEAD"]
    return methods.flatMap { $0 == "GET" ? ["GET"] + heads : [$0] }.joined(separator: ", ")
  }

  /// The route of a request target, in origin or absolute form (RFC 9112, 3.2).
  init(target: String) throws(Problem) {
    let parts = Self.path(of: target).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count > 1, !parts[1].isEmpty {
      throw .malformed("\(parts[0]) takes no query (?\(parts[1])): put the fields into the JSON body.")
    }
    var names: [String] = []
    for segment in parts[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      names.append(try PercentEncoding.decode(segment))
    }
    guard names.first == "v1", let route = Self.find(names.dropFirst()) else {
      throw .notFound("There is nothing at \(parts[0]). Try /v1/status, /v1/displays, /v1/message or /v1/events.")
    }
    self = route
  }

  private static func find(_ names: ArraySlice<String>) -> Route? {
    let names = Array(names)
    switch (names.count, names.first) {
    case (1, "status"): return .status
    case (1, "displays"): return .displays
    case (1, "message"): return .message(nil)
    case (1, "events"): return .events
    case (1, "sessions"): return .sessions
    case (1, "sleep"): return .sleep
    case (1, "virtual"): return .virtual
    case (2, "virtual") where !names[1].isEmpty: return .virtualDisplay(names[1])
    case (2, "displays") where !names[1].isEmpty: return .display(names[1])
    case (3, "displays") where !names[1].isEmpty: return find(names[2], of: names[1])
    default: return nil
    }
  }

  private static func find(_ part: String, of display: String) -> Route? {
    switch part {
    case "why": .why(display)
    case "screenshot": .screenshot(display)
    case "message": .message(display)
    default: nil
    }
  }

  private static func path(of target: String) -> Substring {
    guard target.hasPrefix("http://") else { return target[...] }
    let rest = target.dropFirst("http://".count)
    return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
  }
}
