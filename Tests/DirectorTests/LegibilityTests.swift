import Configuration
import Control
import Displays
import Geometry
import Pictures
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// The heights of letters in millimeters, and messages that must be readable.
struct LegibilityTests {
  /// A monitor of 1280x720 whose EDID says 640 mm by 360 mm, so that two pixels are one millimeter; or that says no size.
  private func monitor(hasSize: Bool = true) -> VirtualMonitor {
    var monitor = VirtualMonitor(size: Size(1280, 720), name: "Ruler")
    if hasSize {
      (monitor.edid[21], monitor.edid[22]) = (64, 36)
      monitor.edid[127] = 0
      monitor.edid[127] = 0 &- monitor.edid.reduce(0, &+)
    }
    return monitor
  }

  private func harness(
    hasSize: Bool = true, _ requests: DisplayRequests = DisplayRequests(), style: Style = Style()
  ) async throws -> Harness {
    var settings = Settings(message: "Hello")
    settings.roles = [.external: requests]
    settings.style = style
    let harness = Harness(settings)
    await harness.start()
    harness.card.plug(monitor(hasSize: hasSize), into: "Virtual-1")
    await harness.waitWhile { director in director.display("Virtual-1")?.state != .lit }
    await harness.rest()
    return harness
  }

  /// The height in pixels of the ink in a screenshot, whose background is that of the first pixel.
  private func inkHeight(_ harness: Harness) async throws -> Int {
    let image = try RGBImage(pngBytes: try await harness.director.screenshot("Virtual-1", ScreenshotRequest()))
    let rows = (0..<image.size.height).filter { y in
      (0..<image.size.width).contains { image[$0, y] != image[0, 0] }
    }
    return (rows.last ?? 0) - (rows.first ?? 0) + 1
  }

  @Test(arguments: ["H", "HHH HHH", "H H H H H H H H H H H H H H H H H H H H H H"])
  func `the reported height is that of a capital letter in the picture`(text: String) async throws {
    var style = Style()
    style.mostLines = 1
    let harness = try await harness(style: style)
    let report = try await harness.show(text)
    let legibility = try #require(report.legibility?.first)
    #expect(legibility.display == "Virtual-1" && legibility.distance == nil)
    let measured = Double(try await inkHeight(harness)) / 2
    #expect(abs(measured - legibility.letterHeight) <= 0.6, "\(measured) \(legibility)")
    #expect(abs(legibility.readableDistance - measured / 6) < 0.2)
    #expect(await harness.display("Virtual-1")?.legibility == legibility)
    let why = try await harness.director.why("Virtual-1")
    #expect(why.reasons.contains { $0.contains(" mm high, readable from ") && $0.contains("NUREG-0700") })
  }

  @Test func `a diagonal takes precedence over the size in the EDID`() async throws {
    let first = try await harness()
    // Twice the diagonal of 640 mm by 360 mm.
    let second = try await harness(DisplayRequests(diagonal: 1469))
    let heights = (
      try await first.show("Same").legibility?.first?.letterHeight,
      try await second.show("Same").legibility?.first?.letterHeight
    )
    #expect(abs((heights.1 ?? 0) / (heights.0 ?? 1) - 2) < 0.01, "\(heights)")
  }

  @Test func `the smallest text on the display counts, and an image alone has none`() async throws {
    let harness = try await harness()
    let card = Scene(.card(Card(title: "Large", content: "Small", footer: "Smallest"))).document
    let small = try await harness.director.setMessage(MessageRequest(scene: card, wait: true))
    let large = try await harness.show("Large")
    let heights = [small, large].compactMap { $0.legibility?.first?.letterHeight }
    try #require(heights.count == 2)
    #expect(heights[0] < heights[1] / 3, "\(heights)")
    let pattern = Scene(.pattern(.bars)).document
    #expect(try await harness.director.setMessage(MessageRequest(scene: pattern, wait: true)).legibility == nil)
  }

  @Test func `text that is too small for the distance is a warning, and is refused on request`() async throws {
    let harness = try await harness(DisplayRequests(distance: 6000))
    let fits = try await harness.director.setMessage(MessageRequest(text: "Exit", wait: true, requireReadable: true))
    #expect(fits.warnings.isEmpty && fits.legibility?.first?.distance == 6)
    let long = String(repeating: "many words ", count: 60)
    let error = await #expect(throws: ControlError.self) {
      try await harness.director.setMessage(MessageRequest(text: long, wait: true, requireReadable: true))
    }
    let parts = ["Virtual-1", "would not be readable", " mm high, readable from ", "from 6 m they must be 36 mm high"]
    #expect(parts.allSatisfy { error?.message.contains($0) ?? false }, "\(error?.message ?? "")")
    #expect(error?.kind == .conflict)
    #expect(await harness.display("Virtual-1")?.message == "Exit", "the old content stays")
    #expect(await harness.director.messages().map(\.summary) == ["Exit"])

    let shown = try await harness.show(long)
    #expect(shown.warnings.contains { $0.contains("from 6 m they must be 36 mm high") })
    #expect(await harness.display("Virtual-1")?.warnings.count { $0.contains("36 mm") } == 1)
  }

  @Test func `without a distance or a size, nothing is known to be readable`() async throws {
    let far = try await harness()
    let error = await #expect(throws: ControlError.self) {
      try await far.director.setMessage(MessageRequest(text: "Exit", requireReadable: true))
    }
    #expect(error?.message.contains("set `distance` in the configuration") == true)

    let projector = try await harness(hasSize: false, DisplayRequests(distance: 6000))
    #expect(try await projector.show("Exit").legibility == nil)
    let refusal = await #expect(throws: ControlError.self) {
      try await projector.director.setMessage(MessageRequest(text: "Again", requireReadable: true))
    }
    #expect(refusal?.message.contains("set its `diagonal` in the configuration") == true)
    #expect(await projector.display("Virtual-1")?.warnings.contains { $0.contains("`diagonal`") } == true)
  }

  @Test func `a message that is shown with another warning is not readable either`() async throws {
    let harness = try await harness(DisplayRequests(distance: 500))
    var style = StyleChanges()
    style.foreground = Color(parsing: "#0c2050")
    let faint = Scene(.banner("Exit"), style: style).document
    let error = await #expect(throws: ControlError.self) {
      try await harness.director.setMessage(MessageRequest(scene: faint, requireReadable: true))
    }
    #expect(error?.message.contains("contrast") == true, "\(error?.message ?? "")")
  }

  @Test func `a message that no display would show is accepted`() async throws {
    let harness = try await harness()
    _ = try await harness.director.post(MessageRequest(text: "Above", priority: 5, wait: true))
    let below = try await harness.director.post(MessageRequest(text: "Below", requireReadable: true))
    #expect(below.id != nil)
  }
}
