import Displays
import Testing

@Suite struct MonitorIdentityTests {
  private let bytes = EDIDBuilder().bytes

  @Test func `the text is vendor, product and the hash of all bytes`() {
    let identity = MonitorIdentity(edid: bytes, connector: "HDMI-A-1")
    #expect(identity.vendor == "DEL")
    #expect(identity.product == 0xa0c4)
    #expect(identity.serial == 0x1234)
    #expect(identity.name == "DELL U2720Q")
    #expect(identity.serialString == "ABC123")
    #expect(identity.text == "DEL-A0C4-" + identity.text.suffix(16))
    #expect(identity.label == "DEL DELL U2720Q")
    var other = bytes
    other[12] ^= 1
    #expect(MonitorIdentity(edid: other, connector: "HDMI-A-1").text != identity.text)
  }

  @Test func `the hash is FNV-1a and must never change`() {
    #expect(MonitorIdentity(edid: Array("foobar".utf8), connector: "").edidHash == 0x8594_4171_f739_67e8)
    #expect(MonitorIdentity(edid: Array("foobar".utf8), connector: "").text == "EDID-85944171f73967e8")
  }

  @Test func `without an EDID the identity is the path, and without a path the port`() {
    let port = MonitorIdentity(edid: [], connector: "HDMI-A-1")
    #expect(port.text == "PORT-HDMI-A-1")
    #expect(port.label == "monitor on HDMI-A-1")
    #expect(MonitorIdentity(edid: [], connector: "DP-5", path: "mst:41-1").text == "PATH-mst:41-1")
  }

  @Test func `the place is appended to equal identities`() {
    let twins = [
      MonitorIdentity(edid: bytes, connector: "HDMI-A-1"),
      MonitorIdentity(edid: bytes, connector: "DP-5", path: "mst:41-1"),
      MonitorIdentity(edid: [], connector: "DP-1"),
    ]
    let texts = MonitorIdentity.distinct(twins)
    #expect(texts == [twins[0].text + "@HDMI-A-1", twins[1].text + "@mst:41-1", "PORT-DP-1"])
    #expect(MonitorMatch(identity: texts[0]).matches(twins[0]))
    #expect(!MonitorMatch(identity: texts[0]).matches(twins[1]))
    #expect(MonitorMatch(identity: twins[0].text).matches(twins[1]))
  }

  @Test func `a match requires all of its fields`() {
    let monitor = MonitorIdentity(edid: bytes, connector: "HDMI-A-1", path: "mst:1")
    let full = MonitorMatch(
      vendor: "DEL", product: 0xa0c4, serial: 0x1234, serialString: "ABC123", name: "DELL U2720Q",
      identity: monitor.text, connector: "HDMI-A-1", path: "mst:1", role: .external)
    #expect(full.matches(monitor, role: .external))
    #expect(!full.matches(monitor, role: .internal))
    let wrongs = [
      MonitorMatch(vendor: "GSM"), MonitorMatch(product: 1), MonitorMatch(serial: 1), MonitorMatch(serialString: "x"),
      MonitorMatch(name: "x"), MonitorMatch(identity: "x"), MonitorMatch(connector: "DP-1"), MonitorMatch(path: "x"),
      MonitorMatch(vendor: "DEL", product: 1), MonitorMatch(name: "dell*"), MonitorMatch(),
      MonitorMatch(role: .internal),
    ]
    for wrong in wrongs { #expect(!wrong.matches(monitor), "\(wrong)") }
    #expect(MonitorMatch(identity: String(monitor.text.suffix(16))).matches(monitor))
    #expect(!MonitorMatch(vendor: "DEL").matches(MonitorIdentity(edid: [], connector: "HDMI-A-1")))
    #expect(!MonitorMatch(vendor: "*").matches(MonitorIdentity(edid: [], connector: "HDMI-A-1")))
  }

  @Test func `every text field may contain wildcards`() {
    let monitor = MonitorIdentity(edid: bytes, connector: "HDMI-A-1", path: "mst:71-1-8")
    let matches = [
      MonitorMatch(vendor: "D?L"), MonitorMatch(serialString: "ABC*"), MonitorMatch(name: "DELL*"),
      MonitorMatch(identity: "DEL-A0C4-*"), MonitorMatch(identity: "*@mst:71-*"),
      MonitorMatch(identity: "\(monitor.text.suffix(16).prefix(15))?"), MonitorMatch(connector: "HDMI-*"),
      MonitorMatch(path: "mst:*-8"),
    ]
    for match in matches { #expect(match.matches(monitor), "\(match)") }
  }

  @Test func `a match is described as it is written in the configuration`() {
    let match = MonitorMatch(vendor: "DEL", product: 0xa0c4, serial: 7, name: "DELL*", role: .external)
    #expect("\(match)" == #"vendor = "DEL", product = 0xA0C4, serial = 7, name = "DELL*", role = "external""#)
  }

  @Test func `an identity from a corrupt base block is marked, and its modes do not count as the EDID's`() {
    var broken = bytes
    broken[127] ^= 1
    #expect(MonitorIdentity(edid: broken, connector: "HDMI-A-1").isDegraded)
    #expect(!MonitorIdentity(edid: bytes, connector: "HDMI-A-1").isDegraded)
    let sound = [bytes, broken, [], [1, 2, 3]].map { bytes in
      ConnectorSnapshot(id: 1, name: "HDMI-A-1", kind: ConnectorKind(11), status: .connected, edid: bytes).hasSoundEDID
    }
    #expect(sound == [true, false, false, false])
  }

  @Test func `names are trimmed, and blank ones are ignored`() {
    var builder = EDIDBuilder()
    builder.descriptors = [(0xfc, "\n"), (0xfc, " TV  "), (0xff, "            ")]
    let identity = MonitorIdentity(edid: builder.bytes, connector: "HDMI-A-1")
    #expect(identity.name == "TV")
    #expect(identity.serialString == nil)
    builder.descriptors = []
    #expect(MonitorIdentity(edid: builder.bytes, connector: "X").label == "DEL A0C4")
  }
}
