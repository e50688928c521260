/// A guest with systemd.
extension Lab {
  /// Waits until systemd has started all that starts at boot; units that failed are the caller's to judge.
  func waitForSystem(until deadline: Deadline) throws(LabError) {
    let left = Duration.milliseconds(Int64(deadline.milliseconds))
    let result = try run(["systemctl", "is-system-running", "--wait"], within: left)
    guard result.output.hasPrefix("running") || result.output.hasPrefix("degraded") else {
      throw LabError(.refused, "the guest's systemd does not run: \(result.output)\(result.errors)")
    }
  }

  /// Runs systemctl in the guest and returns what it printed; anything but exit code 0 is an error.
  @discardableResult
  public func systemctl(_ arguments: String..., within: Duration = .seconds(60)) throws(LabError) -> String {
    let result = try run(["systemctl", "--no-pager"] + arguments, within: within)
    guard result.status.isSuccess else {
      throw LabError(
        .refused,
        "in the guest: systemctl \(arguments.joined(separator: " ")): \(result.status)\n"
          + lastLines(result.output + result.errors, 12))
    }
    return result.output
  }

  /// What a unit wrote to the guest's journal since the boot, without times.
  public func journal(of unit: String) throws(LabError) -> String {
    try run(["journalctl", "--no-pager", "-b", "-o", "cat", "-u", unit]).output
  }
}
