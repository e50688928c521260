import Control
import FakeServiceSupport
import JSON

/// The remaining operations for controllers: modes, previews, edits, the board, images, health.
extension FakeService {
  func setMode(_ display: String, _ request: ModeRequest) async throws(ControlError) -> DisplayReport {
    try known(display)
    note(.setMode(display, request))
    return Self.pendingMode
  }

  static let pendingMode: DisplayReport = {
    var report = FakeService.report("HDMI-A-1")
    report.modes = ["1920x1080@60", "1280x720@60"]
    report.pending = PendingModeChange(mode: "1280x720@60", rotation: 90, until: Timestamp(milliseconds: 15_000))
    report.reason = "It is being lit."
    report.warnings = ["2 lines are cut."]
    report.session = 17
    return report
  }()

  func confirmMode(_ display: String) async throws(ControlError) -> DisplayReport {
    try known(display)
    note(.confirmMode(display))
    return Self.report(display)
  }

  func resetMode(_ display: String) async throws(ControlError) -> DisplayReport {
    try known(display)
    note(.resetMode(display))
    return Self.report(display)
  }

  func identify(_ request: IdentifyRequest) async throws(ControlError) -> [DisplayReport] {
    note(.identify(request))
    return [Self.report("HDMI-A-1")]
  }

  func preview(_ display: String, _ request: PreviewRequest) async throws(ControlError) -> Preview {
    try known(display)
    note(.preview(display, request))
    let tag = "a1-\(request.width)-\(request.format.rawValue)"
    return Preview(
      tag: tag, type: "image/\(request.format.rawValue)", bytes: request.known == tag ? nil : Self.picture)
  }

  func edit(_ session: Int, _ edit: SceneEdit) async throws(ControlError) -> SessionReport {
    try known(session: session)
    if let expected = edit.expecting, expected != Self.session.revision {
      throw ControlError(.changed, "Session \(session) has another scene by now.")
    }
    note(.edit(session, edit))
    return Self.session
  }

  static let boardReport = BoardReport(
    board: ["kind": "board", "columns": []], revision: "b0a2d",
    open: [.init(card: "c1", session: 17, display: "HDMI-A-1")])

  func board() async throws(ControlError) -> BoardReport { Self.boardReport }

  func setBoard(_ edit: SceneEdit) async throws(ControlError) -> BoardReport {
    if let expected = edit.expecting, expected != Self.boardReport.revision {
      throw ControlError(.changed, "The board has changed.")
    }
    note(.setBoard(edit))
    return Self.boardReport
  }

  static let pictureReport = ImageReport(
    name: "ab.png", file: "poster 1.png", path: "/var/lib/placard/images/ab.png", type: .png, width: 2,
    height: 1, bytes: 12,
    added: Timestamp(milliseconds: 0))

  func images() async throws(ControlError) -> [ImageReport] { [Self.pictureReport] }

  func image(_ name: String) async throws(ControlError) -> [UInt8] {
    guard name == "ab.png" else { throw ControlError(.notFound, "There is no picture \(name).") }
    return Self.picture
  }

  func addImage(_ bytes: [UInt8], file: String?) async throws(ControlError) -> ImageReport {
    note(.addImage(bytes, file))
    return Self.pictureReport
  }

  func removeImage(_ name: String) async throws(ControlError) {
    guard name == "ab.png" else { throw ControlError(.conflict, "Session 17 shows \(name).") }
    note(.removeImage(name))
  }

  func health() async throws(ControlError) -> HealthReport {
    let isStarting = calls.contains(.identify(IdentifyRequest(seconds: 600)))
    return HealthReport(
      state: isStarting ? .starting : .degraded, ready: !isStarting, reasons: ["DP-1 is dark: no mode was taken."],
      uptime: 3, rejections: ["connections": 1], losses: [Self.loss])
  }

  static let loss = LossReport(id: 3, text: "the reload was refused", since: Timestamp(milliseconds: 0))

  func acknowledgeLoss(_ id: Int) async throws(ControlError) {
    guard id == Self.loss.id else { throw ControlError.unknownLoss(id) }
    note(.acknowledgeLoss(id))
  }

  func acknowledgeLosses() async -> [LossReport] {
    note(.acknowledgeLosses)
    return [Self.loss]
  }

  func virtualMonitors() async throws(ControlError) -> VirtualReport {
    VirtualReport(
      available: true, plugged: ["Virtual-1"],
      choices: [.init(label: "4K", request: PlugRequest(width: 3840, height: 2160))])
  }
}
