import Control
import FakeServiceSupport
import JSON

extension FakeService {
  static let scene = JSONValue.object([
    "kind": .string("card"), "title": .string("Grüße"), "size": .number("1.50"), "content": .null,
  ])

  func sessions() async -> [SessionReport] {
    [
      SessionReport(
        id: 1, monitor: "DEL-A0C4-1f2e3d4c5b6a7988", label: nil, display: nil, place: "DP-1", message: "Closed",
        asleep: true),
      Self.session,
    ]
  }

  static let session = SessionReport(
    id: 17, monitor: "DEL-1", label: "DEL U2720Q", display: "HDMI-A-1", place: "HDMI-A-1", scene: scene, kind: "card",
    summary: "Grüße", tag: "lobby", scroll: .position(0.25), opened: Timestamp(milliseconds: 1_795_276_898_123),
    covered: true, message: nil, asleep: false)

  func open(_ request: OpenRequest) async throws(ControlError) -> SessionReport {
    if let display = request.display { try known(display) }
    note(.open(request))
    return Self.session
  }

  func move(_ session: Int, to display: String) async throws(ControlError) -> SessionReport {
    try known(display)
    try known(session: session)
    note(.move(session, display))
    return Self.session
  }

  func close(_ session: Int) async throws(ControlError) {
    try known(session: session)
    note(.close(session))
  }

  func reopen(_ session: Int) async throws(ControlError) -> SessionReport {
    try known(session: session)
    note(.reopen(session))
    return Self.session
  }

  func scroll(_ session: Int, _ request: ScrollRequest) async throws(ControlError) -> SessionReport {
    try known(session: session)
    note(.scroll(session, request))
    return Self.session
  }

  func refresh(_ session: Int) async throws(ControlError) -> SessionReport {
    try known(session: session)
    note(.refresh(session))
    return Self.session
  }

  func messages() async -> [LiveMessage] {
    await beforeMessages?()
    if let messagesToList { return messagesToList }
    let began = Timestamp(milliseconds: 0)
    return [
      LiveMessage(
        id: 5, name: "fire", text: "Leave", scene: Self.scene, kind: "banner", summary: "Leave",
        target: "role:external", priority: 100, created: began, changed: began, expires: began,
        acknowledge: true, shown: ["HDMI-A-1"])
    ]
  }

  func post(_ request: MessageRequest) async throws(ControlError) -> MessageReport {
    note(.post(request))
    if request.text == "slow" { await waitToBeLetGo() }
    return MessageReport(id: 5, display: request.display, text: request.text)
  }

  func acknowledge(_ message: Int) async throws(ControlError) {
    try known(message: message)
    note(.acknowledge(message))
  }

  func withdraw(_ message: Int) async throws(ControlError) {
    try known(message: message)
    note(.withdraw(message))
  }

  func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine] {
    note(.history(query))
    if let historyToList {
      let after = query.after.flatMap { Int($0) } ?? .max
      return Array(historyToList.filter { Int($0.id) ?? 0 < after }.prefix(query.limit ?? 100))
    }
    let began = Timestamp(milliseconds: 1_795_276_898_123)
    return [
      HistoryLine(id: "39", display: "HDMI-A-1", monitor: "DEL-1", kind: "banner", what: "a \"b\", c\nd", began: began),
      HistoryLine(
        id: "38", display: "büro 1/2", monitor: "DEL-1", session: 17, kind: "card", what: "Grüße", began: began,
        ended: Timestamp(milliseconds: 1_795_276_899_000), exact: false),
    ]
  }

  func known(session: Int) throws(ControlError) {
    guard session == 17 else { throw ControlError.unknownSession(session) }
  }

  private func known(message: Int) throws(ControlError) {
    guard message == 5 else { throw ControlError.unknownMessage(message) }
  }
}
