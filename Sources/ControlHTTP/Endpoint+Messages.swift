import Control

extension Endpoint {
  /// The endpoints for messages: the single message of all displays or of one, and the posted messages.
  static let aboutMessages = [
    Endpoint(
      "GET", "/v1/message", "message", "The message for all displays.",
      answer: .report("MessageReport", "The message."), perform: { .json(try await $0.service.message(nil)) }),
    Endpoint(
      "PUT", "/v1/message", "setMessage",
      "Shows a message on all displays, or on the one that the body names, over what is open there.",
      body: .json("PlainMessageRequest"), answer: .report("MessageReport", "The message and where it is shown."),
      problems: [404, 409], perform: { .json(try await $0.service.setMessage(try $0.plainMessage(for: nil))) }),
    Endpoint(
      "DELETE", "/v1/message", "removeMessage", "Ends the message on all displays. What it covered is seen again.",
      answer: .report("ClearReport", "What was removed, and what displays show all the same."),
      perform: { .json(try await $0.service.removeMessage(nil)) }),
    Endpoint(
      "GET", "/v1/displays/{display}/message", "displayMessage", "The message of one display.",
      answer: .report("MessageReport", "The message."),
      perform: { .json(try await $0.service.message($0.display)) }),
    Endpoint(
      "PUT", "/v1/displays/{display}/message", "setDisplayMessage",
      "Shows a message on one display, over what is open there.",
      body: .json("DisplayMessageRequest"), answer: .report("MessageReport", "The message and where it is shown."),
      problems: [409], perform: { .json(try await $0.service.setMessage(try $0.plainMessage(for: $0.display))) }),
    Endpoint(
      "DELETE", "/v1/displays/{display}/message", "removeDisplayMessage",
      "Ends the message on one display. What it covered is seen again.",
      answer: .report("ClearReport", "What was removed, and what the display shows all the same."),
      perform: { .json(try await $0.service.removeMessage($0.display)) }),
    Endpoint(
      "GET", "/v1/messages", "messages", "All live messages, those that cover others first.",
      query: Page.fields, answer: .page("LiveMessage", "The messages."),
      perform: { call in
        try await call.page(by: \.listKey) { await call.service.messages(after: $0, most: $1) }
      }),
    Endpoint(
      "POST", "/v1/messages", "post",
      "Posts a message beside the others; one of the same name takes the last one's place.",
      body: .json("MessageRequest"),
      answer: .created("MessageReport", "The message and where it is shown.", "message", by: "id"),
      problems: [404, 409],
      perform: {
        let report = try await $0.service.post(try $0.body())
        return .created(report, at: report.id.map { "/v1/messages/\($0)" })
      }),
    Endpoint(
      "DELETE", "/v1/messages", "removeAllMessages", "Ends all messages. What they covered is seen again.",
      answer: .report("ClearReport", "What was removed."), perform: { .json(await $0.service.removeAllMessages()) }),
    Endpoint(
      "GET", "/v1/messages/{message}", "liveMessage", "One live message.",
      answer: .report("LiveMessage", "The message."), perform: { .json(try await $0.liveMessage()) }),
    Endpoint(
      "DELETE", "/v1/messages/{message}", "withdraw", "Takes a message away.", answer: .done("It is gone."),
      perform: {
        try await $0.service.withdraw($0.id("message"))
        return .nothing
      }),
    Endpoint(
      "PUT", "/v1/messages/{message}/acknowledgement", "acknowledge",
      "Tells that somebody has seen a message: one that waits for that is over.", answer: .done("It is acknowledged."),
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
    var message = try request.body.decode(PlainMessage.self).request
    guard let display else { return message }
    if let other = message.display, other != display {
      throw .invalid("The path names \(display) and the body \(other): name the display once.")
    }
    message.display = display
    return message
  }
}
