import Glibc
import SystemFiles

/// The search for the process that is DRM master of a card while this process is not.
enum MasterHolder {
  /// Returns the processes that can be DRM master.
  ///
  /// As root, this is the one that debugfs marks as master. Otherwise it is each process that has the node open, as far
  /// as /proc is readable.
  static func candidates(for path: String, own: Int32 = getpid()) -> [NodeHolder] {
    let files = SystemFiles()
    if let pid = files.drmMaster(of: path), pid != own { return [files.process(pid)] }
    return files.holders(of: path).filter { $0.pid != own }
  }

  /// Returns a message for users: the process that holds the card, or the reason that it is unknown.
  static func explain(_ path: String) -> String {
    let holders = candidates(for: path)
    if holders.isEmpty {
      return "another program is DRM master of \(path), and only root can see which"
        + " (sudo cat /sys/kernel/debug/dri/*/clients)"
    }
    let names = holders.map(\.description).joined(separator: ", ")
    let stop = holders.compactMap(\.unit).first.map { "stop it with `systemctl stop \($0)`" } ?? "stop it"
    return "\(path) is held by \(names); \(stop): placardd then uses the card at once "
      + "(within 5 s if it only drops DRM master)"
  }
}
