import Control
import ControlClient
import FastPath
import JSON

/// A request that shows content on displays and can be repeated with other content.
struct Showing: Sendable {
  /// The content to show.
  enum Content: Sendable {
    /// A text, as large as possible.
    case text(String)
    /// A scene's document.
    case scene(JSONValue)
  }

  /// The kind of request.
  enum Way: Hashable, Sendable {
    /// A request that replaces the message for all displays or for one display.
    case set
    /// A request that adds a message alongside others.
    case post
  }

  let client: PlacardClient
  let way: Way
  /// The request without its content.
  let request: MessageRequest

  /// Shows content and prints the result.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - console: The destination of the output.
  ///   - isAgain: Whether earlier content has been shown; then the message's ID is not printed again.
  ///   - json: Whether the report is printed as JSON.
  /// - Throws: `Failure` if the service refuses the content, or a display did not show it although the request waits.
  /// - Returns: The report.
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
    // A note for each of many successive lines would be useless.
    if isAgain { (delivery.unseen, delivery.legibility) = (nil, nil) }
    try delivery.print(on: console, isAwaited: request.wait ?? false)
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

  /// Ends the message that was shown.
  func clear(_ shown: MessageReport) async throws(Failure) {
    do throws(ClientError) {
      if way == .post, let id = shown.id { return try await client.withdraw(id) }
      try await client.removeMessage(request.display)
    } catch {
      throw Failure(error)
    }
  }
}

extension MessageReport.Showing {
  /// When the content was presented. Without a time, the display showed the same picture before the request.
  fileprivate var words: String {
    milliseconds == 0 ? "already shown" : "shown after \(Tenths.text(milliseconds)) ms"
  }
}

extension LegibilityReport {
  /// The height of the smallest letters, and the distance from which they are readable, such as `the smallest letters
  /// are 36 mm high, readable from 6 m`.
  var words: String {
    ShowTexts.legibility(Tenths.text(letterHeight), Tenths.text(readableDistance))
  }
}

extension Delivery {
  /// Prints warnings, why no display shows the content, and from how far it is readable; after a wait, prints the time
  /// of each display.
  ///
  /// - Parameters:
  ///   - console: The destination of the output.
  ///   - isAwaited: Whether the request waited until the frame was presented.
  /// - Throws: `Failure` if a display did not show the awaited content.
  func print(on console: any Console, isAwaited: Bool) throws(Failure) {
    if !isAwaited, let unseen { console.complain(Self.unseenLine(unseen)) }
    for warning in warnings { console.complain("warning: \(Table.printable(warning))") }
    for showing in isAwaited && unseen == nil ? shown : [] {
      try console.print("\(Table.printable(showing.display)): \(showing.words)")
    }
    for line in legibility ?? [] { try console.print(Table.printable("\(line.display): \(line.words)")) }
    try check(isAwaited: isAwaited)
  }

  /// Throws a failure if a display did not show awaited content.
  func check(isAwaited: Bool) throws(Failure) {
    guard isAwaited else { return }
    guard notShown.isEmpty else {
      throw Failure(.refused, "not shown on " + notShown.map(Table.printable).joined(separator: "; "))
    }
    if let unseen { throw Failure(.refused, Self.unseenLine(unseen)) }
    guard !shown.isEmpty else { throw Failure(.refused, Self.unseenLine("see placard displays")) }
  }

  /// Returns the line that explains why no display shows the content.
  static func unseenLine(_ reason: String) -> String { "no display shows it: \(Table.printable(reason))" }
}
