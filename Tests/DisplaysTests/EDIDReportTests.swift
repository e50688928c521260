import Displays
import Testing

@Suite struct EDIDReportTests {
  @Test func `a report names the monitor, its modes, the choice and its reasons`() {
    var builder = EDIDBuilder()
    builder.extensions = [EDIDBuilder.cta([0x42, 16, 5])]
    let report = EDIDReport(builder.bytes)
    #expect(report.choice?.mode == modes("1920x1080@60").first)
    #expect(report.error == nil)
    #expect(report.refusal == nil)
    let lines = report.lines
    #expect(lines.first == "monitor: DEL DELL U2720Q")
    #expect(lines.contains("identity: \(report.identity.text)"))
    #expect(lines.contains("serial: 4660"))
    #expect(lines.contains("made: week 20 of 2021"))
    #expect(lines.contains("size: 597x336 mm"))
    #expect(lines.contains("  1920x1080@60  chosen"))
    #expect(lines.contains("  3840x2160@60 *  4K class: text would be too small"))
    #expect(lines.contains("  1920x1080i@60  interlaced: flickers"))
    #expect(lines.contains("policy legible: 1920x1080@60 at scale 1"))
  }

  @Test func `a report on bytes that are not an EDID contains the error`() {
    let report = EDIDReport([1, 2, 3])
    #expect(report.edid == nil)
    #expect(report.error == .header)
    #expect(report.lines.count == 2)
    #expect(report.lines.last?.hasPrefix("error: not an EDID") == true)
  }

  @Test func `a monitor without a usable mode is refused with the reason`() {
    var builder = EDIDBuilder()
    builder.detailed = [UInt8](repeating: 0, count: 18)
    let report = EDIDReport(builder.bytes, policy: .native)
    #expect(report.choice == nil)
    #expect(report.lines.last == "no usable mode: the monitor lists no modes (yet)")
  }

  @Test func `a report contains the notes`() {
    var bytes = EDIDBuilder().bytes
    bytes[127] ^= 1
    #expect(EDIDReport(bytes).lines.contains { $0.hasPrefix("note: the base block has a wrong checksum") })
  }
}
