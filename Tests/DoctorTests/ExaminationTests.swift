import Control
import SystemFiles
import Testing

@testable import Doctor

/// The findings for each broken setup.
struct ExaminationTests {
  @Test func `A healthy machine has only ok findings, at least one per check`() {
    let diagnosis = Diagnosis(.healthy)
    #expect(diagnosis.healthy)
    #expect(diagnosis.findings.map(\.check) == Finding.Check.allCases)
    #expect(diagnosis.findings.allSatisfy { $0.severity == .ok }, "\(diagnosis.findings)")
  }

  @Test func `A missing permission is reported with the node, the user and the group`() throws {
    var seen = MachineReport.healthy.without(card: 0)
    seen.processes[0].account.groups = []
    seen.accounts = AccountBook(passwd: MachineReport.passwd, group: "video:x:44:\nplacard:x:990:ada\n")
    let finding = try seen.only("card-permission", .wrong)
    #expect(finding.text == "/dev/dri/card0 belongs to root:video (0660), and placard is not in the group video")
    #expect(finding.command == "sudo usermod -aG video placard && sudo systemctl restart placard")
    #expect(seen.findings(.master).allSatisfy { $0.severity == .unseen })
  }

  @Test func `A group that was joined after the start is distinguished from a missing one`() throws {
    var seen = MachineReport.healthy.without(card: 0)
    seen.processes[0].account.groups = []
    #expect(try seen.only("group-after-login", .wrong).command == "sudo systemctl restart placard")

    seen = .byHand(as: Account(name: "ada", user: 1000, group: 1000)).without(card: 0)
    seen.accounts = AccountBook(passwd: MachineReport.passwd, group: "video:x:44:ada\n")
    let finding = try seen.only("group-after-login", .wrong)
    #expect(finding.fix == "log out and in again" && finding.command == "newgrp video")
  }

  @Test func `A node that only root may open lacks the udev rule`() throws {
    var seen = MachineReport.healthy.without(card: 0)
    seen.cards[0].facts = FileFacts(mode: 0o020600, user: 0, group: 0)
    #expect(try seen.only("card-permission", .wrong).command?.contains("udevadm trigger") == true)
    seen.cards[0].facts = nil
    #expect(try seen.only("no-node", .wrong).object == "/dev/dri/card0")
  }

  @Test func `Another DRM master is reported with the command that stops it`() throws {
    var seen = MachineReport.healthy.without(card: 0)
    seen.cards[0].holders = [
      NodeHolder(pid: 700, command: "placardd"), NodeHolder(pid: 412, command: "kmscon", unit: "kmsconvt@tty1.service"),
    ]
    var finding = try seen.only("master-held", .wrong)
    #expect(finding.text == "/dev/dri/card0 is held by kmscon (pid 412, unit kmsconvt@tty1.service)")
    #expect(finding.command == "sudo systemctl stop kmsconvt@tty1.service")

    seen.cards[0].holders = [
      NodeHolder(pid: 9, command: "gnome-shell", unit: "org.gnome.Shell@wayland.service", isUserUnit: true)
    ]
    #expect(
      try seen.only("master-held", .wrong).command == "sudo kill 9",
      "systemctl does not stop a user unit without --user")

