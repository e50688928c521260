import Control
import FakeServiceSupport
import Geometry
import Synchronization

/// A service in memory with a lit and a dark display, which records the requests.
final class FakeService: ControlService, FakeLibrary {
  private struct State {
    var messages: [MessageRequest] = []
    var removed: [String?] = []
    var cleared = ClearReport()
    var closed: [ClosedSessionReport] = []
    var plugs: [PlugRequest] = []
    var sleeps: [SleepRequest] = []
    var calls: [ServiceCall] = []
    var unplugged: [String] = []
    var notShown: [String] = []
    var warnings: [String] = []
    var unseen: String?
    var isEmpty = false
    var pendingModeEnd = Timestamp(milliseconds: 0)
    var screen = (serial: 1, color: Color.white)
    var hasGap = false
    var tries = 0
    var sent: UInt64 = 0
    var shown = [MessageReport.Showing(display: "HDMI-A-1", flipTime: 12, milliseconds: 12.34)]
  }

  private let state = Mutex(State())
  /// The listeners of events.
  let readers = EventReaders()
  private let messagesCame: AsyncStream<String?>
  private let messageCame: AsyncStream<String?>.Continuation
  private let callsCame: AsyncStream<Void>
  private let callCame: AsyncStream<Void>.Continuation

  init() {
    (callsCame, callCame) = AsyncStream.makeStream()
    (messagesCame, messageCame) = AsyncStream.makeStream()
  }

  var messages: [MessageRequest] { state.withLock { $0.messages } }
  var removed: [String?] { state.withLock { $0.removed } }
  var plugs: [PlugRequest] { state.withLock { $0.plugs } }
  var sleeps: [SleepRequest] { state.withLock { $0.sleeps } }
  /// The recorded operations on sessions, messages and the history.
  var calls: [ServiceCall] { state.withLock { $0.calls } }

  /// Records a request.
  func note(_ call: ServiceCall) {
    state.withLock { $0.calls.append(call) }
    callCame.yield()
  }

  /// Returns after the next operation on sessions, messages or the history; for one caller.
  func waitForCall() async { for await _ in callsCame { return } }
  var unplugged: [String] { state.withLock { $0.unplugged } }

  /// True if there are no sessions, no messages and no history.
  var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Removes all sessions, messages and the history.
  func empty() { state.withLock { $0.isEmpty = true } }

  /// Returns the delivery for the next message or session, with its warnings.
  func delivery(_ wait: Bool?) -> Delivery {
    state.withLock {
      guard wait == true else { return Delivery(warnings: $0.warnings, unseen: $0.unseen) }
      return Delivery(shown: $0.shown, notShown: $0.notShown, unseen: $0.unseen)
    }
  }

  /// The time at which a pending mode is reverted.
  var pendingModeEnd: Timestamp { state.withLock { $0.pendingModeEnd } }
  func setPendingModeEnd(_ end: Timestamp) { state.withLock { $0.pendingModeEnd = end } }

  /// The tag and color of the frame on screen.
  var screen: (tag: String, color: Color) { state.withLock { ("fake-\($0.screen.serial)", $0.screen.color) } }
  func change(to color: Color) { state.withLock { $0.screen = ($0.screen.serial + 1, color) } }

  /// Makes all later resumptions of event streams report a gap.
  func tearFeeds() { state.withLock { $0.hasGap = true } }

  func events(after place: EventPlace?) async -> EventFeed {
    let hasGap = state.withLock { $0.hasGap } && place != nil
    return EventFeed(epoch: "0", hasGap: hasGap, events: await events())
  }

  /// Sets the warnings in the answers to messages.
  func willWarn(_ warnings: [String]) { state.withLock { $0.warnings = warnings } }

  /// Makes all displays hide the next content, for this reason.
  func willBeUnseen(because reason: String) {
    state.withLock { ($0.unseen, $0.shown, $0.notShown) = (reason, [], []) }
  }

  /// A text that this service refuses.
  static let refused = "refuse this"

  /// Returns after this text has been set or refused; for one caller.
  func waitForMessage(_ text: String) async { for await came in messagesCame where came == text { return } }

  /// Returns after the next message has been set; for one caller.
  func waitForMessage() async { for await _ in messagesCame { return } }

  /// Sets the answer to the next message with `wait`.
  func willShow(on shown: [String], not notShown: [String], after milliseconds: Double = 0.06) {
    state.withLock {
      $0.shown = shown.map { MessageReport.Showing(display: $0, flipTime: 1, milliseconds: milliseconds) }
      $0.notShown = notShown
    }
  }

