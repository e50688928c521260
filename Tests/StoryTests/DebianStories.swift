import Lab
import Testing

/// A Debian with systemd as the guest. It has the packages of `UnitStories`, so that one image serves both.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: Installation.unavailableReason == nil, "\(Installation.unavailableReason ?? "")"))
struct DebianStories {
  @Test func `a Debian with systemd starts a unit that was added to it`() throws {
    var options = LabOptions()
    options.root = .debian(try RootFS.debian(packages: Installation.packages))
    let unit = "[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sh -c 'echo here I am; ls /dev/dri'\n"
    options.overlayFiles = [
      Installation.noBroker, .file("/etc/systemd/system/early.service", unit),
      .link("/etc/systemd/system/multi-user.target.wants/early.service", to: "../early.service"),
    ]
    options.bootTime = .seconds(240)
    let lab = try GuestFixture.boot(options)
    defer { lab.down() }
    #expect(try lab.systemctl("is-active", "early.service") == "active\n")
    #expect(try lab.journal(of: "early.service").contains("here I am"))
    try lab.put(unit.utf8, to: "/etc/systemd/system/late.service")
    try lab.systemctl("daemon-reload")
    try lab.systemctl("start", "late.service")
    #expect(try lab.journal(of: "late.service").contains("card0"))
    #expect(try lab.shell("ls /host/etc/os-release; modprobe -n vivid && cat /proc/1/comm").contains("systemd"))
    let mark = try lab.ueventCount
    try lab.plug(0, width: 1024, height: 768)
    _ = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug }
  }
}
