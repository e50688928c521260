import Glibc
import SystemFiles

/// Who is DRM master of a card while this process is not.
enum MasterHolder {
  /// The processes that may be: the one that debugfs marks as master if it can be read (root), else all that have the
  /// node open as far as /proc lets us see.
  static func candidates(for path: String, own: Int32 = getpid()) -> [NodeHolder] {
    let files = SystemFiles()
    if let pid = files.drmMaster(of: path), pid != own { return [files.process(pid)] }
    return files.holders(of: path).filter { $0.pid != own }
  }

  /// A sentence for people: who holds it, or why that cannot be seen.
  static func explain(_ path: String) -> String {
    let holders = candidates(for: path)
    if holders.isEmpty {
      return "another program is DRM master of \(path), and this user may not see which"
        + " (as root: cat /sys/kernel/debug/dri/*/clients)"
    }
    let names = holders.map(\.description).joined(separator: ", ")
    let stop = holders.compactMap(\.unit).first.map { "stop it with `systemctl stop \($0)`" } ?? "end it"
    return "\(path) is held by \(names); \(stop), and the picture comes at once "
      + "(within 5 s if it only gives up DRM master)"
  }
}
