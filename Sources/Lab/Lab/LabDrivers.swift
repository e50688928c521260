/// Drivers that Debian's kernels omit.
extension Lab {
  /// Loads a driver into the guest's kernel unless it is already loaded.
  ///
  /// The first call on a host builds it if needed.
  func load(_ driver: DriverModule) throws(LabError) {
    let file = try driver.file(for: try KernelImage.cached(version: try text("/proc/sys/kernel/osrelease")))
    guard try directory.nextNumber(of: "driver-\(driver.name)") == 1 else { return }
    guard let file else { return _ = try shell("modprobe \(driver.name)") }
    let copy = "/run/lab-\(driver.name).ko"
    try put(file: file, to: copy)
    try shell("modprobe -a $(modinfo -F depends \(copy) | tr , ' ') && insmod \(copy)")
  }

  /// Returns the reason why a driver is unavailable for the labs' default kernel, or nil if it is available.
  static func unavailableReason(to driver: DriverModule) -> String? {
    do throws(LabError) {
      _ = try driver.file(for: try KernelImage.cached())
      return nil
    } catch {
      return error.description
    }
  }
}
