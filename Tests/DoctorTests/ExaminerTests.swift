import Control
import Glibc
import SystemFiles
import Testing

@testable import Doctor

/// The examination of directory trees that imitate a machine.
struct ExaminerTests {
  @Test func `A directory tree is examined as a machine`() throws {
    try Tree.with { tree in
      try tree.write("/etc/passwd", "root:x:0:0:::\nplacard:x:990:990:::\n")
      try tree.write("/etc/group", "video:x:44:placard\nrender:x:106:\n")
      try tree.write("/sys/class/drm/card1/dev", "226:1\n")
      try tree.write("/sys/class/drm/card1-HDMI-A-1/status", "connected\n")
      try tree.write("/sys/class/drm/card1-HDMI-A-1/edid", "")
      try tree.write("/sys/class/drm/card1-Writeback-1/status", "unknown\n")
      try tree.write("/sys/class/drm/card0/dev", "226:0\n")
      try tree.write("/sys/class/drm/renderD128/dev", "226:128\n")
      try tree.link("/sys/class/drm/card1/device/driver", to: "../../bus/pci/drivers/i915")
      try tree.write("/dev/dri/card1", "")
      try tree.write("/sys/bus/pci/devices/0000:00:02.0/class", "0x030000\n")
      try tree.write("/sys/bus/pci/devices/0000:00:02.0/vendor", "0x8086\n")
      try tree.write("/sys/bus/pci/devices/0000:00:02.0/device", "0x3e92\n")
      try tree.write("/sys/bus/pci/devices/0000:00:03.0/class", "0x020000\n")
      try tree.write("/proc/cmdline", "quiet nomodeset\n")
      try tree.write("/proc/fb", "0 EFI VGA\n")
      try tree.write("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "")
      try tree.write("/usr/share/zoneinfo/UTC", "")
      let seen = MachineInspector(root: tree.root).inspect(.absent, socket: "/run/placard.sock")
      #expect(seen.cards.map(\.node) == ["/dev/dri/card1"] && seen.renderNodes == ["/dev/dri/card0"])
      #expect(seen.cards[0].driver == "i915" && seen.cards[0].facts != nil)
      #expect(seen.cards[0].connectors == [ConnectorState(name: "HDMI-A-1", isConnected: true)])
      #expect(seen.adapters == [Adapter(address: "0000:00:02.0", identity: "8086:3e92", driver: nil)])
      #expect(seen.kernelArguments == ["quiet", "nomodeset"] && seen.framebuffers == ["EFI VGA"])
      #expect(seen.fonts == .found("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf") && seen.hasTimeZones)
      #expect(seen.terminal == nil && seen.storage == nil && seen.unit == nil && seen.socketFacts == nil)
    }
  }

  @Test func `An empty tree is examined without failing`() throws {
    try Tree.with { tree in
      let seen = MachineInspector(root: tree.root).inspect(.absent, socket: "/s")
      #expect(seen.fonts == .none && !seen.hasTimeZones && seen.cards.isEmpty)
      let codes = Set(Diagnosis(seen).findings.map(\.code))
      #expect(codes.isSuperset(of: ["service-down", "no-card", "no-font", "no-time-zones"]))
    }
  }

  @Test func `The service's process, its account and its options are found in /proc`() throws {
    try Tree.with { tree in
      try tree.write("/etc/passwd", "placard:x:990:990:::\n")
      try tree.write("/proc/70/comm", "placardd\n")
      try tree.write("/proc/70/cmdline", "/usr/bin/placardd\0--state\0\(tree.root)/state/p.db\0--config\0/etc/p.toml\0")
      try tree.write(
        "/proc/70/status", "Name:\tplacardd\nUid:\t0\t990\t990\t990\nGid:\t0\t990\t990\t990\nGroups:\t44 990 \n")
      try tree.write("/proc/71/comm", "placardd\n")
      try tree.write("/proc/72/comm", "placard\n")
      try tree.write("/etc/p.toml", "policy = \"legible\"\npolcy = 1\n")
      let seen = MachineInspector(root: tree.root).inspect(.absent, socket: "/s")
      #expect(seen.processes.map(\.pid) == [70], "a process without a status file has exited")
      #expect(seen.serviceAccount == Account(name: "placard", user: 990, group: 990, groups: [44, 990]))
      #expect(seen.storage?.path == "\(tree.root)/state/p.db" && seen.storage?.hasFolder == false)
      #expect(seen.configurationError?.hasPrefix("/etc/p.toml:2: ") == true)
    }
  }

  @Test func `The processes that hold a card are found in /proc, and its master in debugfs`() throws {
    try Tree.with { tree in
      try tree.write("/sys/class/drm/card0/dev", "")
      try tree.write("/sys/class/drm/card0-DP-1/status", "disconnected\n")
      try tree.write("/sys/kernel/debug/dri/0/DP-1/edid_override", "x")
      try tree.write("/dev/dri/card0", "")
      try tree.write("/proc/9/comm", "kmscon\n")
      try tree.write("/proc/9/cgroup", "0::/system.slice/kmsconvt@tty1.service\n")
      try tree.link("/proc/9/fd/3", to: "/dev/dri/card0")
      try tree.write("/proc/10/comm", "sh\n")
      // Kernels before 6.7 list the thread that opened the card.
      try tree.write("/proc/11/status", "Name:\tworker\nTgid:\t9\nPid:\t11\n")
      try tree.write("/sys/kernel/debug/dri/0/clients", "command pid dev master a uid magic\n worker 11 0 y y 0 0\n")
      let card = try #require(MachineInspector(root: tree.root).inspect(.absent, socket: "/s").cards.first)
      let holder = NodeHolder(pid: 9, command: "kmscon", unit: "kmsconvt@tty1.service")
      #expect(card.holders == [holder] && card.master == holder)
      #expect(card.connectors == [ConnectorState(name: "DP-1", isConnected: false, isOverridden: true)])
    }
  }

  @Test func `The driver of a virtio device is that of its inner device`() throws {
    try Tree.with { tree in
      let device = "/sys/bus/pci/devices/0000:00:02.0"
      try tree.write("\(device)/class", "0x038000\n")
      try tree.link("\(device)/driver", to: "../../drivers/virtio-pci")
      try tree.write("\(device)/virtio1/status", "")
      #expect(MachineInspector(root: tree.root).adapters().map(\.driver) == [nil])
      try tree.link("\(device)/virtio1/driver", to: "../../drivers/virtio_gpu")
      #expect(MachineInspector(root: tree.root).adapters().map(\.driver) == ["virtio_gpu"])
    }
  }

  @Test func `systemd and fontconfig are queried, and an empty result counts as no answer`() throws {
    try Tree.with { tree in
      try tree.write("/etc/passwd", "placard:x:990:990:::\n")
      try tree.write("/etc/group", "video:x:44:\n")
      let examiner = MachineInspector(files: SystemFiles(root: tree.root)) { arguments in
        switch arguments[0] {
        case "systemctl":
          "LoadState=loaded\nActiveState=failed\nResult=exit-code\nNRestarts=3\nUser=placard\nSupplementaryGroups=video\n"
        case "journalctl": "one\nthe last\n"
        case "fc-match": "\n"
        default: nil
        }
      }
      let seen = examiner.inspect(.absent, socket: "/s")
      let account = Account(name: "placard", user: 990, group: 990, groups: [44])
      #expect(
        seen.unit
          == ServiceUnit(active: "failed", result: "exit-code", restarts: 3, account: account, lastLine: "the last"))
      #expect(seen.fonts == .none && seen.storage?.path == "/var/lib/placard/placard.db" && seen.isSystemdService)
    }
  }

