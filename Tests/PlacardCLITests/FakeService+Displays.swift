import Control

/// Modes and names, as a service that is well and takes any.
extension FakeService {
  func setMode(_ display: String, _ request: ModeRequest) async throws(ControlError) -> DisplayReport {
    try known(display)
    return await displays()[0]
  }

  func confirmMode(_ display: String) async throws(ControlError) -> DisplayReport {
    try known(display)
    return await displays()[0]
  }

  func resetMode(_ display: String) async throws(ControlError) -> DisplayReport {
    try known(display)
    return await displays()[0]
  }

  func identify(_ request: IdentifyRequest) async throws(ControlError) -> [DisplayReport] { await displays() }

  func health() async throws(ControlError) -> HealthReport {
    HealthReport(state: .ok, ready: true, reasons: [], uptime: 7)
  }

  func virtualMonitors() async throws(ControlError) -> VirtualReport { VirtualReport(available: true) }
}
