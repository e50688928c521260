/// Guests with systemd.
extension Lab {
  /// Waits until systemd has finished the boot.
  ///
  /// Failed units are not an error.
  func waitForSystem(until deadline: Deadline) throws(LabError) {
    let left = Duration.milliseconds(Int64(deadline.milliseconds))
    let result = try run(["systemctl", "is-system-running", "--wait"], within: left)
    guard result.output.hasPrefix("running") || result.output.hasPrefix("degraded") else {
      throw LabError(.refused, "the guest's systemd is not running: \(result.output)\(result.errors)")
    }
  }

  /// Runs systemctl in the guest.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of systemctl.
  ///   - within: The time limit.
  /// - Throws: `LabError` if the exit code is not 0.
  /// - Returns: The standard output.
  @discardableResult
  public func systemctl(_ arguments: String..., within: Duration = .generous) throws(LabError) -> String {
    let result = try run(["systemctl", "--no-pager"] + arguments, within: within)
    guard result.status.isSuccess else {
      throw LabError(
        .refused,
        "in the guest: systemctl \(arguments.joined(separator: " ")): \(result.status)\n"
          + lastLines(result.output + result.errors, 12))
    }
    return result.output
  }

  /// Returns a unit's messages in the guest's journal since the boot, without timestamps.
  public func journal(of unit: String) throws(LabError) -> String {
    try run(["journalctl", "--no-pager", "-b", "-o", "cat", "-u", unit]).output
  }
}
