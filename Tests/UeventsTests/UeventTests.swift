import SeededRandom
import Testing

@testable import Uevents

@Suite struct UeventTests {
  /// What i915 sends for a plug, as a kernel since 2021 writes it, field by field.
  static let plug = bytes(
    "change@/devices/pci0000:00/0000:00:02.0/drm/card0",  // action, at sign, path below /sys
    "ACTION=change",
    "DEVPATH=/devices/pci0000:00/0000:00:02.0/drm/card0",
    "SUBSYSTEM=drm",
    "HOTPLUG=1",  // a plug, not a lease or a reset
    "CONNECTOR=93",  // object id, only where exactly one connector changed
    "DEVNAME=dri/card0", "DEVTYPE=drm_minor", "SEQNUM=4711", "MAJOR=226", "MINOR=0")

  /// Fields, each ended by a zero byte, as they come from the socket.
  static func bytes(_ fields: String...) -> [UInt8] { fields.flatMap { Array($0.utf8) + [0] } }

  private func hint(_ fields: String...) -> HotplugHint? {
    Uevent(fields.flatMap { Array($0.utf8) + [0] }).flatMap(HotplugHint.init)
  }

  @Test func `a plug is read field by field`() throws {
    let event = try #require(Uevent(Self.plug))
    #expect(event.action == "change")
    #expect(event.devicePath == "/devices/pci0000:00/0000:00:02.0/drm/card0")
    #expect(event.fields.count == 10)
    #expect(event.fields["SEQNUM"] == "4711")
    #expect(HotplugHint(event) == .connectors(card: "/dev/dri/card0", connector: 93, property: nil))
  }

  @Test func `a plug without a connector is a hint for the whole card`() {
    #expect(
      hint("change@/devices/x/drm/card1", "SUBSYSTEM=drm", "HOTPLUG=1")
        == .connectors(card: "/dev/dri/card1", connector: nil, property: nil))
  }

  @Test func `a property's change says so`() {
    #expect(
      hint("change@/devices/x/drm/card1", "SUBSYSTEM=drm", "HOTPLUG=1", "CONNECTOR=93", "PROPERTY=7")
        == .connectors(card: "/dev/dri/card1", connector: 93, property: 7))
  }

  @Test func `cards come and go, render nodes and the rest do not matter`() {
    #expect(hint("add@/devices/x/drm/card1", "SUBSYSTEM=drm") == .cardAdded("/dev/dri/card1"))
    #expect(hint("remove@/devices/x/drm/card1", "SUBSYSTEM=drm") == .cardRemoved("/dev/dri/card1"))
    #expect(hint("add@/devices/x/drm/renderD128", "SUBSYSTEM=drm") == nil)
    #expect(hint("add@/class/drm", "SUBSYSTEM=drm") == nil)
    #expect(hint("add@/devices/x/drm/cardX", "SUBSYSTEM=drm") == nil)
    #expect(hint("add@/devices/x/drm/card1", "SUBSYSTEM=usb") == nil)
    #expect(hint("bind@/devices/x/drm/card1", "SUBSYSTEM=drm") == nil)
  }

  @Test func `an MST connector that comes is a hint for its card`() {
    let expected = HotplugHint.connectors(card: "/dev/dri/card0", connector: nil, property: nil)
    #expect(hint("add@/devices/x/drm/card0/card0-DP-5", "SUBSYSTEM=drm", "DEVTYPE=drm_connector") == expected)
    #expect(hint("remove@/devices/x/drm/card0/card0-DP-5", "SUBSYSTEM=drm") == expected)
  }

  @Test func `a change that is no plug is none, unless somebody asked for it`() {
    #expect(hint("change@/devices/x/drm/card0", "SUBSYSTEM=drm", "LEASE=1") == nil)
    #expect(hint("change@/devices/x/drm/card0", "SUBSYSTEM=drm", "SYNTH_UUID=0") != nil)
  }

  @Test func `udev's own messages are not the kernel's`() {
    let header: [UInt8] = Array("libudev".utf8) + [0, 0xfe, 0xed, 0xca, 0xfe, 40, 0, 0, 0, 40, 0, 0, 0]
    #expect(Uevent(header + Self.plug.dropFirst(50)) == nil)
  }

  @Test(arguments: ["", "\0\0\0", "change", "@/devices", "change@", "change@devices", "=", "libudev\0"])
  func `what is no message is nil`(_ text: String) { #expect(Uevent(Array(text.utf8)) == nil) }

  @Test func `odd fields are left out, the last of two counts, and bytes that are no text are replaced`() throws {
    let event = try #require(Uevent(Array("add@/a\0=x\0novalue\0A=1\0A=2\0B=\0C==\0".utf8) + [68, 61, 0xff, 0xfe]))
    #expect(event.fields == ["A": "2", "B": "", "C": "=", "D": "\u{fffd}\u{fffd}"])
  }

  // Found by the fuzzer: as text, such a path does not start with a slash, but with a slash that has a mark on it.
  @Test func `a combining mark behind the first slash hides no card and invents none`() throws {
    let event = try #require(Uevent(Array("change@/\u{749}/drm/card1\0SUBSYSTEM=drm\0HOTPLUG=1\0".utf8)))
    #expect(HotplugHint(event) == .connectors(card: "/dev/dri/card1", connector: nil, property: nil))
    let marked = try #require(Uevent(Array("change@/x/drm/\u{749}card1\0SUBSYSTEM=drm\0HOTPLUG=1\0".utf8)))
    #expect(HotplugHint(marked) == nil)
  }

  @Test(arguments: 0..<200)
  func `no bytes make it trap`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = Self.plug
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    let part = bytes[Int.random(in: 0..<10, using: &random)..<Int.random(in: 10..<bytes.count, using: &random)]
    if let event = Uevent(part) { #expect(event.devicePath.utf8.first == UInt8(ascii: "/"), "seed \(seed)") }
  }
}
