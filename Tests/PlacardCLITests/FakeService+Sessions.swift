import Control
import FakeServiceSupport
import JSON

extension FakeService {
  static let board = JSONValue.object([
    "kind": .string("board"),
    "columns": .array([
      .object(["cards": .array([.object(["id": .string("a"), "title": .string("First")])])]),
      .object(["cards": .array([.object(["id": .string("b"), "title": .string("Second"), "content": .string("2")])])]),
    ]),
    "style": .object(["accent": .string("#ff0000")]),
  ])

  func sessions() async -> [SessionReport] {
    if isEmpty { return [] }
    return [
      SessionReport(
        id: 2, monitor: "DEL-1", label: "DEL U2720Q", display: "HDMI-A-1", place: "HDMI-A-1", scene: Self.board,
        kind: "board", summary: "First, Second", tag: "lobby", scroll: .position(0),
        opened: Timestamp(milliseconds: 1_795_276_898_123), covered: true, message: nil, asleep: false),
      SessionReport(
        id: nil, monitor: "TST-1", label: "TST", display: "DP-1", place: "DP-1", message: nil, asleep: false),
      SessionReport(
        id: 1, monitor: "DEL-A0C4-1f2e3d4c5b6a7988", label: nil, display: nil, place: "DP-1", kind: "banner",
        summary: "Closed", message: "Closed", asleep: true),
    ]
  }

  func open(_ request: OpenRequest) async throws(ControlError) -> SessionReport {
    if let display = request.display { try known(display) }
    note(.open(request))
    return SessionReport(
      id: 3, monitor: "DEL-1", label: nil, display: request.display ?? "HDMI-A-1", place: "HDMI-A-1", kind: "card",
      summary: "A card", message: nil, asleep: false, delivery: delivery(request.wait))
  }

  func move(_ session: Int, to display: String) async throws(ControlError) -> SessionReport {
    try known(display)
    note(.move(session, display))
    return await sessions()[0]
  }

  func close(_ session: Int) async throws(ControlError) { note(.close(session)) }

  func reopen(_ session: Int) async throws(ControlError) -> SessionReport {
    note(.reopen(session))
    var report = await sessions()[0]
    report.id = session
    return report
  }

  func scroll(_ session: Int, _ request: ScrollRequest) async throws(ControlError) -> SessionReport {
    note(.scroll(session, request))
    return await sessions()[0]
  }

  func refresh(_ session: Int) async throws(ControlError) -> SessionReport {
    note(.refresh(session))
    return await sessions()[0]
  }

  func messages() async -> [LiveMessage] {
    let began = Timestamp(milliseconds: 0)
    let message = LiveMessage(
      id: 5, name: "fire", text: "Leave", scene: .object([:]), kind: "banner", summary: "Leave",
      target: "role:external", priority: 100, created: began, changed: began, acknowledge: true,
      shown: ["HDMI-A-1", "DP-1"])
    return isEmpty ? [] : [message]
  }

  func post(_ request: MessageRequest) async throws(ControlError) -> MessageReport {
    if let display = request.display { try known(display) }
    note(.post(request))
    let delivery = delivery(request.wait)
    return MessageReport(
      id: 5, display: request.display, text: request.text, shown: delivery.shown, notShown: delivery.notShown,
      warnings: delivery.warnings, unseen: delivery.unseen)
  }

  func acknowledge(_ message: Int) async throws(ControlError) { note(.acknowledge(message)) }

  func withdraw(_ message: Int) async throws(ControlError) { note(.withdraw(message)) }

  func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine] {
    if let display = query.display { try known(display) }
    note(.history(query))
    let line = HistoryLine(
      id: "39", display: "HDMI-A-1", monitor: "DEL-1", session: 2, kind: "board", what: "First, Second",
      began: Timestamp(milliseconds: 1_795_276_898_123), ended: Timestamp(milliseconds: 1_795_276_899_000),
      exact: false)
    return isEmpty ? [] : [line]
  }
}