    seen.cards[0].holders = []
    seen.change {
      $0.status.problems = ["another program is DRM master of /dev/dri/card0, and only root can see which"]
    }
    finding = try seen.only("master-held", .wrong)
    #expect(finding.text.hasPrefix("another program is DRM master") && finding.command == "sudo placard doctor")
  }

  @Test func `A card that the service waits for is not driven, although its connectors are listed`() throws {
    var seen = MachineReport.healthy
    seen.change {
      $0.displays[0].state = .dark
      $0.displays[0].cause = .noMaster
      $0.displays[0].reason = "/dev/dri/card0 is held by kmscon (pid 412)"
      $0.reasons = [:]
    }
    seen.cards[0].holders = [NodeHolder(pid: 412, command: "kmscon")]
    #expect(try seen.only("master-held", .wrong).command == "sudo kill 412")
    #expect(seen.findings(.permission).map(\.severity) == [.ok])
    #expect(seen.findings(.mode).map(\.severity) == [.unseen], "no mode has been tried")

    seen.change { $0.displays[0].cause = .noCard }
    seen.cards[0].holders = []
    seen.cards[0].facts = FileFacts(mode: 0o020600, user: 0, group: 0)
    _ = try seen.only("card-permission", .wrong)
    #expect(seen.findings(.master).map(\.severity) == [.unseen])
  }

  @Test func `The advice for a refused mode takes into account that it is the only one`() throws {
    var seen = MachineReport.healthy
    seen.change {
      $0.displays[0].state = .dark
      $0.displays[0].cause = .refused
      $0.displays[0].modes = ["1920x1080@60", "1280x720@60"]
      $0.reasons["HDMI-A-1"]?.attempts = ["1920x1080@60: Invalid argument"]
    }
    #expect(try seen.only("mode-refused", .wrong).fix?.contains("a smaller mode in the settings") == true)
    seen.change { $0.displays[0].modes.removeLast() }
    let fix = try #require(try seen.only("mode-refused", .wrong).fix)
    #expect(fix.hasPrefix("1920x1080@60 is its only mode, and is tried again once a minute"))
    #expect(fix.contains("video=HDMI-A-1:1024x768@60") && !fix.contains("settings"))
  }

  @Test func `Without the service, another master is wrong and an open node is a note`() throws {
    var seen = MachineReport.healthy
    seen.answer = .absent
    seen.processes = []
    seen.cards[0].holders = [NodeHolder(pid: 5, command: "Xorg")]
    #expect(try seen.only("card-open", .note).command == "sudo kill 5")
    seen.cards[0].master = NodeHolder(pid: 5, command: "Xorg")
    #expect(try seen.only("master-held", .wrong).text.hasSuffix("Xorg (pid 5)"))
    seen.cards[0].master = nil
    seen.cards[0].holders = []
    #expect(seen.findings(.master).map(\.severity) == [.unseen], "the processes of other users are not visible")
    seen.caller = Account(name: "root", user: 0, group: 0)
    #expect(seen.findings(.master).map(\.severity) == [.ok])
  }

  @Test func `A missing font is wrong, whether the doctor or the service detects it`() throws {
    var seen = MachineReport.healthy
    seen.fonts = .none
    #expect(try seen.only("no-font", .wrong).command?.hasPrefix("sudo apt-get install fonts-dejavu-core") == true)

    seen = .healthy
    seen.change {
      $0.displays[0].state = .dark
      $0.displays[0].reason =
        "no mode could be set; last: 1920x1080@60: fontconfig found no scalable font for sans; install one"
    }
    _ = try seen.only("no-font", .wrong)
    #expect(seen.findings(.mode).map(\.severity) == [.unseen])
  }

  @Test func `A character without a font is a note`() throws {
    var seen = MachineReport.healthy
    seen.change { $0.displays[0].warnings = ["no installed font has U+0E01: install the package fonts-noto-core"] }
    #expect(try seen.only("font-warning", .note).text.contains("U+0E01"))
  }

  @Test func `No EDID is a note on a lit display and wrong on a dark one`() throws {
    var seen = MachineReport.healthy
    seen.cards[0].connectors[0].edid = []
    let finding = try seen.only("no-edid", .note)
    #expect(finding.fix?.contains("drm.edid_firmware=HDMI-A-1:edid/monitor.bin") == true)
    seen.change { $0.displays[0].state = .lighting }
    _ = try seen.only("no-edid", .wrong)
  }

  @Test func `An invalid EDID is reported with the reason`() throws {
    var seen = MachineReport.healthy
    seen.cards[0].connectors[0].edid = [UInt8](repeating: 0xFF, count: 128)
    #expect(try seen.only("bad-edid", .note).text.contains("no monitor answered the read"))
    seen.cards[0].connectors[0].edid = MachineReport.edid
    seen.cards[0].connectors[0].edid[12] ^= 1
    #expect(try seen.only("bad-edid", .note).text.contains("checksum"))
    seen.cards[0].connectors[0].edid = MachineReport.edid
    seen.cards[0].connectors[0].isOverridden = true
    #expect(try seen.only("edid-override", .note).command?.hasSuffix("/dri/0/HDMI-A-1/edid_override") == true)
  }

  @Test func `A refused mode is a note if another one was set, otherwise it is wrong`() throws {
    var seen = MachineReport.healthy
    seen.change { view in
      view.reasons["HDMI-A-1"]?.attempts = [
        "3840x2160@60: atomic commit on HDMI-A-1 failed: No space left on device", "1920x1080@60: set (half)",
        "1920x1080@60: lit, but there is no second buffer: no memory",
      ]
    }
    let note = try seen.only("mode-refused", .note)
    #expect(note.text.contains("3840x2160@60: atomic commit") && note.text.hasSuffix("it has 1920x1080@60 instead"))

    seen.change { $0.reasons["HDMI-A-1"]?.attempts.removeFirst() }
    #expect(seen.findings(.mode).map(\.severity) == [.ok], "the current mode was set successfully")

    seen.change { view in
      view.displays[0].state = .dark
      view.displays[0].reason = "no mode could be set; last: 3840x2160@60: refused"
      view.reasons["HDMI-A-1"]?.attempts = ["3840x2160@60: refused"]
    }
    #expect(try seen.only("mode-refused", .wrong).command == "placard why HDMI-A-1")
    seen.change { $0.reasons = [:] }
    _ = try seen.only("display-dark", .wrong)
  }

  @Test func `A configured mode that the monitor does not list is a note`() throws {
    var seen = MachineReport.healthy
    seen.change { view in
      view.reasons["HDMI-A-1"]?.policy = "1280x1024@60"
      view.reasons["HDMI-A-1"]?.reasons = ["1280x1024@60 was requested but is not listed"]
    }
    #expect(try seen.only("mode-not-listed", .note).text.contains("is not listed"))
    seen.change { $0.reasons["HDMI-A-1"]?.policy = "1920x1080" }
    #expect(seen.findings(.mode).map(\.severity) == [.ok])
  }

  @Test func `A missing card is reported with the devices that the kernel has`() throws {
    var seen = MachineReport.healthy.without(card: 0)
    seen.cards = []
    #expect(try seen.only("no-card", .wrong).fix?.hasPrefix("check that a graphics card is installed") == true)
    seen.renderNodes = ["/dev/dri/card0"]
    #expect(try seen.only("no-card", .wrong).text.contains("/dev/dri/card0 can only render"))
    seen.renderNodes = []
    seen.framebuffers = ["EFI VGA"]
    #expect(try seen.only("no-card", .wrong).text.contains("EFI VGA"))
    seen.adapters = [
      Adapter(address: "0000:00:02.0", identity: "8086:3e92", driver: nil),
      Adapter(address: "0000:01:00.0", identity: "10de:1b80", driver: "nouveau"),
    ]
    #expect(try seen.only("driver-missing", .wrong).command == "lspci -nnk -s 0000:00:02.0")
  }

  @Test func `The firmware's framebuffer is a note`() throws {
    var seen = MachineReport.healthy
    seen.cards[0].driver = "simple-framebuffer"
    _ = try seen.only("firmware-framebuffer", .note)
  }

  @Test func `A missing monitor is reported with the connectors and a command that reprobes`() throws {
    var seen = MachineReport.healthy
    seen.cards[0].connectors[0].isConnected = false
    seen.change { $0.displays[0].state = .disconnected }
    let finding = try seen.only("no-monitor", .wrong)
    #expect(finding.text == "no monitor is detected on any connector: HDMI-A-1, DP-1")
    #expect(finding.command == "echo detect | sudo tee /sys/class/drm/card0-HDMI-A-1/status")
  }

  @Test func `A hotplug event that the service missed is wrong, and a sleeping display is a note`() throws {
    var seen = MachineReport.healthy
    seen.change { $0.displays[0].state = .disconnected }
    #expect(try seen.only("plug-missed", .wrong).object == "HDMI-A-1")
    seen.change { $0.displays[0].state = .asleep }
    #expect(try seen.only("asleep", .note).command == "placard wake HDMI-A-1")
  }
}
