import Control

extension Endpoint {
  /// Messages: the one that takes the place of all else, and those beside each other.
  static let aboutMessages = [
    Endpoint(method: "GET", path: "/v1/message") { .json(try await $0.service.message(nil)) },
    Endpoint(method: "PUT", path: "/v1/message", body: .json) {
      .json(try await $0.service.setMessage(try $0.plainMessage(for: nil)))
    },
    Endpoint(method: "DELETE", path: "/v1/message") { .json(try await $0.service.removeMessage(nil)) },
    Endpoint(method: "GET", path: "/v1/displays/{display}/message") {
      .json(try await $0.service.message($0.display))
    },
    Endpoint(method: "PUT", path: "/v1/displays/{display}/message", body: .json) {
      .json(try await $0.service.setMessage(try $0.plainMessage(for: $0.display)))
    },
    Endpoint(method: "DELETE", path: "/v1/displays/{display}/message") {
      .json(try await $0.service.removeMessage($0.display))
    },
    Endpoint(method: "GET", path: "/v1/messages") { .json(await $0.service.messages()) },
    Endpoint(method: "POST", path: "/v1/messages", body: .json) {
      let report = try await $0.service.post(try $0.request.body.decode(MessageRequest.self))
      return .created(report, at: report.id.map { "/v1/messages/\($0)" })
    },
    Endpoint(method: "GET", path: "/v1/messages/{message}") { .json(try await $0.liveMessage()) },
    Endpoint(method: "DELETE", path: "/v1/messages/{message}") {
      try await $0.service.withdraw($0.id("message"))
      return .nothing
    },
    Endpoint(method: "PUT", path: "/v1/messages/{message}/acknowledgement") {
      try await $0.service.acknowledge($0.id("message"))
      return .nothing
    },
  ]
}

extension Call {
  fileprivate func liveMessage() async throws(ControlError) -> LiveMessage {
    let id = id("message")
    if let message = await service.messages().first(where: { $0.id == id }) { return message }
    throw ControlError(.notFound, "There is no message \(id) any more, or yet: /v1/messages lists the live ones.")
  }

  fileprivate func plainMessage(for display: String?) throws(Problem) -> MessageRequest {
    var message = try request.body.decode(PlainMessage.self).request
    guard let display else { return message }
    if let other = message.display, other != display {
      throw .invalid("The path names \(display) and the body \(other): name the display once.")
    }
    message.display = display
    return message
  }
}
