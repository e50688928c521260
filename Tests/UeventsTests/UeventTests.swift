import SeededRandom
import Testing

@testable import Uevents

@Suite struct UeventTests {
  /// A hotplug message of i915, as kernels since 2021 write it.
  static let plug = bytes(
    "change@/devices/pci0000:00/0000:00:02.0/drm/card0",  // action, at sign, path below /sys
    "ACTION=change",
    "DEVPATH=/devices/pci0000:00/0000:00:02.0/drm/card0",
    "SUBSYSTEM=drm",
    "HOTPLUG=1",  // a plug, not a lease or a reset
    "CONNECTOR=93",  // object ID, only if exactly one connector changed
    "DEVNAME=dri/card0", "DEVTYPE=drm_minor", "SEQNUM=4711", "MAJOR=226", "MINOR=0")

  /// Returns a message of zero-terminated fields, as read from the socket.
  static func bytes(_ fields: String...) -> [UInt8] { fields.flatMap { Array($0.utf8) + [0] } }

  private func hint(_ fields: String...) -> HotplugEvent? {
    Uevent(fields.flatMap { Array($0.utf8) + [0] }).flatMap(HotplugEvent.init)
  }

  @Test func `the fields of a hotplug message are parsed`() throws {
    let event = try #require(Uevent(Self.plug))
    #expect(event.action == "change")
    #expect(event.devicePath == "/devices/pci0000:00/0000:00:02.0/drm/card0")
    #expect(event.fields.count == 10)
    #expect(event.fields["SEQNUM"] == "4711")
    #expect(HotplugEvent(event) == .connectors(card: "/dev/dri/card0", connector: 93, property: nil))
  }

  @Test func `a hotplug message without a connector concerns the whole card`() {
    #expect(
      hint("change@/devices/x/drm/card1", "SUBSYSTEM=drm", "HOTPLUG=1")
        == .connectors(card: "/dev/dri/card1", connector: nil, property: nil))
  }

  @Test func `the event of a property change contains the property`() {
    #expect(
      hint("change@/devices/x/drm/card1", "SUBSYSTEM=drm", "HOTPLUG=1", "CONNECTOR=93", "PROPERTY=7")
        == .connectors(card: "/dev/dri/card1", connector: 93, property: 7))
  }

  @Test func `cards are added and removed; render nodes and other devices are ignored`() {
    #expect(hint("add@/devices/x/drm/card1", "SUBSYSTEM=drm") == .cardAdded("/dev/dri/card1"))
    #expect(hint("remove@/devices/x/drm/card1", "SUBSYSTEM=drm") == .cardRemoved("/dev/dri/card1"))
    #expect(hint("add@/devices/x/drm/renderD128", "SUBSYSTEM=drm") == nil)
    #expect(hint("add@/class/drm", "SUBSYSTEM=drm") == nil)
    #expect(hint("add@/devices/x/drm/cardX", "SUBSYSTEM=drm") == nil)
    #expect(hint("add@/devices/x/drm/card1", "SUBSYSTEM=usb") == nil)
    #expect(hint("bind@/devices/x/drm/card1", "SUBSYSTEM=drm") == nil)
  }

  @Test func `a new MST connector is an event of its card`() {
    let expected = HotplugEvent.connectors(card: "/dev/dri/card0", connector: nil, property: nil)
    #expect(hint("add@/devices/x/drm/card0/card0-DP-5", "SUBSYSTEM=drm", "DEVTYPE=drm_connector") == expected)
    #expect(hint("remove@/devices/x/drm/card0/card0-DP-5", "SUBSYSTEM=drm") == expected)
  }

  @Test func `a change that is not a hotplug is ignored, unless it was triggered through sysfs`() {
    #expect(hint("change@/devices/x/drm/card0", "SUBSYSTEM=drm", "LEASE=1") == nil)
    #expect(hint("change@/devices/x/drm/card0", "SUBSYSTEM=drm", "SYNTH_UUID=0") != nil)
  }

  @Test func `udev's own messages are ignored`() {
    let header: [UInt8] = Array("libudev".utf8) + [0, 0xfe, 0xed, 0xca, 0xfe, 40, 0, 0, 0, 40, 0, 0, 0]
    #expect(Uevent(header + Self.plug.dropFirst(50)) == nil)
  }

  @Test(arguments: ["", "\0\0\0", "change", "@/devices", "change@", "change@devices", "=", "libudev\0"])
  func `an invalid message is nil`(_ text: String) { #expect(Uevent(Array(text.utf8)) == nil) }

  @Test func `invalid fields are ignored, the last duplicate wins, and invalid UTF-8 is replaced`() throws {
    let event = try #require(Uevent(Array("add@/a\0=x\0novalue\0A=1\0A=2\0B=\0C==\0".utf8) + [68, 61, 0xff, 0xfe]))
    #expect(event.fields == ["A": "2", "B": "", "C": "=", "D": "\u{fffd}\u{fffd}"])
  }

  // Found by the fuzzer: the slash and the mark are one Character, so the path does not start with "/" as text.
  @Test func `a combining mark after the first slash neither hides nor invents a card`() throws {
    let event = try #require(Uevent(Array("change@/\u{749}/drm/card1\0SUBSYSTEM=drm\0HOTPLUG=1\0".utf8)))
    #expect(HotplugEvent(event) == .connectors(card: "/dev/dri/card1", connector: nil, property: nil))
    let marked = try #require(Uevent(Array("change@/x/drm/\u{749}card1\0SUBSYSTEM=drm\0HOTPLUG=1\0".utf8)))
    #expect(HotplugEvent(marked) == nil)
  }

  @Test(arguments: 0..<200)
  func `random bytes never trap`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = Self.plug
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    let part = bytes[Int.random(in: 0..<10, using: &random)..<Int.random(in: 10..<bytes.count, using: &random)]
    if let event = Uevent(part) { #expect(event.devicePath.utf8.first == UInt8(ascii: "/"), "seed \(seed)") }
  }
}
