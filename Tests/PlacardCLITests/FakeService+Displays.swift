import Control

/// Modes, as a service that takes any.
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
}
