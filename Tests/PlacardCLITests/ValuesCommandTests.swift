import Control
import FakeServiceSupport
import FoundationEssentials
import JSON
import Testing

@testable import CommandLineTool

/// The commands for live values.
@Suite struct ValuesCommandTests {
  @Test func `values are listed with their age and their displays`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["values"])
      #expect(status == 0)
      let lines = console.text.split(separator: "\n")
      #expect(lines.count == 3)
      #expect(lines[1].hasPrefix("temperature  21.5 °C") || lines[2].hasPrefix("temperature  21.5 °C"))
      let line = try #require(lines.first { $0.hasPrefix("temperature") })
      #expect(line.contains(", too old") && line.contains("10m") && line.hasSuffix("HDMI-A-1"))
    }
  }

  @Test func `a value is a number if it looks like one, and a text otherwise`() async throws {
    try await Running.run { (running: Running) async throws in
      func value(_ arguments: String...) async throws -> JSONValue? {
        let (status, console) = await running.placard(["set", "--json"] + arguments)
        guard status == 0 else { return nil }
        return try JSONValue(parsing: console.text.utf8)
      }
      let number = try await value("a", "-21.50", "--unit", "°C", "--max-age", "1h30m")
      #expect(number?["value"] == .number("-21.50") && number?["unit"] == "°C" && number?["maxAge"]?.integer == 5400)
      #expect(try await value("a", "--text", "7")?["value"] == "7")
      #expect(try await value("a", "Dr.", "Miller")?["value"] == "Dr. Miller")
      #expect(try await value("a", "true")?["value"] == "true")
      #expect(try await value("a", "[1]")?["value"] == "[1]")
      #expect(await running.placard(["set", "a", "7"]).console.text == "")
    }
  }

  @Test func `the rows of a table are read from a CSV file`() async throws {
    try await withTemporaryDirectory { directory in
      let file = directory + "/departures.csv"
      try Data("Time;To\n10:04;\"Harbour; north\"\n".utf8).write(to: URL(filePath: file))
      try await Running.run { (running: Running) async throws in
        let (status, console) = await running.placard(["set", "trains", "--csv", file, "--header", "--json"])
        #expect(status == 0)
        #expect(try JSONValue(parsing: console.text.utf8)["value"] == [["10:04", "Harbour; north"]])
        for wrong in [["--csv", file, "7"], ["--csv", file, "--unit", "m"], ["7", "--header"]] {
          #expect(await running.placard(["set", "trains"] + wrong).status == 2, "\(wrong)")
        }
        #expect(await running.placard(["set", "trains", "--csv", "/no/such.csv"]).status != 0)
      }
    }
  }

  @Test func `mistakes are refused`() async throws {
    try await Running.run { (running: Running) async throws in
      let age = await running.placard(["set", "a", "1", "--max-age", "ten"])
      #expect(age.status == 2 && age.console.errors.contains("ten is not a duration: use 90s, 10m or 2h."))
      #expect(await running.placard(["set", "a"]).status == 2)
      let option = await running.placard(["set", "a", "1", "--units", "km"])
      #expect(option.status == 2 && option.console.errors.contains("Unknown option '--units'"))
      let none = await running.placard(["unset", "none"])
      #expect(none.status == 1 && none.console.errors.contains("`placard values` lists them"))
      #expect(await running.placard(["unset", "temperature"]).status == 0)
    }
  }

  @Test(arguments: [(1, "1s"), (90, "1m30s"), (600, "10m"), (5400, "1h30m"), (86400, "1d"), (604_800, "7d"), (0, "0s")])
  func `a period is written as it is read`(seconds: Int, text: String) {
    #expect(Period.words(seconds: seconds) == text)
    #expect(seconds == 0 || Period(parsing: text)?.seconds == seconds)
  }
}
