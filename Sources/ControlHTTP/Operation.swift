import Control

/// What a request asks for, understood and checked as far as that goes without the service.
enum Operation: Hashable, Sendable {
  case status
  case displays
  case display(String)
  case why(String)
  case screenshot(String)
  case message(String?)
  case setMessage(MessageRequest)
  case removeMessage(String?)
  case events
  case sessions
  case open(OpenRequest)
  case move(session: Int, MoveRequest)
  case close(session: Int)
  case scroll(session: Int, ScrollRequest)
  case refresh(session: Int)
  case messages
  case post(MessageRequest)
  case acknowledge(message: Int)
  case withdraw(message: Int)
  case history(HistoryQuery, HistoryFormat)
  case setAsleep(SleepRequest)
  case plug(PlugRequest)
  case unplug(String)

  /// What a request asks for; the problem says why it cannot be told.
  init(_ request: Request) throws(Problem) {
    let route = try Route(target: request.target)
    let method = request.method == "HEAD" ? "GET" : request.method
    if let operation = try Self.shown(route, method, request.body) {
      self = operation
      return
    }
    switch (route, method) {
    case (.status, "GET"): self = .status
    case (.displays, "GET"): self = .displays
    case (.display(let name), "GET"): self = .display(name)
    case (.why(let name), "GET"): self = .why(name)
    case (.screenshot(let name), "GET"): self = .screenshot(name)
    case (.message(let name), "GET"): self = .message(name)
    case (.message(let name), "PUT"): self = .setMessage(try Self.message(request.body, for: name))
    case (.message(let name), "DELETE"): self = .removeMessage(name)
    case (.events, "GET") where request.method == "GET": self = .events
    case (.sleep, "PUT"): self = .setAsleep(try request.body.decode(SleepRequest.self))
    case (.virtual, "POST"): self = .plug(try request.body.decode(PlugRequest.self))
    case (.virtualDisplay(let name), "DELETE"): self = .unplug(name)
    default: throw .method(request.method, on: request.target, allow: route.allow)
    }
  }

  /// What is asked of sessions, messages and the history.
  private static func shown(_ route: Route, _ method: String, _ body: RequestBody) throws(Problem) -> Operation? {
    switch (route, method) {
    case (.sessions, "GET"): .sessions
    case (.sessions, "POST"): .open(try body.decode(OpenRequest.self))
    case (.session(let id), "PUT"): .move(session: id, try body.decode(MoveRequest.self))
    case (.session(let id), "DELETE"): .close(session: id)
    case (.scroll(let id), "PUT"): .scroll(session: id, try body.decode(ScrollRequest.self))
    case (.refresh(let id), "POST"): .refresh(session: id)
    case (.messages, "GET"): .messages
    case (.messages, "POST"): .post(try body.decode(MessageRequest.self))
    case (.liveMessage(let id), "DELETE"): .withdraw(message: id)
    case (.acknowledgement(let id), "PUT"): .acknowledge(message: id)
    case (.history(let query), "GET"): try HistoryTarget.operation(query)
    default: nil
    }
  }

  private static func message(_ body: RequestBody, for display: String?) throws(Problem) -> MessageRequest {
    var message = try body.decode(PlainMessage.self).request
    guard let display else { return message }
    if let other = message.display, other != display {
      throw .invalid("The path names \(display) and the body \(other): name the display once.")
    }
    message.display = display
    return message
  }
}
