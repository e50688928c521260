import Control
import SystemFiles

extension MachineReport {
  // MARK: Fonts

  func fontFindings() -> [Finding] {
    let isMissed = view?.displays.contains(where: isMissingFont) ?? false
    if fonts == .none || isMissed { return [missingFont()] }
    let warnings = view?.displays.flatMap { report in
      report.warnings.filter { $0.includes("font") }.map { warning in
        Finding(
          .fonts, .note, "font-warning", report.name, "\(report.name): \(warning)",
          fix: "reload the service after installing a font", command: "sudo systemctl reload placard")
      }
    }
    if let warnings, !warnings.isEmpty { return warnings }
    switch fonts {
    case .found(let file):
      return [.ok(.fonts, file, "the default font is \(file)")]
    case .unseen(let reason): return [.unseen(.fonts, nil, "fonts were not checked: \(reason)")]
    case .none: return []
    }
  }

  private func missingFont() -> Finding {
    Finding(
      .fonts, .wrong, "no-font", nil, "no font is installed",
      fix: "install one, then reload the service",
      command: "sudo apt-get install fonts-dejavu-core && sudo systemctl reload-or-restart placard")
  }

  // MARK: Virtual terminal

  func terminalFindings() -> [Finding] {
    guard let terminal else { return [.ok(.terminal, nil, "this kernel has no virtual terminal")] }
    switch terminal.mode {
    case .text: return [.ok(.terminal, terminal.name, "\(terminal.name) is in text mode")]
    case .unseen:
      return [
        .unseen(
          .terminal, terminal.name, "only root can see whether \(terminal.name) is in graphics mode",
          fix: "run this as root", command: "sudo placard doctor")
      ]
    case .graphics: return [graphics(terminal)]
    }
  }

  /// Reports a terminal in graphics mode.
  ///
  /// A display server sets this mode. If it crashes, the mode remains and the console does not draw.
  private func graphics(_ terminal: TerminalState) -> Finding {
    let isLit = view?.displays.contains { $0.state == .lit } ?? false
    let users = terminal.holders.map(\.description).joined(separator: ", ")
    return Finding(
      .terminal, isLit ? .note : .wrong, "vt-graphics", terminal.name,
      "\(terminal.name) is in graphics mode: "
        + (users.isEmpty
          ? "a display server left it in this mode" : "\(users) \(terminal.holders.count > 1 ? "have" : "has") it open")
        + ", so the console's text is not visible",
      fix: "stop that display server; if it crashed, restart the terminal's getty",
      command: "sudo systemctl restart getty@\(terminal.name)")
  }

  // MARK: Kernel

  func kernelFindings() -> [Finding] {
    let found = kernelArguments.compactMap(kernelFinding)
    return found.isEmpty ? [.ok(.kernel, nil, "nothing on the kernel's command line keeps displays dark")] : found
  }

  private func kernelFinding(_ argument: String) -> Finding? {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let (name, value) = (parts[0], parts.count > 1 ? parts[1] : "")
    if argument == "nomodeset" { return modesettingOff(argument, "nomodeset") }
    if name.hasSuffix(".modeset"), value == "0" { return modesettingOff(argument, "modeset-off") }
    if name == "video" { return forced(argument, value) }
    if name.hasSuffix(".edid_firmware") || name == "drm_kms_helper.edid_firmware" {
      return Finding(
        .kernel, .note, "edid-firmware", argument,
        "\(argument): the kernel uses EDIDs from files instead of the monitors' own",
        fix: Self.bootloader(argument))
    }
    return nil
  }

  private func modesettingOff(_ argument: String, _ code: String) -> Finding {
    let isHarmless = isVirtual || view?.displays.contains { $0.state == .lit } ?? false
    return Finding(
      .kernel, isHarmless ? .note : .wrong, code, argument,
      "\(argument) on the kernel's command line keeps graphics drivers from setting modes",
      fix: Self.bootloader(argument), command: "sudo sed -i 's/ *\(argument)//' /etc/default/grub && sudo update-grub")
  }

