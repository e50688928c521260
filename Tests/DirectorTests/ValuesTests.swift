import Control
import Geometry
import JSON
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Live values on displays.
@Suite(.timeLimit(.minutes(10)))
struct ValuesTests {
  private static func open(_ text: String) async throws -> PacedHarness {
    let paced = try await PacedHarness()
    paced.harness.card.beginVBlanks()
    _ = try await change(paced) {
      try await paced.director.open(OpenRequest(scene: Scene.banner(text).document, display: "Virtual-1"))
    }
    return paced
  }

  /// Performs an action that causes a frame, and lets the frame reach the display.
  private static func change<R>(_ paced: PacedHarness, by action: () async throws -> R) async rethrows -> R {
    let result = try await paced.frame(after: action)
    await paced.lastBlank()
    return result
  }

  @Test func `a value changes the displays that refer to it, and only those`() async throws {
    let paced = try await Self.open("{{temperature}}")
    let missing = paced.pixels()
    let request = ValueRequest(value: .number("21.5"), unit: "°C", maxAge: 600)
    let report = try await Self.change(paced) { try await paced.director.setValue("temperature", request) }
    #expect(report.value == .number("21.5") && report.unit == "°C" && report.maxAge == 600 && !report.isOld)
    #expect(report.displays == ["Virtual-1"])
    let shown = paced.pixels()
    #expect(shown != missing)
    // Another value, and the same value again, change nothing.
    _ = try await paced.director.setValue("other", ValueRequest(value: .number("1")))
    await paced.expectRest()
    #expect(paced.pixels() == shown)
    _ = try await Self.change(paced) {
      try await paced.director.setValue("temperature", ValueRequest(value: .number("22"), unit: "°C"))
    }
    #expect(paced.pixels() != shown)
    try await Self.change(paced) { try await paced.director.removeValue("temperature") }
    #expect(paced.pixels() == missing)
    #expect(await paced.director.values(after: nil, most: 10).items.map(\.name) == ["other"])
  }

  @Test func `a value that becomes too old is marked at that moment`() async throws {
    let paced = try await Self.open("{{temperature}}")
    let request = ValueRequest(value: .number("21.5"), maxAge: 60)
    _ = try await Self.change(paced) { try await paced.director.setValue("temperature", request) }
    let fresh = paced.pixels()
    paced.pass(milliseconds: 59_999)
    await paced.director.momentCame()
    await paced.expectRest()
    #expect(paced.pixels() == fresh)
    paced.pass(milliseconds: 1)
    await Self.change(paced) { await paced.director.momentCame() }
    #expect(paced.pixels() != fresh)
    #expect(try await paced.director.value("temperature").isOld)
    let warnings = await paced.harness.display("Virtual-1")?.warnings ?? []
    #expect(warnings == ["the value temperature is too old"])
  }

  @Test func `a thousand values while a frame is pending become one frame`() async throws {
    let paced = try await Self.open("{{count}}")
    let before = paced.flips
    func set(_ number: Int) async throws {
      _ = try await paced.director.setValue("count", ValueRequest(value: .number("\(number)"), maxAge: 60))
    }
    try await set(1)
    await paced.frame(before + 1)
    for number in 2...1000 { try await set(number) }
    await paced.director.waitForPainters()
    #expect(paced.flips == before + 1, "no other frame without a vertical blank")
    await paced.blank()
    await paced.expectRest()
    let last = paced.pixels()
    let other = try await Self.open("1,000")
    #expect(other.pixels() == last)
  }

  @Test func `a change of a stored value is on the disk before its answer`() async throws {
    let harness = Harness()
    await harness.start()
    func stored() -> [String] { harness.persistence.records.filter { $0.kind == "value" }.map(\.key) }
    _ = try await harness.director.setValue("a", ValueRequest(value: .number("1")))
    #expect(harness.persistence.isSettled && stored() == ["a"])
    _ = try await harness.director.setValue("a", ValueRequest(value: .number("2"), maxAge: 60))
    #expect(harness.persistence.isSettled && stored() == [], "the stored value does not return after a crash")
    _ = try await harness.director.setValue("a", ValueRequest(value: .number("3"), maxAge: 60))
    #expect(harness.persistence.isSettled && stored() == [])
  }

  private static let mistakes: [(value: JSONValue, reason: String)] = [
    (.null, "must be a number, a text, or an array of rows"), (.bool(true), "must be a number"),
    (["a": 1], "must be a number"), (.number("1e999"), "too large"),
    (.string(String(repeating: "x", count: 16385)), "at most 16384"),
    (.array(.init(repeating: [], count: 1001)), "1001 rows"), ([["a"], "b"], "row 2 of `value` is a string"),
    ([["a", .null]], "row 1 of `value` has null"), ([.array(.init(repeating: "a", count: 21))], "21 cells"),
    ([[.string(String(repeating: "x", count: 1001))]], "1001 bytes"),
  ]

  @Test(arguments: mistakes.indices)
  func `an invalid value is refused, and the old one stays`(index: Int) async throws {
    let (value, reason) = Self.mistakes[index]
    let harness = Harness()
    await harness.start()
    _ = try await harness.director.setValue("a", ValueRequest(value: .number("1")))
    do {
      _ = try await harness.director.setValue("a", ValueRequest(value: value))
      Issue.record("accepted")
    } catch {
      #expect("\(error)".contains(reason), "\(error)")
    }
    #expect(try await harness.director.value("a").value == .number("1"))
    await #expect(throws: ControlError.self) {
      _ = try await harness.director.setValue("a b", ValueRequest(value: .number("1")))
    }
  }
}
