import Control
import Displays
import Doctor
import Geometry
import Glibc
import Lab
import Testing

@testable import VirtualDisplays

/// The findings of `placard doctor` for setups that are broken on purpose.
///
/// All stories share a guest with a virtio-gpu card and a disk. Each story causes its fault, has it found, and repairs
/// it.
@Suite(
  .serialized, .tags(.lab), .enabled(if: Stage.unavailableReason == nil, "the lab is not available; see scripts/test"))
struct DoctorStories {
  private static let lab = Result { try Ward.boot() }

  /// Returns the guest with one monitor and no running daemon.
  private func ward() throws -> Ward {
    let ward = Ward(lab: try Self.lab.get())
    try ward.lab.resetEDID(0)
    try ward.lab.plug(0, width: 1280, height: 720)
    return ward
  }

  @Test func `a healthy machine has no findings`() throws {
    let ward = try ward()
    let stage = try ward.serve()
    _ = try stage.see(0, try Expectation("Doctor", Size(1280, 720)))
    let diagnosis = try ward.diagnose()
    #expect(diagnosis.healthy, "\(diagnosis.findings.filter { $0.severity != .ok })")
    #expect(diagnosis.findings.map(\.check) == Finding.Check.allCases)
    let text = try stage.runInGuest("doctor").output
    #expect(
      text.contains("ok      master      placardd is master of /dev/dri/card0") && !text.contains("\u{1b}"), "\(text)")
    try stage.end()
  }

  @Test func `service down`() throws {
    let finding = try ward().expect("service-down", .wrong)
    #expect(finding.object == Stage.socket && finding.command == "placardd")
  }

  @Test func `no permission`() throws {
    let ward = try ward()
    let service = try ward.serveAsPlacard(groups: "--clear-groups")
    var finding = try ward.expect("card-permission", .wrong, socket: Ward.socket)
    let reason = "/dev/dri/card0 belongs to root:video (0660), and placard is not in the group video"
    #expect(finding.text.hasPrefix(reason))
    #expect(finding.command?.hasPrefix("sudo usermod -aG video placard") == true)
    // The process started before the group was added, so it does not have it.
    try ward.lab.shell("sed -i '/^video:/s/$/,placard/' /etc/group")
    finding = try ward.expect("group-after-login", .wrong, socket: Ward.socket)
    try service.kill(SIGTERM)
    _ = try service.wait(within: .seconds(60))

    let other = try ward.serveAsPlacard(groups: "--init-groups")
    let diagnosis = try ward.diagnose(socket: Ward.socket)
    #expect(diagnosis.findings.contains { $0.check == .permission && $0.severity == .ok }, "\(diagnosis)")
    try other.kill(SIGTERM)
    _ = try other.wait(within: .seconds(60))
  }

  @Test func `other master`() throws {
    let ward = try ward()
    let holder = try ward.lab.start(["/bin/bash", "-c", "exec 3<>/dev/dri/card0; echo held; read"], input: nil)
    try holder.waitForLine(containing: "held", within: .seconds(30))
    let pid = try #require(try ward.expect("master-held", .wrong).command?.split(separator: " ").last)
    let stage = try ward.serve()
    let finding = try ward.expect("master-held", .wrong)
    #expect(finding.text == "/dev/dri/card0 is held by bash (pid \(pid))" && finding.command == "sudo kill \(pid)")
    try ward.lab.shell("kill -KILL \(pid)")
    _ = try stage.see(0, try Expectation("Doctor", Size(1280, 720)))
    try ward.expectHealth()
    try stage.end()
  }

  @Test func `no font`() throws {
    let ward = try ward()
    let folders = ["/usr/share/fonts", "/usr/local/share/fonts"]
    for folder in folders { try ward.lab.shell("mkdir -p \(folder) && mount -t tmpfs none \(folder)") }
    let stage = try ward.serve()
    let finding = try ward.expect("no-font", .wrong)
    #expect(finding.command?.hasPrefix("sudo apt-get install fonts-dejavu-core") == true)
    try stage.wait(for: "dark", of: "Virtual-1")
    try stage.end()
    for folder in folders { try ward.lab.shell("umount \(folder)") }
  }

  @Test func `mode refused`() throws {
    let ward = try ward()
    try ward.lab.shell(
      "mkdir -p /sys/fs/cgroup && (mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup) && "
        + "echo +memory >/sys/fs/cgroup/cgroup.subtree_control && mkdir -p /sys/fs/cgroup/small")
    try ward.lab.unplug(0)
    let stage = try ward.serve()
    // The group's limit is too small for a framebuffer of this size, 33 MB.
    try ward.confine(stage, to: "/sys/fs/cgroup/small", memory: 24 << 20)
    stage.skipLog()
    try ward.lab.plug(0, edid: SyntheticEDID.bytes(size: Size(3840, 2160), name: "Only 4K"))
    try stage.waitForLog("could not be set")
    let finding = try ward.expect("mode-refused", .wrong)
    #expect(finding.object == "Virtual-1" && finding.text.contains("Cannot allocate memory"), "\(finding)")
    try stage.end()
  }

  @Test func `cable out`() throws {
    let ward = try ward()
    let stage = try ward.serve()
    try ward.lab.unplug(0)
    try stage.waitForLog("Virtual-1: disconnected")
    let finding = try ward.expect("no-monitor", .wrong)
    #expect(finding.text.contains("Virtual-1, Virtual-2, Virtual-3, Virtual-4"))
    // The command of the finding must work.
    try ward.lab.shell(try #require(finding.command).replacing("sudo ", with: ""))
    try stage.end()
  }

  @Test func `socket wrong group`() throws {
    let ward = try ward()
    let stage = try ward.serve()
    try ward.lab.shell("chgrp video \(Stage.socket)")
    let finding = try ward.expect("socket-group", .wrong)
    try ward.lab.shell(try #require(finding.command).replacing("sudo ", with: ""))
    try ward.expectHealth()
    try stage.end()
  }

  @Test func `disk full`() throws {
    let ward = try ward()
    let stage = try ward.serve(["--state", "/state/state.sqlite"])
    try ward.expectHealth()
    try ward.lab.shell("dd if=/dev/zero of=/state/fill bs=64k 2>/dev/null || sync")
    #expect(try ward.expect("disk-full", .wrong).object == "/state/state.sqlite")
    try stage.placard("show", "While full", "--wait")
    #expect(
      try ward.expect("disk-full", .wrong).object == "/state/state.sqlite", "even while the service reports the disk")
    try ward.lab.shell("rm /state/fill && sync")
    try stage.end()
    try ward.expect("service-down", .wrong)
  }

  @Test func `virtual terminal in graphics mode`() throws {
    let ward = try ward()
    try ward.setTerminal(isGraphics: true)
    #expect(try ward.expect("vt-graphics", .wrong).object == "tty1")
    let stage = try ward.serve()
    _ = try stage.see(0, try Expectation("Doctor", Size(1280, 720)))
    try ward.expect("vt-graphics", .note)
    try ward.setTerminal(isGraphics: false)
    try ward.expectHealth()
    try stage.end()
  }

  @Test func `no EDID`() throws {
    var options = LabOptions()
    options.card = .virtioGPU(outputs: 1, edid: false)
    options.monitors[0] = (1280, 720)
    let ward = Ward(lab: try Stage.boot(options))
    let stage = try ward.serve()
    #expect(try ward.expect("no-edid", .note).object == "Virtual-1")
    try stage.end()
  }

  @Test func `no card`() throws {
    var options = LabOptions()
    options.card = .none
    let ward = Ward(lab: try Stage.boot(options))
    let stage = try ward.serve()
    let finding = try ward.expect("no-card", .wrong)
    #expect(finding.fix?.hasPrefix("check that a graphics card is installed") == true)
    // Adding a card ends the finding.
    _ = try ward.lab.addCard()
    try stage.waitForLog(", scale ")
    #expect(try !ward.diagnose().findings.contains { $0.code == "no-card" })
    try stage.end()
  }

  @Test func nomodeset() throws {
    var options = LabOptions()
    options.kernelArguments = ["nomodeset"]
    let ward = Ward(lab: try Stage.boot(options))
    let stage = try ward.serve()
    try ward.expect("nomodeset", .wrong)
    #expect(try ward.expect("driver-missing", .wrong).text.contains("1af4:1050"))
    #expect(try ward.expect("no-card", .wrong).fix?.contains("nomodeset") == true)
    try stage.end()
  }
}
