import Control
import FakeServiceSupport
import Synchronization

/// A service in memory with two displays, messages, and events that a test sends.
final class FakeService: ControlService, FakeLibrary {
  private struct State {
    var messages: [String?: String] = [:]
    var requests: [MessageRequest] = []
    var plugs: [PlugRequest] = []
    var sleeps: [SleepRequest] = []
    var calls: [ServiceCall] = []
    var messagesToList: [LiveMessage]?
    var beforeMessages: (@Sendable () async -> Void)?
    var historyToList: [HistoryLine]?
  }

  private let state = Mutex(State())
  /// The listeners of events.
  let readers = EventReaders()
  /// Yields for each message with `wait`. The message is held until its task is cancelled.
  let waits: AsyncStream<Void>
  private let isWaiting: AsyncStream<Void>.Continuation
  /// Yields each time that a held message is cancelled.
  let cancellations: AsyncStream<Void>
  private let wasCancelled: AsyncStream<Void>.Continuation

  private let goings: AsyncStream<Void>
  private let mayGo: AsyncStream<Void>.Continuation

  init() {
    (goings, mayGo) = AsyncStream.makeStream()
    (waits, isWaiting) = AsyncStream.makeStream()
    (cancellations, wasCancelled) = AsyncStream.makeStream()
  }

  var requests: [MessageRequest] { state.withLock { $0.requests } }
  var plugs: [PlugRequest] { state.withLock { $0.plugs } }
  var sleeps: [SleepRequest] { state.withLock { $0.sleeps } }
  /// The recorded operations on sessions, messages and the history.
  var calls: [ServiceCall] { state.withLock { $0.calls } }

  /// The messages that the service lists; nil for the default message.
  var messagesToList: [LiveMessage]? {
    get { state.withLock { $0.messagesToList } }
    set { state.withLock { $0.messagesToList = newValue } }
  }

  /// A closure that runs before messages are listed, or nil.
  var beforeMessages: (@Sendable () async -> Void)? {
    get { state.withLock { $0.beforeMessages } }
    set { state.withLock { $0.beforeMessages = newValue } }
  }

  /// The history that the service lists, newest first; nil for the default history.
  var historyToList: [HistoryLine]? {
    get { state.withLock { $0.historyToList } }
    set { state.withLock { $0.historyToList = newValue } }
  }

  /// Records an operation.
  func note(_ call: ServiceCall) { state.withLock { $0.calls.append(call) } }

  static let picture: [UInt8] = [0x89] + Array("PNG\r\n\u{1a}\n".utf8) + [0, 255, 0, 10]

  static func report(_ name: String) -> DisplayReport {
    DisplayReport(
      name: name, state: .lit, reason: nil, role: .external, card: "memory", driver: "virtual", monitor: "DEL U2720Q",
      identity: "DEL-1", mode: "1920x1080@60", width: 1920, height: 1080, scale: 1, message: "Grüße")
  }

  func status() async -> ServiceStatus {
    ServiceStatus(version: "0.1.0", backend: .virtual, pid: 7, lit: 2, connected: 2, problems: [])
  }

  func displays() async -> [DisplayReport] { [Self.report("HDMI-A-1"), Self.report("büro 1/2")] }

  func why(_ display: String) async throws(ControlError) -> WhyReport {
    try known(display)
    return WhyReport(
      display: display, policy: "legible", mode: "1920x1080@60", scale: 1, reasons: ["It is preferred."],
      rejected: [.init(mode: "640x480@60", reason: "It is smaller.")], attempts: [])
  }

  func message(_ display: String?) async throws(ControlError) -> MessageReport {
    if let display { try known(display) }
    return MessageReport(display: display, text: state.withLock { $0.messages[display] })
  }

  func setMessage(_ request: MessageRequest) async throws(ControlError) -> MessageReport {
    if let display = request.display { try known(display) }
    state.withLock {
      $0.requests.append(request)
      $0.messages[request.display] = request.text ?? "(a scene)"
    }
    switch request.text {
    case "conflict": throw ControlError(.conflict, "No display is lit: plug one in.")
    case "fail": throw ControlError(.failed, "The card failed.")
    case "hold": try await hold()
    default: break
    }
    let shown = MessageReport.Showing(display: "HDMI-A-1", flipTime: 12, milliseconds: 3.25)
    return MessageReport(display: request.display, text: request.text, shown: request.wait == true ? [shown] : [])
  }

  func removeMessage(_ display: String?) async throws(ControlError) -> ClearReport {
    if let display { try known(display) }
    let text = state.withLock { $0.messages.removeValue(forKey: display) }
    return ClearReport(removed: text.map { [ClearReport.Removed(id: 1, summary: $0)] } ?? [])
  }

  func removeAllMessages() async -> ClearReport {
    note(.removeAllMessages)
    return Self.clearReport
  }

  static let clearReport = ClearReport(
    removed: [ClearReport.Removed(id: 1, summary: "a")],
    remaining: [
      ClearReport.Remaining(id: 2, summary: "b", displays: ["HDMI-A-1"], expires: Timestamp(milliseconds: 0))
    ])

  static let closedReport = ClosedSessionReport(
    id: 3, display: "HDMI-A-1", kind: "markdown", summary: "Notes", tag: "notes", ended: Timestamp(milliseconds: 0))

  func closedSessions() async -> [ClosedSessionReport] { [Self.closedReport] }

  func setAsleep(_ request: SleepRequest) async throws(ControlError) -> [DisplayReport] {
    if let display = request.display { try known(display) }
    state.withLock { $0.sleeps.append(request) }
    return [Self.report(request.display ?? "HDMI-A-1")]
  }

  func screenshot(_ display: String, _ request: ScreenshotRequest) async throws(ControlError) -> [UInt8] {
    try known(display)
    return Self.picture
  }

  func plug(_ request: PlugRequest) async throws(ControlError) -> DisplayReport {
    state.withLock { $0.plugs.append(request) }
    return Self.report(request.display ?? "Virtual-2")
  }

  func unplug(_ display: String) async throws(ControlError) { try known(display) }

  func events(after place: EventPlace?) async -> EventFeed {
    note(.events(place))
    return EventFeed(epoch: "e", hasGap: place.map { $0.epoch != "e" } ?? false, events: await events())
  }

  func events() async -> AsyncStream<ControlEvent> { readers.subscribe() }

  func known(_ display: String) throws(ControlError) {
    guard ["HDMI-A-1", "büro 1/2"].contains(display) else {
      throw ControlError.unknownDisplay(display, known: ["HDMI-A-1", "büro 1/2"])
    }
  }

  /// Holds a call until `letGo`.
  func waitToBeLetGo() async {
    isWaiting.yield()
    for await _ in goings { break }
  }

  /// Releases one held call.
  func letGo() { mayGo.yield() }

  private func hold() async throws(ControlError) {
    isWaiting.yield()
    let (never, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    withExtendedLifetime(continuation) {}
    wasCancelled.yield()
    throw ControlError(.failed, "Cancelled.")
  }
}
