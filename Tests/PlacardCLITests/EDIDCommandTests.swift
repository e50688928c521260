import CommandLineTool
import FoundationEssentials
import Testing

@Suite struct EDIDCommandTests {
  private struct Entry: Decodable, Equatable {
    var file: String
    var error: String?
    var vendor: String?
    var mode: String?
    var scale: Int?
    var preferred: [String]
    var policy: String
  }

  /// EDID 1.4 of vendor TST, product 0x0102, serial 5, whose only mode is 1920x1080 at 60 Hz.
  static let monitor: [UInt8] = {
    var bytes: [UInt8] = [0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00]  // The header.
    bytes += [0x52, 0x74, 0x02, 0x01, 5, 0, 0, 0, 1, 30, 1, 4]  // TST, product, serial, week and year, version.
    bytes += [0x80, 60, 34, 120, 0x02]  // Digital, 60 by 34 cm, gamma 2.2, the first timing is preferred.
    bytes += [UInt8](repeating: 0, count: 10) + [0, 0, 0]  // Chromaticity; no established timings.
    bytes += [UInt8](repeating: 1, count: 16)  // No standard timings.
    bytes += [0x02, 0x3a, 0x80, 0x18, 0x71, 0x38, 0x2d, 0x40, 0x58, 0x2c, 0x45, 0x00]  // 148.5 MHz, 1920x1080.
    bytes += [0x58, 0x54, 0x21, 0, 0, 0x1e]
    for _ in 0..<3 { bytes += [0, 0, 0, 0x10, 0] + [UInt8](repeating: 0, count: 13) }  // Empty descriptors.
    bytes.append(0)  // No extensions.
    bytes.append(0 &- bytes.reduce(0, &+))
    return bytes
  }()

  @Test func `A readable EDID is printed with its identity, its modes and the chosen mode`() async throws {
    try await withTemporaryDirectory { directory in
      try write(Self.monitor, "\(directory)/file")
      let console = MemoryConsole()
      #expect(await PlacardTool.run(["edid", "\(directory)/file"], console: console) == 0)
      #expect(console.text.contains("identity: TST-0102-") && console.text.contains("1920x1080@60 *  chosen"))
      let json = MemoryConsole()
      #expect(await PlacardTool.run(["edid", "--json", "--policy", "native", "\(directory)/file"], console: json) == 0)
      let entry = Entry(
        file: "\(directory)/file", vendor: "TST", mode: "1920x1080@60", scale: 1, preferred: ["1920x1080@60"],
        policy: "native")
      #expect(try decode([Entry].self, json.output) == [entry])
    }
  }

  @Test func `Several files are printed with their names, and a damaged one exits with 2`() async throws {
    try await withTemporaryDirectory { directory in
      try write(Self.monitor, "\(directory)/file")
      let console = MemoryConsole(input: Array("no EDID".utf8))
      #expect(await PlacardTool.run(["edid", "\(directory)/file", "-"], console: console) == 2)
      #expect(console.text.contains("\(directory)/file:\nmonitor: TST") && console.text.contains("\n\n-:\n"))
      #expect(console.errors.hasPrefix("placard: -: "))
    }
  }

  @Test func `A missing file is named in the error`() async {
    let console = MemoryConsole()
    #expect(await PlacardTool.run(["edid", "/tmp/no such file"], console: console) == 2)
    #expect(console.errors == "placard: /tmp/no such file: No such file or directory.\n")
  }

  @Test(
    "edid and replay exit with the same status for an unreadable file, and edid names it",
    arguments: ["empty", "damaged", "folder", "none"])
  func unreadable(kind: String) async throws {
    try await withTemporaryDirectory { directory in
      let file = kind == "folder" ? directory : "\(directory)/file"
      if kind == "empty" { try write([], file) }
      if kind == "damaged" { try write([0x7b, 0x22, 0xff, 0, 1], file) }
      for command in ["edid", "replay"] {
        let console = MemoryConsole()
        #expect(await PlacardTool.run([command, file], console: console) == 2, "\(command)")
        if command == "edid" { #expect(console.errors.contains(file)) }
      }
    }
  }

  @Test func `EDIDs of real monitors are printed with the policy`() async throws {
    guard let folder = realMonitors() else {
      print("skipped: there is no shared/edid above this repository; PLACARD_EDID names another place")
      return
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".bin") }.sorted()
    try #require(!names.isEmpty)
    let console = MemoryConsole()
    let files = names.prefix(20).map { "\(folder)/\($0)" }
    #expect(await PlacardTool.run(["edid", "--json"] + files, console: console) == 0)
    let entries = try decode([Entry].self, console.output)
    #expect(entries.map(\.file) == files)
    #expect(entries.allSatisfy { $0.vendor?.count == 3 && $0.policy == "legible" })
  }

  private func realMonitors() -> String? {
    let places =
      ProcessInfo.processInfo.environment["PLACARD_EDID"].map { [$0] } ?? parents.map { "\($0)/shared/edid" }
    return places.map { "\($0)/monitors" }.first { FileManager.default.fileExists(atPath: $0) }
  }

  private var parents: [String] {
    let parts = #filePath.split(separator: "/")
    return parts.indices.map { "/" + parts[..<$0].joined(separator: "/") }
  }
}

func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
  try JSONDecoder().decode(type, from: Data(bytes))
}

func contents(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

func write(_ bytes: [UInt8], _ path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }
