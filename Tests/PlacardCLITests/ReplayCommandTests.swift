import CommandLineTool
import FoundationEssentials
import Testing

struct ReplayCommandTests {
  private struct Report: Decodable {
    struct Run: Decodable {
      struct Difference: Decodable, Equatable {
        var at: Double
        var display: String
        var recorded: String?
        var now: String?
      }
      var differences: [Difference]
    }
    var same: Bool
    var runs: [Run]
  }

  private static let header =
    #"{"header":{"backend":"kms","began":1,"kernel":"Linux 6.1","masked":false,"monotonic":1,"placard":"1","recording":1,"#
    + #""settings":{"isAtomicAllowed":true,"policy":"legible","roles":{},"rotation":0,"rules":[]}},"t":0}"# + "\n"
  private static let lit = #"{"state":{"display":"DP-1","state":"lit"},"t":1500000000}"# + "\n"

  @Test func `A replay exits with 0 for equal decisions, and with 1 and the place for others`() async throws {
    try await withTemporaryDirectory { directory in
      try write(Array(Self.header.utf8), "\(directory)/same")
      try write(Array((Self.header + Self.lit).utf8), "\(directory)/other")
      let same = MemoryConsole()
      #expect(await PlacardTool.run(["replay", "\(directory)/same"], console: same) == 0)
      #expect(same.text == "0.0 s, Placard 1 on Linux 6.1, 0 displays, 0 decisions: the same\n")
      let other = MemoryConsole()
      #expect(await PlacardTool.run(["replay", "\(directory)/other"], console: other) == 1)
      #expect(other.text.contains("\nat 1.5 s, DP-1: recorded lit, now nothing\n") && other.errors.isEmpty)
      let json = MemoryConsole()
      #expect(await PlacardTool.run(["replay", "--json", "\(directory)/other"], console: json) == 1)
      let report = try decode(Report.self, json.output)
      #expect(!report.same)
      #expect(report.runs.map(\.differences) == [[.init(at: 1.5, display: "DP-1", recorded: "lit")]])
    }
  }

  @Test func `An unreadable file and an unknown option exit with 2`() async throws {
    try await withTemporaryDirectory { directory in
      try write(Array("no recording".utf8), "\(directory)/file")
      for arguments in [["\(directory)/file"], ["\(directory)/none"], ["--policy", "what", "\(directory)/file"]] {
        let console = MemoryConsole()
        #expect(await PlacardTool.run(["replay"] + arguments, console: console) == 2)
        #expect(console.text.isEmpty)
      }
    }
  }
}