  func status() async -> ServiceStatus {
    ServiceStatus(
      version: "0.1.0", backend: .virtual, pid: 7, lit: 1, connected: 2, problems: ["DP-1: no mode was taken."])
  }

  /// Makes DP-1 retry its mode during this number of requests.
  func willTryAgain(for asks: Int) { state.withLock { $0.tries = asks } }

  func displays() async -> [DisplayReport] {
    let isTrying = state.withLock { state in
      defer { state.tries = max(0, state.tries - 1) }
      return state.tries > 0
    }
    return [
      DisplayReport(
        name: "HDMI-A-1", state: .lit, reason: nil, role: .external, card: "memory", driver: "virtual",
        monitor: "DEL U2720Q", identity: "DEL-1", mode: "1920x1080@60", width: 1920, height: 1080, scale: 1,
        message: "Grüße,\nAda \u{1b}[2J", modes: ["1920x1080@60", "1280x720@60"]),
      DisplayReport(
        name: "DP-1", state: isTrying ? .lighting : .dark, reason: isTrying ? nil : "no mode was taken",
        role: .external, card: "memory", driver: "virtual", monitor: nil, identity: nil, mode: nil, width: 0,
        height: 0, scale: 1, message: nil),
    ]
  }

  func why(_ display: String) async throws(ControlError) -> WhyReport {
    try known(display)
    return WhyReport(
      display: display, policy: "legible", mode: "1920x1080@60", scale: 1, reasons: ["half of 3840x2160"],
      rejected: [
        .init(mode: "3840x2160@60", reason: "text would be too small"), .init(mode: "640x480@60", reason: "smaller"),
      ], attempts: ["1920x1080@60: taken"])
  }

  func message(_ display: String?) async throws(ControlError) -> MessageReport {
    MessageReport(display: display, text: nil)
  }

  func setMessage(_ request: MessageRequest) async throws(ControlError) -> MessageReport {
    if let display = request.display { try known(display) }
    defer { messageCame.yield(request.text) }
    if request.text == Self.refused { throw ControlError(.invalid, "That is refused.") }
    return state.withLock {
      $0.messages.append(request)
      guard request.wait == true else {
        return MessageReport(
          display: request.display, text: request.text, warnings: $0.warnings, unseen: $0.unseen)
      }
      return MessageReport(
        display: request.display, text: request.text, shown: $0.shown, notShown: $0.notShown, unseen: $0.unseen)
    }
  }

  func removeMessage(_ display: String?) async throws(ControlError) -> ClearReport {
    if let display { try known(display) }
    return state.withLock {
      $0.removed.append(display)
      return $0.cleared
    }
  }

  func removeAllMessages() async -> ClearReport {
    note(.removeAllMessages)
    return state.withLock { $0.cleared }
  }

  /// Sets the answer to the next `clear`.
  func willClear(_ report: ClearReport) { state.withLock { $0.cleared = report } }

  /// Sets the sessions that ended.
  func willHaveClosed(_ closed: [ClosedSessionReport]) { state.withLock { $0.closed = closed } }
  func closedSessions() async -> [ClosedSessionReport] { state.withLock { $0.closed } }

  func setAsleep(_ request: SleepRequest) async throws(ControlError) -> [DisplayReport] {
    if let display = request.display { try known(display) }
    state.withLock { $0.sleeps.append(request) }
    return [await displays()[0]]
  }

  func screenshot(_ display: String, _ request: ScreenshotRequest) async throws(ControlError) -> [UInt8] {
    try known(display)
    return request.format == .jpeg ? [0xFF, 0xD8, request.isAsScannedOut ? 1 : 0] : [0x89, 0x50, 0, 255, 10]
  }

  func plug(_ request: PlugRequest) async throws(ControlError) -> DisplayReport {
    state.withLock { $0.plugs.append(request) }
    return await displays()[0]
  }

  func unplug(_ display: String) async throws(ControlError) {
    try known(display)
    state.withLock { $0.unplugged.append(display) }
  }

  func events() async -> AsyncStream<ControlEvent> { readers.subscribe() }

  func known(_ display: String) throws(ControlError) {
    guard ["HDMI-A-1", "DP-1"].contains(display) else {
      throw ControlError.unknownDisplay(display, known: ["HDMI-A-1", "DP-1"])
    }
  }
}
