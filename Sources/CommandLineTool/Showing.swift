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
    /// As a message beside others.
    case post
  }

  let client: PlacardClient
  let way: Way
  /// All but the content.
  let request: MessageRequest

  /// Shows it, and says what is to be said of that; of what is shown again, not which message it is.
  @discardableResult
  func show(
    _ content: Content, _ console: any Console, isAgain: Bool = false, json: Bool = false
  ) async throws(Failure) -> MessageReport {
    let progress = request.wait == true ? "Waiting until it is on screen ..." : nil
    let shown = try await console.showingProgress(progress) { () throws(Failure) in
      do throws(ClientError) {
        return try await send(content)
      } catch {
        throw Failure(error)
      }
    }
    if json {
      try console.print(isAgain ? JSONText.line(shown) : JSONText.pretty(shown))
      try shown.delivery.check(isAwaited: request.wait ?? false)
      return shown
    }
    if let id = shown.id, way == .post, !isAgain {
      try console.print("message \(id)")
    }
    var delivery = shown.delivery
    // Lines that follow each other are not worth a note each.
    if isAgain { delivery.unseen = nil }
    try delivery.tell(on: console, isAwaited: request.wait ?? false)
    return shown
  }

  private func send(_ content: Content) async throws(ClientError) -> MessageReport {
    var message = request
    switch content {
    case .text(let text): message.text = text
    case .scene(let scene): message.scene = scene
    }
    switch way {
    case .set: return try await client.setMessage(message)
    case .post: return try await client.post(message)
    }
  }

  /// Takes away what was shown.
  func clear(_ shown: MessageReport) async throws(Failure) {
    do throws(ClientError) {
      if way == .post, let id = shown.id { return try await client.withdraw(id) }
      try await client.removeMessage(request.display)
    } catch {
      throw Failure(error)
    }
  }
}

extension Delivery {
  /// Writes warnings and why no display shows it; after a wait, how long each display took. A display that did not show
  /// what was waited for is a failure.
  func tell(on console: any Console, isAwaited: Bool) throws(Failure) {
    if !isAwaited, let unseen { console.complain(Self.unseenLine(unseen)) }
    for warning in warnings { console.complain("warning: \(Table.printable(warning))") }
    for showing in isAwaited && unseen == nil ? shown : [] {
      try console.print("\(Table.printable(showing.display)): shown after \(Tenths.text(showing.milliseconds)) ms")
    }
    try check(isAwaited: isAwaited)
  }

  /// What was waited for and did not come is a failure.
  func check(isAwaited: Bool) throws(Failure) {
    guard isAwaited else { return }
    guard notShown.isEmpty else {
      throw Failure(.refused, "not shown on " + notShown.map(Table.printable).joined(separator: "; "))
    }
    if let unseen { throw Failure(.refused, Self.unseenLine(unseen)) }
    guard !shown.isEmpty else { throw Failure(.refused, Self.unseenLine("see placard displays")) }
  }

  /// The line that says why no display shows something.
  static func unseenLine(_ reason: String) -> String { "no display shows it: \(Table.printable(reason))" }
}
