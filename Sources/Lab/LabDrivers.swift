/// Drivers that Debian's kernels leave out.
extension Lab {
  /// Loads a driver that the guest's kernel may lack, where that has not been done; the first time on this host, it is
  /// made.
  func load(_ driver: DriverModule) throws(LabError) {
    let file = try driver.file(for: try KernelImage.cached(version: try text("/proc/sys/kernel/osrelease")))
    guard try directory.nextNumber(of: "driver-\(driver.name)") == 1 else { return }
    guard let file else { return _ = try shell("modprobe \(driver.name)") }
    let copy = "/run/lab-\(driver.name).ko"
    try put(file: file, to: copy)
    try shell("modprobe -a $(modinfo -F depends \(copy) | tr , ' ') && insmod \(copy)")
  }

  /// Why a driver cannot be had on this host for the kernel that labs have, as one sentence; nil where it
  /// can.
  static func obstacle(to driver: DriverModule) -> String? {
    do throws(LabError) {
      _ = try driver.file(for: try KernelImage.cached())
      return nil
    } catch {
      return error.description
    }
  }
}
