/// The changes of monitors that the guest's driver has handled.
///
/// The driver clears its flag for changes after it has handled them, and thus loses one that comes in the meantime
/// (kernel: virtio_gpu_config_changed_work_func). With the first monitor, kernel 6.12 also sets up its console there,
/// which takes a fifth of a second. Each change therefore waits until the one before was handled.
struct MonitorChanges {
  /// The program that writes a line for each return of the driver's function; it ends at once if the guest has no such
  /// driver.
  private let process: LabProcess

  private static let script = """
    cd /sys/kernel/debug/tracing || exit
    echo 'r:lab/handled virtio_gpu_config_changed_work_func' 2>/dev/null >>kprobe_events
    mkdir instances/$$ && cd instances/$$ && echo 1 >events/lab/handled/enable || exit
    echo ready
    exec cat trace_pipe
    """

  /// Begins to count changes; nil if the guest has no virtio-gpu driver.
  init?(of lab: Lab) throws(LabError) {
    process = try lab.start(["sh", "-c", Self.script])
    do throws(LabError) {
      try process.waitForLine(containing: "ready", within: .seconds(60))
    } catch {
      return nil
    }
  }

  /// Makes a change, and waits until the driver has handled it.
  ///
  /// - Parameter body: The change.
  /// - Throws: The error of `body`.
  func wait(for body: () throws(LabError) -> Void) throws(LabError) {
    let mark = process.lines.count
    try body()
    // A card that was removed handles nothing.
    _ = try? process.waitForLine(containing: "handled", from: mark, within: .seconds(20))
  }
}
