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
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"))
struct DoctorStories {
  private static let lab = Result { try DoctorFixture.boot() }

  /// Returns the guest with one monitor and no running daemon.
  private func machine() throws -> DoctorFixture {
    let machine = DoctorFixture(lab: try Self.lab.get())
    try machine.lab.resetEDID(0)
    try machine.lab.plug(0, width: 1280, height: 720)
    return machine
  }

  @Test func `a healthy machine has no findings`() throws {
    let machine = try machine()
    let guest = try machine.serve()
    _ = try guest.see(0, try Expectation("Doctor", Size(1280, 720)))
    let diagnosis = try machine.diagnose()
    #expect(diagnosis.healthy, "\(diagnosis.findings.filter { $0.severity != .ok })")
    #expect(diagnosis.findings.map(\.check) == Finding.Check.allCases)
    let text = try guest.runInGuest("doctor").output
    #expect(
      text.contains("ok      master      placardd is master of /dev/dri/card0") && !text.contains("\u{1b}"), "\(text)")
    try guest.end()
  }

  @Test func `service down`() throws {
    let finding = try machine().expect("service-down", .wrong)
    #expect(finding.object == GuestFixture.socket && finding.command == "placardd")
  }

  @Test func `no permission`() throws {
    let machine = try machine()
    let service = try machine.serveAsPlacard(groups: "--clear-groups")
    var finding = try machine.expect("card-permission", .wrong, socket: DoctorFixture.socket)
    let reason = "/dev/dri/card0 belongs to root:video (0660), and placard is not in the group video"
    #expect(finding.text.hasPrefix(reason))
    #expect(finding.command?.hasPrefix("sudo usermod -aG video placard") == true)
    // The process started before the group was added, so it does not have it.
    try machine.lab.shell("sed -i '/^video:/s/$/,placard/' /etc/group")
    finding = try machine.expect("group-after-login", .wrong, socket: DoctorFixture.socket)
    try service.kill(SIGTERM)
    _ = try service.wait(within: .generous)

    let other = try machine.serveAsPlacard(groups: "--init-groups")
    let diagnosis = try machine.diagnose(socket: DoctorFixture.socket)
    #expect(diagnosis.findings.contains { $0.check == .permission && $0.severity == .ok }, "\(diagnosis)")
    try other.kill(SIGTERM)
    _ = try other.wait(within: .generous)
  }

  @Test func `other master`() throws {
    let machine = try machine()
    let holder = try machine.lab.start(["/bin/bash", "-c", "exec 3<>/dev/dri/card0; echo held; read"], input: nil)
    try holder.waitForLine(containing: "held", within: .generous)
    let pid = try #require(try machine.expect("master-held", .wrong).command?.split(separator: " ").last)
    let guest = try machine.serve()
    let finding = try machine.expect("master-held", .wrong)
    #expect(finding.text == "/dev/dri/card0 is held by bash (pid \(pid))" && finding.command == "sudo kill \(pid)")
    try machine.lab.shell("kill -KILL \(pid)")
    _ = try guest.see(0, try Expectation("Doctor", Size(1280, 720)))
    try machine.expectHealth()
    try guest.end()
  }

  @Test func `no font`() throws {
    let machine = try machine()
    let folders = ["/usr/share/fonts", "/usr/local/share/fonts"]
    for folder in folders { try machine.lab.shell("mkdir -p \(folder) && mount -t tmpfs none \(folder)") }
    let guest = try machine.serve()
    let finding = try machine.expect("no-font", .wrong)
    #expect(finding.command?.hasPrefix("sudo apt-get install fonts-dejavu-core") == true)
    try guest.wait(for: .dark, of: "Virtual-1")
    try guest.end()
    for folder in folders { try machine.lab.shell("umount \(folder)") }
  }

  @Test func `mode refused`() throws {
    let machine = try machine()
    try machine.lab.shell(
      "mkdir -p /sys/fs/cgroup && (mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup) && "
        + "echo +memory +pids >/sys/fs/cgroup/cgroup.subtree_control && mkdir -p /sys/fs/cgroup/small")
    try machine.lab.unplug(0)
    let guest = try machine.serve(["--log", "debug"])
    // The group's limit is too small for a framebuffer of this size, 33 MB.
    try machine.confine(guest, to: "/sys/fs/cgroup/small", memory: 24 << 20)
    guest.skipLog()
    try machine.lab.plug(0, edid: SyntheticEDID.bytes(size: Size(3840, 2160), name: "Only 4K"))
    // During an attempt the service has no memory for a connection either. After the fifth one, it waits for a minute.
    for _ in 1...5 { try guest.waitForLog("could not be set", within: .generous) }
    let finding = try machine.expect("mode-refused", .wrong)
    #expect(finding.object == "Virtual-1" && finding.text.contains("Cannot allocate memory"), "\(finding)")
    try guest.end()
  }

  @Test func `cable out`() throws {
    let machine = try machine()
    let guest = try machine.serve()
    try machine.lab.unplug(0)
    try guest.waitForLog("Virtual-1: disconnected")
    let finding = try machine.expect("no-monitor", .wrong)
    #expect(finding.text.contains("Virtual-1, Virtual-2, Virtual-3, Virtual-4"))
    // The command of the finding must work.
    try machine.lab.shell(try #require(finding.command).replacing("sudo ", with: ""))
    try guest.end()
  }

  @Test func `socket wrong group`() throws {
    let machine = try machine()
    let guest = try machine.serve()
    try machine.lab.shell("chgrp video \(GuestFixture.socket)")
    let finding = try machine.expect("socket-group", .wrong)
    try machine.lab.shell(try #require(finding.command).replacing("sudo ", with: ""))
    try machine.expectHealth()
    try guest.end()
  }

  @Test func `disk full`() throws {
    let machine = try machine()
    let guest = try machine.serve(["--state", "/state/state.sqlite"])
    try machine.expectHealth()
    try machine.lab.shell("dd if=/dev/zero of=/state/fill bs=64k 2>/dev/null || sync")
    #expect(try machine.expect("disk-full", .wrong).object == "/state/state.sqlite")
    try guest.placard("show", "While full", "--wait")
    #expect(
      try machine.expect("disk-full", .wrong).object == "/state/state.sqlite", "even while the service reports the disk"
    )
    try machine.lab.shell("rm /state/fill && sync")
    try guest.end()
    try machine.expect("service-down", .wrong)
  }

  @Test func `virtual terminal in graphics mode`() throws {
    let machine = try machine()
    try machine.setTerminal(isGraphics: true)
    #expect(try machine.expect("vt-graphics", .wrong).object == "tty1")
    let guest = try machine.serve()
    _ = try guest.see(0, try Expectation("Doctor", Size(1280, 720)))
    try machine.expect("vt-graphics", .note)
    try machine.setTerminal(isGraphics: false)
    try machine.expectHealth()
    try guest.end()
  }

  @Test func `no EDID`() throws {
    var options = LabOptions()
    options.card = .virtioGPU(outputs: 1, edid: false)
    options.monitors[0] = (1280, 720)
    let machine = DoctorFixture(lab: try GuestFixture.boot(options))
    let guest = try machine.serve()
    #expect(try machine.expect("no-edid", .note).object == "Virtual-1")
    try guest.end()
  }

  @Test func `no card`() throws {
    var options = LabOptions()
    options.card = .none
    let machine = DoctorFixture(lab: try GuestFixture.boot(options))
    let guest = try machine.serve()
    let finding = try machine.expect("no-card", .wrong)
    #expect(finding.fix?.hasPrefix("check that a graphics card is installed") == true)
    // Adding a card ends the finding.
    _ = try machine.lab.addCard()
    try guest.waitForLog(", scale ")
    #expect(try !machine.diagnose().findings.contains { $0.code == "no-card" })
    try guest.end()
  }

  @Test func nomodeset() throws {
    var options = LabOptions()
    options.kernelArguments = ["nomodeset"]
    let machine = DoctorFixture(lab: try GuestFixture.boot(options))
    let guest = try machine.serve()
    try machine.expect("nomodeset", .wrong)
    #expect(try machine.expect("driver-missing", .wrong).text.contains("1af4:1050"))
    #expect(try machine.expect("no-card", .wrong).fix?.contains("nomodeset") == true)
    try guest.end()
  }
}
