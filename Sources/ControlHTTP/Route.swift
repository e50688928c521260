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
  case session(Int)
  case scroll(Int)
  case refresh(Int)
  case messages
  /// A live message by its id, whoever it is for.
  case liveMessage(Int)
  case acknowledgement(Int)
  /// With the query of its target, still with its escapes.
  case history(String)
  case sleep
  case virtual
  case virtualDisplay(String)

  /// The methods it knows.
  var methods: [String] {
    switch self {
    case .message: ["GET", "PUT", "DELETE"]
    case .sessions, .messages: ["GET", "POST"]
    case .session: ["PUT", "DELETE"]
    case .virtual, .refresh: ["POST"]
    case .virtualDisplay, .liveMessage: ["DELETE"]
    case .sleep, .scroll, .acknowledgement: ["PUT"]
    case .status, .displays, .display, .why, .screenshot, .events, .history: ["GET"]
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
    let query = parts.count > 1 ? parts[1] : ""
    var names: [String] = []
    for segment in parts[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      names.append(try PercentEncoding.decode(segment))
    }
    guard names.first == "v1", let route = try Self.find(Array(names.dropFirst())) else {
      throw .notFound("There is nothing at \(parts[0]). Try /v1/status, /v1/displays, /v1/sessions or /v1/messages.")
    }
    if case .history = route {
      self = .history(String(query))
    } else if query.isEmpty {
      self = route
    } else {
      throw .malformed("\(parts[0]) takes no query (?\(query)): put the fields into the JSON body.")
    }
  }

  private static func find(_ names: [String]) throws(Problem) -> Route? {
    switch (names.count, names.first) {
    case (1, "status"): return .status
    case (1, "displays"): return .displays
    case (1, "message"): return .message(nil)
    case (1, "events"): return .events
    case (1, "sessions"): return .sessions
    case (2..., "sessions"): return try find(names.dropFirst(2), ofSession: names[1])
    case (1, "messages"): return .messages
    case (2..., "messages"): return try find(names.dropFirst(2), ofMessage: names[1])
    case (1, "history"): return .history("")
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

  private static func find(_ rest: ArraySlice<String>, ofSession name: String) throws(Problem) -> Route? {
    let id = try id(name, of: "session")
    return switch Array(rest) {
    case []: .session(id)
    case ["scroll"]: .scroll(id)
    case ["refresh"]: .refresh(id)
    default: nil
    }
  }

  private static func find(_ rest: ArraySlice<String>, ofMessage name: String) throws(Problem) -> Route? {
    let id = try id(name, of: "message")
    return switch Array(rest) {
    case []: .liveMessage(id)
    case ["acknowledgement"]: .acknowledgement(id)
    default: nil
    }
  }

  private static func id(_ name: String, of noun: String) throws(Problem) -> Int {
    if let id = Int(name), id > 0 { return id }
    throw .notFound("\(name) is no id of a \(noun): ids are whole numbers from 1, and /v1/\(noun)s lists them.")
  }

  private static func path(of target: String) -> Substring {
    guard target.hasPrefix("http://") else { return target[...] }
    let rest = target.dropFirst("http://".count)
    return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
  }
}
