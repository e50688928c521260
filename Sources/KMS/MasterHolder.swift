import CLinux
import Glibc

/// Who has a device node open, so that "busy" gets a name.
struct MasterHolder: Hashable, Sendable {
  var pid: Int32
  var command: String
  var unit: String?

  /// `kmscon (pid 412, unit kmsconvt@tty1.service)`.
  var description: String {
    let unit = unit.map { ", unit \($0)" } ?? ""
    return "\(command) (pid \(pid)\(unit))"
  }

  /// The processes that may be master of the node: the one debugfs marks as master if it can be read (root),
  /// else all that have the node open as far as /proc lets us see.
  static func candidates(for path: String, own: Int32 = getpid()) -> [MasterHolder] {
    if let pid = masterByDebugfs(path), pid != own { return [MasterHolder(pid: pid)] }
    return processIDs().filter { $0 != own && hasOpen($0, path) }.map { MasterHolder(pid: $0) }
  }

  /// A sentence for people: who holds it, or why that cannot be seen.
  static func explain(_ path: String) -> String {
    let holders = candidates(for: path)
    if holders.isEmpty {
      return "another program is DRM master of \(path), and this user may not see which"
        + " (as root: cat /sys/kernel/debug/dri/*/clients)"
    }
    let names = holders.map(\.description).joined(separator: ", ")
    let stop = holders.compactMap(\.unit).first.map { "stop it with: systemctl stop \($0)" } ?? "end it"
    return "\(path) is held by \(names); \(stop), and the picture comes at once"
  }

  private init(pid: Int32) {
    self.pid = pid
    let comm = readText("/proc/\(pid)/comm") ?? "?"
    command = String(comm.prefix { $0 != "\n" })
    unit = readText("/proc/\(pid)/cgroup").flatMap(Self.unit(inCgroup:))
  }

  /// The innermost `.service` or `.scope` of a process's cgroup path.
  static func unit(inCgroup text: String) -> String? {
    let line = text.split(separator: "\n").last { $0.hasPrefix("0::") } ?? text.split(separator: "\n").last
    return line?.split(separator: "/").last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }.map(String.init)
  }

  /// debugfs's table of clients: command, pid, minor, master (y or n), ...
  static func master(inClients text: String) -> Int32? {
    for line in text.split(separator: "\n").dropFirst() {
      let columns = line.split(separator: " ")
      guard let flag = columns.firstIndex(where: { $0 == "y" || $0 == "n" }), flag >= 2, columns[flag] == "y" else {
        continue
      }
      return Int32(columns[flag - 2])
    }
    return nil
  }

  private static func masterByDebugfs(_ path: String) -> Int32? {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return nil }
    let minor = (info.st_rdev & 0xFF) | (info.st_rdev >> 12 & 0xFFF_FF00)
    return readText("/sys/kernel/debug/dri/\(minor)/clients").flatMap(master(inClients:))
  }

  private static func processIDs() -> [Int32] { listDirectory("/proc").compactMap { Int32($0) } }

  private static func hasOpen(_ pid: Int32, _ path: String) -> Bool {
    listDirectory("/proc/\(pid)/fd").contains { readLink("/proc/\(pid)/fd/\($0)") == path }
  }
}
