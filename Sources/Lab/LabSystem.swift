/// A guest with systemd.
extension Lab {
  /// Waits until systemd has done all that starts at boot.
  func waitForSystem(until deadline: Deadline) throws(LabError) {
    let left = Duration.milliseconds(Int64(deadline.milliseconds))
    let state = try run(["systemctl", "is-system-running", "--wait"], within: left).output
    guard state.hasPrefix("running") || state.hasPrefix("degraded") else {
      throw LabError(.refused, "the guest's systemd is not running but: \(state)")
    }
  }
}
