import Control
import ControlClient
import JSON

/// How something comes on displays, so that it can be shown again.
struct Showing: Sendable {
  /// What is to be seen.
  enum Content: Sendable {
    /// A text, as large as it can be.
    case text(String)
    /// A scene's document.
    case scene(JSONValue)
  }

  /// Which of the service's ways it goes.
  enum Way: Hashable, Sendable {
    /// In place of the message for all, or of a display's own.
    case set
    /// As a session of a display.
    case open
    /// As a message beside others.
    case post
  }

  let client: PlacardClient
  let way: Way
  /// All but the content.
  let request: MessageRequest

  /// Shows it, and says what is to be said of that; of what is shown again, not which message it is.
  func show(_ content: Content, _ console: any Console, isAgain: Bool = false) async throws(Failure) {
    let (message, delivery): (Int?, Delivery)
    do throws(ClientError) {
      (message, delivery) = try await send(content)
    } catch {
      throw Failure(error)
    }
    if let message, way == .post, !isAgain { try console.print("message \(message)") }
    try delivery.tell(on: console, isAwaited: request.wait ?? false)
  }

  private func send(_ content: Content) async throws(ClientError) -> (message: Int?, Delivery) {
    var message = request
    switch content {
    case .text(let text): message.text = text
    case .scene(let scene): message.scene = scene
    }
    switch way {
    case .set:
      return (nil, try await client.setMessage(message).delivery)
    case .post:
      let report = try await client.post(message)
      return (report.id, report.delivery)
    case .open:
      let scene = message.scene ?? SceneDocument.banner(message.text ?? "")
      let wish = OpenRequest(scene: scene, display: message.display, tag: message.tag, wait: message.wait)
      return (nil, try await client.open(wish).delivery ?? Delivery())
    }
  }
}

extension Delivery {
  /// Warnings, and where it was waited for, how long each display took; a display that did not show it is a failure.
  func tell(on console: any Console, isAwaited: Bool) throws(Failure) {
    for warning in warnings { console.complain("warning: \(Table.printable(warning))") }
    guard isAwaited else { return }
    for showing in shown {
      try console.print("\(Table.printable(showing.display)): shown after \(Tenths.text(showing.milliseconds)) ms")
    }
    guard notShown.isEmpty else {
      throw Failure(.refused, "not shown on " + notShown.map(Table.printable).joined(separator: "; "))
    }
    guard !shown.isEmpty else {
      throw Failure(.refused, "It is kept, but no display is lit to show it: see placard displays.")
    }
  }
}
