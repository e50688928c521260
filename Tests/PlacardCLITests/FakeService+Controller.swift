import Control
import FakeServiceSupport
import Geometry
import JSON
import Pictures

/// The controller's operations other than those on sessions and messages.
extension FakeService {
  func setMode(_ display: String, _ request: ModeRequest) async throws(ControlError) -> DisplayReport {
    try known(display)
    note(.setMode(display, request))
    var report = await displays()[0]
    report.rotation = request.rotation ?? 0
    guard request.keep != true else { return report }
    report.pending = PendingModeChange(mode: request.mode, rotation: report.rotation, until: pendingModeEnd)
    return report
  }

  func confirmMode(_ display: String) async throws(ControlError) -> DisplayReport {
    try known(display)
    note(.confirmMode(display))
    return await displays()[0]
  }

  func resetMode(_ display: String) async throws(ControlError) -> DisplayReport {
    try known(display)
    note(.resetMode(display))
    return await displays()[0]
  }

  func identify(_ request: IdentifyRequest) async throws(ControlError) -> [DisplayReport] {
    if let display = request.display { try known(display) }
    note(.identify(request))
    return [await displays()[0]]
  }

  /// An image of one color with the display's aspect ratio; it differs after each change.
  func preview(_ display: String, _ request: PreviewRequest) async throws(ControlError) -> Preview {
    try known(display)
    note(.preview(display, request))
    guard display == "HDMI-A-1" else { throw ControlError(.conflict, "\(display) is dark: no mode was taken.") }
    let (tag, color) = screen
    guard request.known != tag else { return Preview(tag: tag, type: "image/png", bytes: nil) }
    let size = Size(request.width, max(1, request.width * 9 / 16))
    let bytes = try? RGBImage(size: size) { _, _ in color }.png()
    return Preview(tag: tag, type: "image/png", bytes: bytes ?? [])
  }

  func edit(_ session: Int, _ edit: SceneEdit) async throws(ControlError) -> SessionReport {
    note(.edit(session, edit))
    let current = Revision.of(Self.board)
    if let expecting = edit.expecting, expecting != current {
      throw ControlError(.changed, "Another client has changed session \(session) since.")
    }
    return await sessions()[0]
  }

  func board() async throws(ControlError) -> BoardReport {
    let open = [BoardReport.OpenCard(card: "b", session: 2, display: "HDMI-A-1")]
    return BoardReport(board: Self.board, revision: Revision.of(Self.board), open: open)
  }

  func setBoard(_ edit: SceneEdit) async throws(ControlError) -> BoardReport {
    note(.setBoard(edit))
    return try await board()
  }

  func images() async throws(ControlError) -> [ImageReport] {
    if isEmpty { return [] }
    return [
      ImageReport(
        name: "9f86d081884c7d65.png", file: "poster.png", path: "/p/9f86d081884c7d65.png", type: .png, width: 20,
        height: 10,
        bytes: 3500, added: Timestamp(milliseconds: 0))
    ]
  }

  func image(_ name: String) async throws(ControlError) -> [UInt8] { [0x89, 1, 2] }

  func addImage(_ bytes: [UInt8], file: String?) async throws(ControlError) -> ImageReport {
    note(.addImage(bytes, file))
    return try await images()[0]
  }

  func removeImage(_ name: String) async throws(ControlError) { note(.removeImage(name)) }

  func health() async throws(ControlError) -> HealthReport {
    isEmpty
      ? HealthReport(state: .ok, ready: true, reasons: [], uptime: 93784)
      : HealthReport(
        state: .degraded, ready: true, reasons: ["DP-1 is dark: no mode was taken."], uptime: 61,
        rejections: ["request_rate": 3])
  }

  func acknowledgeLoss(_ id: Int) async throws(ControlError) { note(.acknowledgeLoss(id)) }

  func acknowledgeLosses() async -> [LossReport] {
    note(.acknowledgeLosses)
    if isEmpty { return [] }
    return [LossReport(id: 3, text: "the reload was refused", since: Timestamp(milliseconds: 0))]
  }

  func virtualMonitors() async throws(ControlError) -> VirtualReport {
    VirtualReport(
      available: !isEmpty, plugged: ["Virtual-1"],
      choices: [
        .init(label: "800x480", request: PlugRequest(width: 800, height: 480)),
        .init(label: "4K, 3840x2160", request: PlugRequest(width: 3840, height: 2160)),
        .init(label: "4K, portrait", request: PlugRequest(width: 2160, height: 3840)),
      ])
  }
}
