import Testing

@testable import Lab

struct UeventTests {
  private let hotplug = Array(
    ("change@/devices/pci0000:00/0000:00:05.0/drm/card0\0ACTION=change\0"
      + "DEVPATH=/devices/pci0000:00/0000:00:05.0/drm/card0\0SUBSYSTEM=drm\0HOTPLUG=1\0DEVNAME=dri/card0\0").utf8)

  @Test func `the kernel's message is read`() throws {
    let event = try #require(Uevent(nanoseconds: 1_000_042_000, message: hotplug))
    #expect(event.action == "change")
    #expect(event.path == "/devices/pci0000:00/0000:00:05.0/drm/card0")
    #expect(event["DEVNAME"] == "dri/card0")
    #expect(event.isHotplug)
    #expect(
      event.description
        == "1.000042 change /devices/pci0000:00/0000:00:05.0/drm/card0 DEVNAME=dri/card0 HOTPLUG=1 SUBSYSTEM=drm")
  }

  @Test func `only a card counts as a card`() throws {
    func event(_ name: String) throws -> Uevent {
      try #require(Uevent(nanoseconds: 0, message: Array("add@/d\0SUBSYSTEM=drm\0DEVNAME=\(name)\0".utf8)))
    }
    #expect(try event("dri/card1").isCard("add"))
    #expect(try !event("dri/card1").isCard("remove"))
    #expect(try !event("dri/renderD128").isCard("add"))
  }

  @Test func `udev's messages and empty messages are not kernel uevents`() {
    #expect(Uevent(nanoseconds: 0, message: Array("libudev\0\u{fe}".utf8)) == nil)
    #expect(Uevent(nanoseconds: 0, message: []) == nil)
  }
}