  /// Reports a connector that the command line forces: `video=HDMI-A-1:d` disables it, `e` and `D` enable it
  /// (modedb.rst).
  private func forced(_ argument: String, _ value: String) -> Finding? {
    let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, cards.contains(where: { $0.connectors.contains { $0.name == parts[0] } }) else {
      return nil
    }
    let options = parts[1].split(separator: ",").first.map(String.init) ?? ""
    switch options.last {
    case "d":
      return Finding(
        .kernel, .wrong, "connector-disabled", parts[0], "\(argument) disables \(parts[0])",
        fix: Self.bootloader(argument))
    case "e", "D":
      return Finding(
        .kernel, .note, "connector-forced", parts[0],
        "\(argument): the kernel reports \(parts[0]) as connected even without a monitor",
        fix: Self.bootloader(argument))
    default: return nil
    }
  }

  private static func bootloader(_ argument: String) -> String {
    "unless this is intended, remove \(argument) from GRUB_CMDLINE_LINUX in /etc/default/grub (or from the boot loader's"
      + " own file) and reboot"
  }

  // MARK: Storage

  /// The free bytes below which the disk counts as full: SQLite needs a journal beside the file.
  private static let leastBytes: UInt64 = 1 << 20
  /// The free bytes below which the disk counts as nearly full.
  private static let fewBytes: UInt64 = 32 << 20

  func storageFindings() -> [Finding] {
    guard let storage else {
      let words = view?.status.storage ?? "the path of the state is unknown while the service is not running"
      return [view == nil ? .unseen(.storage, nil, words) : .ok(.storage, nil, "state is kept \(words)")]
    }
    let reported = view?.status.storage
    let isTrouble = reported.map { $0.first != "/" } ?? false
    return [
      spaceFinding(storage) ?? (isTrouble ? memoryStateFinding(storage, reported ?? "") : nil)
        ?? storageFinding(storage)
    ]
  }

  private func storageFinding(_ storage: StorageState) -> Finding {
    let room = storage.freeBytes.map { ", \($0 >> 20) MiB free" } ?? ""
    guard let bytes = storage.freeBytes, bytes < Self.fewBytes else {
      return .ok(.storage, storage.path, "state is kept in \(storage.path)\(room)")
    }
    return Finding(
      .storage, .note, "disk-nearly-full", storage.path, "the disk of \(storage.path) is nearly full\(room)",
      fix: "free some space there", command: "df -h \(storage.folder)")
  }

  private func spaceFinding(_ storage: StorageState) -> Finding? {
    if !storage.hasFolder, let reported = view?.status.storage, reported.first != "/" {
      return Finding(
        .storage, .wrong, "no-state-folder", storage.path,
        "the directory of \(storage.path) does not exist or is not readable",
        fix: "create it for the user that the service runs as",
        command: "sudo install -d -o \(serviceAccount.name) \(storage.folder)")
    }
    if storage.isReadOnly {
      return Finding(
        .storage, .wrong, "state-read-only", storage.path, "the disk of \(storage.path) is mounted read-only",
        fix: "remount it writable; the service then saves the pending changes by itself",
        command: "sudo mount -o remount,rw $(findmnt -n -o TARGET -T \(storage.folder))")
    }
    guard let bytes = storage.freeBytes, bytes < Self.leastBytes || storage.freeFiles == 0 else { return nil }
    let what = bytes < Self.leastBytes ? "is full: \(bytes >> 10) KiB free" : "has no free inodes"
    return Finding(
      .storage, .wrong, "disk-full", storage.path, "the disk of \(storage.path) \(what)",
      fix: "free some space there; the service then saves the pending changes by itself",
      command: "df -h \(storage.folder)")
  }

  private func memoryStateFinding(_ storage: StorageState, _ words: String) -> Finding {
    Finding(
      .storage, .wrong, "state-in-memory", storage.path, "the service keeps its state \(words)",
      fix: "make \(storage.path) and its folder writable for \(serviceAccount.name)",
      command: "ls -ld \(storage.folder) \(storage.path)")
  }

  // MARK: Time zones

  func zoneFindings() -> [Finding] {
    if hasTimeZones { return [.ok(.zones, nil, "the time zone database is installed")] }
    return [
      Finding(
        .zones, .note, "no-time-zones", "/usr/share/zoneinfo",
        "no time zone database in /usr/share/zoneinfo: clocks show UTC", fix: "install it",
        command: "sudo apt-get install tzdata")
    ]
  }
}

extension StorageState {
  /// The directory of the file.
  var folder: String { path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "." }
}
