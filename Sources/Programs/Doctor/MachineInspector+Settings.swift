import Configuration
import Control
import Glibc
import SystemFiles

extension MachineInspector {
  /// Checks that the service's configuration is valid, and examines the storage of its state.
  func inspectSettings(_ seen: inout MachineReport) {
    let path = seen.process?.option("--config") ?? SettingsFile.defaultPath
    var settings = Settings()
    // If this user cannot read the file, the service may still be able to.
    if files.bytes(path, atMost: 1) != nil {
      do throws(ConfigurationError) {
        settings = try SettingsFile.read(
          files.root + path,
          facts: ValidationContext(
            hasTokenFile: seen.process?.option("--token-file") != nil,
            isListenReplaced: seen.process?.option("--listen") != nil))
      } catch {
        let line = error.line.map { ":\($0)" } ?? ""
        seen.configurationError = "\(path)\(line): \(error.reason)"
      }
    }
    seen.storage = storagePath(seen, settings).map(storage)
  }

  private func storagePath(_ seen: MachineReport, _ settings: Settings) -> String? {
    if let reported = seen.view?.status.storage, reported.first == "/" { return reported }
    switch seen.process?.option("--state").flatMap(Storage.init(parsing:)) ?? settings.storage {
    case .file(let path): return path
    case .memory: return nil
    case .usual: return seen.isSystemdService ? "/var/lib/placard/placard.db" : nil
    }
  }

  private func storage(_ path: String) -> StorageState {
    var state = StorageState(path: path)
    state.hasFolder = files.facts(state.folder) != nil
    var disk = statvfs()
    guard unsafe statvfs(files.root + state.folder, &disk) == 0 else { return state }
    state.freeBytes = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
    // File systems without a fixed number of inodes (btrfs) report 0 of 0.
    state.freeFiles = disk.f_files == 0 ? nil : UInt64(disk.f_favail)
    // ST_RDONLY. It is in an anonymous C enumeration.
    state.isReadOnly = disk.f_flag & 1 != 0
    return state
  }
}
