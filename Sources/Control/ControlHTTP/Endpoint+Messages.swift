import Control

extension Endpoint {
  /// The endpoints for messages: the single message of all displays or of one, and the posted messages.
  static let aboutMessages = [
    Endpoint(
      "GET", "/v1/message", "message", "The message for all displays.",
      answer: .report("MessageReport", "The message."), perform: { .json(try await $0.service.message(nil)) }),
    Endpoint(
      "PUT", "/v1/message", "setMessage",
      "Shows a message on one display or on all, on top of the sessions that are open there.",
      body: .json("PlainMessageRequest"), answer: .report("MessageReport", "The message, and where it is shown."),
      problems: [404, 409], perform: { .json(try await $0.service.setMessage(try $0.plainMessage(for: nil))) }),
    Endpoint(
      "DELETE", "/v1/message", "removeMessage",
      "Ends the message on all displays. The content that it covered becomes visible again.",
      answer: .report("ClearReport", "The removed message, and the messages that displays still show."),
      perform: { .json(try await $0.service.removeMessage(nil)) }),
    Endpoint(
      "GET", "/v1/displays/{display}/message", "displayMessage", "The message of one display.",
      answer: .report("MessageReport", "The message."),
      perform: { .json(try await $0.service.message($0.display)) }),
    Endpoint(
      "PUT", "/v1/displays/{display}/message", "setDisplayMessage",
      "Shows a message on one display, on top of the session that is open there.",
      body: .json("DisplayMessageRequest"), answer: .report("MessageReport", "The message, and where it is shown."),
      problems: [409], perform: { .json(try await $0.service.setMessage(try $0.plainMessage(for: $0.display))) }),
    Endpoint(
      "DELETE", "/v1/displays/{display}/message", "removeDisplayMessage",
      "Ends the message on one display. The content that it covered becomes visible again.",
      answer: .report("ClearReport", "The removed message, and the messages that the display still shows."),
      perform: { .json(try await $0.service.removeMessage($0.display)) }),
    Endpoint(
      "GET", "/v1/messages", "messages", "All live messages; a message that covers another comes first.",
      query: Page.fields, answer: .page("LiveMessage", "The messages."),
      perform: { call in
        try await call.page(by: \.listKey) { await call.service.messages(after: $0, most: $1) }
      }),
    Endpoint(
      "POST", "/v1/messages", "post",
      "Posts a message alongside the others. It replaces the last message of the same name.",
      body: .json("MessageRequest"),
      answer: .created("MessageReport", "The message, and where it is shown.", "message", by: "id"),
      problems: [404, 409],
      perform: {
        let report = try await $0.service.post(try $0.body())
        return .created(report, at: report.id.map { "/v1/messages/\($0)" })
      }),
    Endpoint(
      "DELETE", "/v1/messages", "removeAllMessages",
      "Ends all messages. The content that they covered becomes visible again.",
      answer: .report("ClearReport", "The removed messages."), perform: { .json(await $0.service.removeAllMessages()) }),
    Endpoint(
      "GET", "/v1/messages/{message}", "liveMessage", "One live message.",
      answer: .report("LiveMessage", "The message."), perform: { .json(try await $0.liveMessage()) }),
    Endpoint(
      "DELETE", "/v1/messages/{message}", "withdraw", "Withdraws a message.",
      answer: .done("The message was withdrawn."),
      perform: {
        try await $0.service.withdraw($0.id("message"))
        return .nothing
      }),
    Endpoint(
      "PUT", "/v1/messages/{message}/acknowledgement", "acknowledge",
      "Confirms that a message was seen, which ends a message that requires acknowledgment.",
      answer: .done("The message was acknowledged."),
      problems: [409],
      perform: {
        try await $0.service.acknowledge($0.id("message"))
        return .nothing
      }),
  ]
}

extension Call {
  fileprivate func liveMessage() async throws(ControlError) -> LiveMessage {
    let id = id("message")
    if let message = await service.liveMessage(id) { return message }
    throw ControlError.unknownMessage(id)
  }

  fileprivate func plainMessage(for display: String?) throws(Problem) -> MessageRequest {
    var message = try request.body.decode(MessageRequest.self, as: MessageRequest.plain)
    guard let display else { return message }
    if let other = message.display, other != display {
      throw .invalid("The path names \(display) and the body \(other): name the display once.")
    }
    message.display = display
    return message
  }
}
