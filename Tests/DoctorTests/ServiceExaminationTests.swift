import Control
import SystemFiles
import Testing

@testable import Doctor

/// The findings for the service, its socket, and its environment.
struct ServiceExaminationTests {
  @Test func `A service that is down is reported with its state in systemd`() throws {
    var seen = MachineReport.healthy
    seen.answer = .absent
    seen.processes = []
    seen.unit?.active = "inactive"
    #expect(try seen.only("service-down", .wrong).command == "sudo systemctl start placard")
    seen.unit?.active = "activating"
    seen.unit?.result = "exit-code"
    seen.unit?.lastLine = "placardd: /etc/placard/placard.toml:3: unknown key"
    let finding = try seen.only("service-down", .wrong)
    #expect(
      finding.text.hasSuffix(
        "activating (exit-code); its last log line: placardd: /etc/placard/placard.toml:3: unknown key"))
    #expect(finding.command == "journalctl -u placard -n 20")
    seen.unit = nil
    #expect(try seen.only("service-down", .wrong).command == "placardd")
    #expect(seen.findings(.mode).map(\.severity) == [.unseen])
  }

  @Test func `A service that listens on another socket is found`() throws {
    var seen = MachineReport.healthy
    seen.answer = .absent
    seen.processes[0].arguments = ["--socket", "/tmp/o.sock", "--socket=/tmp/p.sock", "--state"]
    #expect(try seen.only("service-elsewhere", .wrong).command == "placard doctor --socket /tmp/p.sock")
  }

  @Test func `A hanging service, another program on the socket, and another version are reported`() throws {
    var seen = MachineReport.healthy
    seen.answer = .silent
    _ = try seen.only("service-silent", .wrong)
    seen.answer = .broken("no HTTP")
    #expect(try seen.only("service-broken", .wrong).text.hasSuffix("no HTTP"))
    seen = .healthy
    seen.change { $0.status.version = "0.0.1" }
    #expect(try seen.only("version", .note).text.contains("0.0.1"))
  }

  @Test func `A socket with the wrong group is wrong`() throws {
    var seen = MachineReport.healthy
    seen.socketFacts = FileFacts(mode: 0o140660, user: 990, group: 44)
    let finding = try seen.only("socket-group", .wrong)
    #expect(finding.text.contains("belongs to the group video (0660)"))
    #expect(finding.command == "sudo chgrp placard /run/placard/placard.sock")
    seen.socketFacts = FileFacts(mode: 0o140660, user: 1000, group: 1000)
    #expect(
      seen.findings(.service).map(\.severity) == [.ok],
      "the socket of a service that was started by hand may have the group of its user")
  }

  @Test func `A socket that this user may not use is reported with the command that joins the group`() throws {
    var seen = MachineReport.healthy
    seen.answer = .notPermitted
    #expect(try seen.only("socket-permission", .wrong).command == "newgrp placard", "ada is already a member")
    seen.caller = Account(name: "eve", user: 1001, group: 1001)
    #expect(try seen.only("socket-permission", .wrong).command == "sudo usermod -aG placard eve")
    seen.socketFacts = nil
    #expect(try seen.only("socket-permission", .wrong).command == "sudo usermod -aG placard eve")
  }

  @Test func `Two services with real cards are wrong`() throws {
    var seen = MachineReport.healthy
    seen.processes.append(
      ServiceProcess(pid: 800, account: Account(name: "ada", user: 1000, group: 1000), arguments: []))
    #expect(try seen.only("two-services", .wrong).text.contains("700 (placard) and 800 (ada)"))
    seen.processes[1].arguments = ["--backend", "virtual"]
    #expect(Diagnosis(seen).healthy, "virtual monitors need no card")
  }

  @Test func `An invalid configuration, restarts, and the service's own problems are reported`() throws {
    var seen = MachineReport.healthy
    seen.configurationError = "/etc/placard/placard.toml:3: unknown key \"polcy\""
    seen.unit?.restarts = 4
    seen.change { $0.status.problems = ["something new is wrong", "/dev/dri/card0 is held", "HDMI-A-1: no mode"] }
    #expect(try seen.only("configuration", .wrong).text.contains(":3: unknown key"))
    #expect(try seen.only("service-restarts", .note).text.contains("4 times"))
    #expect(try seen.only("service-problem", .wrong).text == "the service reports: something new is wrong")
  }

  @Test func `Virtual monitors are wrong only on a machine with real ones`() throws {
    var seen = MachineReport.healthy
    seen.change { view in
      view.status.backend = .virtual
      view.displays[0].card = "memory"
    }
    #expect(try seen.only("virtual-backend", .wrong).text.contains("HDMI-A-1"))
    seen.cards[0].connectors[0].isConnected = false
    _ = try seen.only("virtual-backend", .note)
    seen.cards = []
    _ = try seen.only("no-card", .note)
    #expect(Diagnosis(seen).healthy)
    seen.change { $0.displays = [] }
    #expect(try seen.only("no-monitor", .wrong).command == "placard plug 1920x1080")
  }

  @Test func `A terminal in graphics mode is only a note if a display is lit`() throws {
    var seen = MachineReport.healthy
    seen.terminal = TerminalState(name: "tty2", mode: .graphics, holders: [NodeHolder(pid: 3, command: "Xorg")])
    let finding = try seen.only("vt-graphics", .note)
    #expect(finding.text.hasPrefix("tty2 is in graphics mode: Xorg (pid 3) has it"))
    #expect(finding.command == "sudo systemctl restart getty@tty2")
    seen.change { $0.displays[0].state = .dark }
    _ = try seen.only("vt-graphics", .wrong)
    seen.terminal?.mode = .unseen
    #expect(seen.findings(.terminal).map(\.severity) == [.unseen])
    seen.terminal = nil
    #expect(seen.findings(.terminal).map(\.severity) == [.ok])
  }

  @Test func `Kernel arguments that keep displays dark are reported`() throws {
    var seen = MachineReport.healthy.without(card: 0)
    seen.kernelArguments = ["quiet", "nomodeset", "i915.modeset=0", "video=HDMI-A-1:1024x768@60d"]
    #expect(try seen.only("nomodeset", .wrong).command?.contains("update-grub") == true)
    #expect(try seen.only("modeset-off", .wrong).object == "i915.modeset=0")
    #expect(try seen.only("connector-disabled", .wrong).object == "HDMI-A-1")
    seen.cards = []
    #expect(try seen.only("no-card", .wrong).fix?.contains("nomodeset") == true)

    seen = .healthy
    seen.kernelArguments = ["nomodeset", "video=DP-1:e", "video=vesafb:off", "drm.edid_firmware=DP-1:edid/a.bin", "="]
    _ = try seen.only("nomodeset", .note)
    _ = try seen.only("connector-forced", .note)
    _ = try seen.only("edid-firmware", .note)
    #expect(seen.findings(.kernel).count == 3)
  }

  @Test func `A full disk and a read-only one are wrong, and a nearly full one is a note`() throws {
    var seen = MachineReport.healthy
    seen.storage?.freeBytes = 4096
    #expect(try seen.only("disk-full", .wrong).command == "df -h /var/lib/placard")
    seen.storage?.freeBytes = 8 << 20
    _ = try seen.only("disk-nearly-full", .note)
    seen.storage?.freeFiles = 0
    #expect(try seen.only("disk-full", .wrong).text.contains("no free inodes"))
    seen.storage?.isReadOnly = true
    _ = try seen.only("state-read-only", .wrong)
  }

  @Test func `State in memory is wrong unless it is configured`() throws {
    var seen = MachineReport.healthy
    seen.change { $0.status.storage = "in memory only, 3 changes wait: open of the file failed" }
    #expect(try seen.only("state-in-memory", .wrong).text.contains("3 changes wait"))
    seen.storage?.hasFolder = false
    _ = try seen.only("no-state-folder", .wrong)
    seen.storage = nil
    seen.change { $0.status.storage = "in memory only, as configured" }
    #expect(seen.findings(.storage).map(\.severity) == [.ok])
  }

  @Test func `A missing time zone database is a note`() throws {
    var seen = MachineReport.healthy
    seen.hasTimeZones = false
    #expect(try seen.only("no-time-zones", .note).command == "sudo apt-get install tzdata")
  }
}
