import Displays
import Geometry
import Testing

@Suite(.enabled(if: Oracle.folder != nil, Oracle.missing))
struct EDIDOracleTests {
  @Test func `the oracle has all 317 monitors`() {
    #expect(Oracle.monitors.count == 317)
    #expect(Oracle.damaged.count == 12)
  }

  @Test(arguments: Oracle.monitors)
  func `the identity matches edid-decode`(_ monitor: Oracle.Monitor) throws {
    let edid = try monitor.edid()
    #expect(edid.vendor == monitor["mfg"])
    #expect("\(edid.product)" == monitor["product_dec"])
    #expect((edid.serial == 0 ? "" : "\(edid.serial)") == monitor["serial_dec"])
    #expect(edid.name ?? "" == monitor["name"])
    #expect(edid.serialString ?? "" == monitor["serial_string"])
    #expect("\(edid.names.count)" == monitor["n_names"])
    #expect("\(edid.serialStrings.count)" == monitor["n_serial_strings"])
    #expect(edid.version == monitor["edid_version"])
    #expect((edid.isDigital ? "digital" : "analog") == monitor["input"])
  }

  @Test(arguments: Oracle.monitors)
  func `size, date and checksums match edid-decode`(_ monitor: Oracle.Monitor) throws {
    let edid = try monitor.edid()
    let size = edid.centimeters
    #expect((size.map { "\($0.width * 10)" } ?? "") == monitor["width_mm"])
    #expect((size.map { "\($0.height * 10)" } ?? "") == monitor["height_mm"])
    #expect("\(edid.made.year)" == monitor["year"])
    #expect((edid.made.week.map { "\($0)" } ?? "") == monitor["week"])
    #expect(edid.made.isModelYear == monitor["made_text"].hasPrefix("Model"))
    #expect(edid.isDegraded == (monitor["base_checksum_ok"] != "yes"))
    #expect(edid.notes.count { $0.contains("wrong checksum") } == Int(monitor["bad_ext_checksums"]))
  }

  @Test(arguments: Oracle.monitors)
  func `the first detailed timing matches edid-decode`(_ monitor: Oracle.Monitor) throws {
    let first = try monitor.edid().firstDetailed
    guard let width = Int(monitor["pref_w"]), width > 0 else {
      #expect(first == nil)
      return
    }
    let timing = try #require(first)
    #expect("\(timing.size)" == "\(width)x\(monitor["pref_h"])")
    #expect(Text.hertz(timing.refresh) == monitor["pref_hz"])
    #expect((timing.isInterlaced ? "yes" : "no") == monitor["pref_interlaced"])
  }

  /// The files whose list differs from edid-decode's, with the reason.
  static let differences = [
    "HAI0503-78d6d54aa7d3.bin": "0x768 is not a valid size",
    "SNY4B04-ba8ddead5539.bin": "an extension block with a wrong checksum is ignored",
    "ed-elo-4600l-hdmi.bin": "the CTA-861 block's timings are shifted garbage without sync pulses",
    "a-IEI2044-baee0fc0d628.bin": "standard timings without a formula have their nominal rate",
  ]

  // Rates that GTF or CVT compute are nominal here and differ by up to 0.2 Hz.
  @Test(arguments: Oracle.monitors)
  func `the timings match edid-decode`(_ monitor: Oracle.Monitor) throws {
    let ours = try monitor.edid().timings.map(\.mode)
    let theirs = monitor["timings"].split(separator: " ").compactMap(Text.mode)
    let missing = theirs.filter { mode in !ours.contains { Text.same($0, mode) } }
    let extra = ours.filter { mode in !theirs.contains { Text.same($0, mode) } }
    let differs = !missing.isEmpty || !extra.isEmpty
    #expect(differs == (Self.differences[monitor.file] != nil), "missing \(missing), extra \(extra)")
  }
}

enum Text {
  /// Formats a rate as in the oracle, such as `59.940`.
  static func hertz(_ refresh: Int) -> String {
    let fraction = "\(refresh % 1000)"
    return "\(refresh / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }

  /// Parses an entry such as `V:1920x1080i@60.000`.
  static func mode(_ text: some StringProtocol) -> Mode? {
    let parts = text.drop { $0 != ":" }.dropFirst().split(separator: "@")
    guard parts.count == 2, let hertz = Double(parts[1]), let width = Int(parts[0].prefix { $0 != "x" }) else {
      return nil
    }
    let height = parts[0].drop { $0 != "x" }.dropFirst().prefix { $0 != "i" }
    let refresh = hertz.isFinite ? Int((hertz * 1000).rounded()) : 0
    return Mode(size: Size(width, Int(height) ?? 0), refresh: refresh, isInterlaced: parts[0].hasSuffix("i"))
  }

  static func same(_ one: Mode, _ two: Mode) -> Bool {
    one.size == two.size && one.isInterlaced == two.isInterlaced && abs(one.refresh - two.refresh) <= 200
  }
}
