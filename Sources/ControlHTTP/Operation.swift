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
  case setAsleep(SleepRequest)
  case plug(PlugRequest)
  case unplug(String)

  /// What a request asks for; the problem says why it cannot be told.
  init(_ request: Request) throws(Problem) {
    let route = try Route(target: request.target)
    switch (route, request.method == "HEAD" ? "GET" : request.method) {
    case (.status, "GET"): self = .status
    case (.displays, "GET"): self = .displays
    case (.display(let name), "GET"): self = .display(name)
    case (.why(let name), "GET"): self = .why(name)
    case (.screenshot(let name), "GET"): self = .screenshot(name)
    case (.message(let name), "GET"): self = .message(name)
    case (.message(let name), "PUT"): self = .setMessage(try Self.message(request.body, for: name))
    case (.message(let name), "DELETE"): self = .removeMessage(name)
    case (.events, "GET") where request.method == "GET": self = .events
    case (.sessions, "GET"): self = .sessions
    case (.sleep, "PUT"): self = .setAsleep(try request.body.decode(SleepRequest.self))
    case (.virtual, "POST"): self = .plug(try request.body.decode(PlugRequest.self))
    case (.virtualDisplay(let name), "DELETE"): self = .unplug(name)
    default: throw .method(request.method, on: request.target, allow: route.allow)
    }
  }

  private static func message(_ body: RequestBody, for display: String?) throws(Problem) -> MessageRequest {
    var message = try body.decode(MessageRequest.self)
    guard let display else { return message }
    if let other = message.display, other != display {
      throw .invalid("The path names \(display) and the body \(other): name the display once.")
    }
    message.display = display
    return message
  }
}
