import Glibc

/// A process that has a device node open, for error messages that name it.
package struct NodeHolder: Hashable, Sendable {
  /// The process ID.
  package var pid: Int32
  /// The process name, which the kernel truncates to 15 bytes.
  package var command: String
  /// The process's systemd unit; nil if it belongs to none.
  package var unit: String?
  /// True if the unit belongs to a user's service manager.
  package var isUserUnit: Bool

  /// Creates a holder.
  package init(pid: Int32, command: String, unit: String? = nil, isUserUnit: Bool = false) {
    (self.pid, self.command, self.unit, self.isUserUnit) = (pid, command, unit, isUserUnit)
  }

  /// The description, such as `kmscon (pid 412, unit kmsconvt@tty1.service)`.
  package var description: String {
    let unit = unit.map { ", unit \($0)" } ?? ""
    return "\(command) (pid \(pid)\(unit))"
  }

  /// Returns the innermost `.service` or `.scope` in a process's cgroup path.
  ///
  /// - Parameter text: The contents of /proc/PID/cgroup.
  /// - Returns: The unit's name; nil if the path has none.
  package static func unit(inCgroup text: String) -> String? {
    let line = text.split(separator: "\n").last { $0.hasPrefix("0::") } ?? text.split(separator: "\n").last
    return line?.split(separator: "/").last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }.map(String.init)
  }

  /// Returns the DRM master in debugfs's list of a card's clients.
  ///
  /// - Parameter text: The contents of the file `clients`, with the columns command, PID, minor, master (y or n) and
  ///   others.
  /// - Returns: The process or thread ID; nil if no client is master.
  package static func master(inClients text: String) -> Int32? {
    for line in text.split(separator: "\n").dropFirst() {
      let columns = line.split(separator: " ")
      guard let flag = columns.firstIndex(where: { $0 == "y" || $0 == "n" }), flag >= 2, columns[flag] == "y" else {
        continue
      }
      return Int32(columns[flag - 2])
    }
    return nil
  }
}

extension SystemFiles {
  /// Returns the IDs of all visible processes.
  package func processes() -> [Int32] { names(in: "/proc").compactMap { Int32($0) } }

  /// Returns the name and the unit of a process.
  package func process(_ pid: Int32) -> NodeHolder {
    let cgroup = text("/proc/\(pid)/cgroup")
    return NodeHolder(
      pid: pid, command: line("/proc/\(pid)/comm") ?? "?", unit: cgroup.flatMap(NodeHolder.unit(inCgroup:)),
      isUserUnit: cgroup?.split(separator: "/").contains { $0.hasPrefix("user@") } ?? false)
  }

  /// Returns the processes that have a device node open.
  ///
  /// - Parameter path: The device node.
  /// - Returns: The processes whose descriptors this user can see: its own, or all of them as root.
  package func holders(of path: String) -> [NodeHolder] {
    processes().filter { hasOpen($0, path) }.map(process)
  }

  /// Returns the DRM master of a card, which debugfs shows only to root.
  ///
  /// Kernels before 6.7 show the thread that opened the card (drm_file_alloc, task_pid), which is mapped to its
  /// process.
  ///
  /// - Parameter path: The device node.
  /// - Returns: The process ID; nil if there is no master, or if debugfs is not readable.
  package func drmMaster(of path: String) -> Int32? {
    guard let facts = facts(path) else { return nil }
    guard let task = text("/sys/kernel/debug/dri/\(facts.minor)/clients").flatMap(NodeHolder.master(inClients:)) else {
      return nil
    }
    return process(ofThread: task) ?? task
  }

  /// Returns the process of a thread.
  ///
  /// The thread's directory in /proc is not listed, but it exists.
  private func process(ofThread task: Int32) -> Int32? {
    let line = text("/proc/\(task)/status")?.split(separator: "\n").first { $0.hasPrefix("Tgid:") }
    return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int32($0) }
  }

  private func hasOpen(_ pid: Int32, _ path: String) -> Bool {
    names(in: "/proc/\(pid)/fd").contains { link("/proc/\(pid)/fd/\($0)") == path }
  }
}