  @Test func `A program that prints nothing in time or fails has no output`() {
    #expect(Program.output(of: ["/bin/echo", "a", "b"]) == "a b\n")
    #expect(Program.output(of: ["/bin/sh", "-c", "echo a; exit 3"]) == nil)
    #expect(Program.output(of: ["/there/is/none"]) == nil)
    #expect(Program.output(of: ["/bin/sh", "-c", "read line < /dev/zero"], seconds: 0) == nil)
  }

  @Test func `Any machine that runs the tests can be examined`() {
    let diagnosis = Diagnosis(MachineInspector(root: "").inspect(.absent, socket: "/there/is/none"))
    #expect(Set(diagnosis.findings.map(\.check)) == Set(Finding.Check.allCases))
  }
}

/// A temporary directory tree.
struct Tree {
  let root: String

  static func with(_ body: (Tree) throws -> Void) throws {
    var template = Array("/tmp/placard-doctor-XXXXXX".utf8CString)
    try #require(unsafe mkdtemp(&template) != nil)
    let tree = Tree(root: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    defer { remove(tree.root) }
    try body(tree)
  }

  func write(_ path: String, _ text: String) throws {
    makeFolders(of: path)
    let file = unsafe open(root + path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    try #require(file >= 0)
    defer { close(file) }
    let bytes = Array(text.utf8)
    #expect(unsafe Glibc.write(file, bytes, bytes.count) == bytes.count)
  }

  func link(_ path: String, to target: String) throws {
    makeFolders(of: path)
    try #require(unsafe symlink(target, root + path) == 0)
  }

  private func makeFolders(of path: String) {
    var folder = root
    for name in path.split(separator: "/").dropLast() {
      folder += "/" + name
      unsafe mkdir(folder, 0o755)
    }
  }

  private static func remove(_ path: String) {
    let files = SystemFiles(root: path)
    for name in files.names(in: "") where unsafe unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    unsafe rmdir(path)
  }
}
