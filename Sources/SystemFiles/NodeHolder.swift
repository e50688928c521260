import Glibc

/// A process that has a device node open, so that "busy" gets a name.
public struct NodeHolder: Hashable, Sendable {
  /// Its process id.
  public var pid: Int32
  /// Its name, of which the kernel keeps 15 letters.
  public var command: String
  /// The systemd unit that it belongs to; nil where there is none.
  public var unit: String?
  /// Whether the unit is one of a user's own service manager.
  public var isUserUnit: Bool

  /// A holder from its parts.
  public init(pid: Int32, command: String, unit: String? = nil, isUserUnit: Bool = false) {
    (self.pid, self.command, self.unit, self.isUserUnit) = (pid, command, unit, isUserUnit)
  }

  /// `kmscon (pid 412, unit kmsconvt@tty1.service)`.
  public var description: String {
    let unit = unit.map { ", unit \($0)" } ?? ""
    return "\(command) (pid \(pid)\(unit))"
  }

  /// The innermost `.service` or `.scope` of a process's cgroup path.
  public static func unit(inCgroup text: String) -> String? {
    let line = text.split(separator: "\n").last { $0.hasPrefix("0::") } ?? text.split(separator: "\n").last
    return line?.split(separator: "/").last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }.map(String.init)
  }

  /// debugfs's table of a card's clients: command, pid, minor, master (y or n), ...
  public static func master(inClients text: String) -> Int32? {
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
  /// The ids of all processes that can be seen.
  public func processes() -> [Int32] { names(in: "/proc").compactMap { Int32($0) } }

  /// What a process is called, and its unit.
  public func process(_ pid: Int32) -> NodeHolder {
    let cgroup = text("/proc/\(pid)/cgroup")
    return NodeHolder(
      pid: pid, command: line("/proc/\(pid)/comm") ?? "?", unit: cgroup.flatMap(NodeHolder.unit(inCgroup:)),
      isUserUnit: cgroup?.split(separator: "/").contains { $0.hasPrefix("user@") } ?? false)
  }

  /// The processes that have a node open, as far as this user may see them: its own, or with root's rights all.
  public func holders(of path: String) -> [NodeHolder] {
    processes().filter { hasOpen($0, path) }.map(process)
  }

  /// The DRM master of a card, which debugfs tells root.
  ///
  /// Kernels before 6.7 tell the thread that opened the card (drm_file_alloc, task_pid); its process is meant.
  public func drmMaster(of path: String) -> Int32? {
    guard let facts = facts(path) else { return nil }
    guard let task = text("/sys/kernel/debug/dri/\(facts.minor)/clients").flatMap(NodeHolder.master(inClients:)) else {
      return nil
    }
    return process(ofThread: task) ?? task
  }

  /// A thread's directory in /proc is not listed, but it is there.
  private func process(ofThread task: Int32) -> Int32? {
    let line = text("/proc/\(task)/status")?.split(separator: "\n").first { $0.hasPrefix("Tgid:") }
    return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int32($0) }
  }

  private func hasOpen(_ pid: Int32, _ path: String) -> Bool {
    names(in: "/proc/\(pid)/fd").contains { link("/proc/\(pid)/fd/\($0)") == path }
  }
}
