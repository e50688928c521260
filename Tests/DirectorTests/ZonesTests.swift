import Configuration
import Control
import Geometry
import Layout
import Raster
import Scenes
import Testing
import Typesetting
import VirtualDisplays

@testable import Director

/// Several scenes on one display, in frames that the card shows.
@Suite(.timeLimit(.minutes(10)))
struct ZonesTests {
  /// The pixels of a ticker's frame: 180 logical pixels a second at 60 Hz.
  private static let step = 3
  private static let size = PacedHarness.size

  /// A clock with seconds above a moving line, on a display with vertical blanks.
  private static func open(_ scene: Scene) async throws -> PacedHarness {
    let paced = try await PacedHarness()
    paced.harness.card.beginVBlanks()
    _ = try await paced.frame {
      try await paced.director.open(OpenRequest(scene: scene.document, display: "Virtual-1"))
    }
    return paced
  }

  private static let line = Zones.Zone(.bottom, Scene(.ticker(Ticker("Gate 17 is boarding now"))), size: 0.25)
  /// The first row of the line's zone.
  private static let border = 360

  private static func isMoved(_ frame: [UInt32], from other: [UInt32], by distance: Int) -> Bool {
    (border..<size.height).allSatisfy { y in
      let row = y * size.width
      return frame[row..<row + size.width - distance].elementsEqual(other[row + distance..<row + size.width])
    }
  }

  private static func upper(_ frame: [UInt32]) -> ArraySlice<UInt32> { frame[..<(border * size.width)] }

  @Test func `a line moves on by one step per frame while the clock beside it changes`() async throws {
    let clock = Scene(.clock(Clock(zone: "UTC", hasSeconds: true)))
    let paced = try await Self.open(Scene(.zones(Zones(clock, [Self.line]))))
    let first = paced.pixels()
    #expect(Set(first.suffix(Self.size.width * 120)).count > 10, "the line has letters")
    var faces: [[UInt32]] = [Array(Self.upper(first))]
    for frame in 1...12 {
      if frame.isMultiple(of: 4) {
        paced.harness.clock.now += 1000
        await paced.director.momentCame()
      }
      await paced.blank()
      #expect(Self.isMoved(paced.pixels(), from: first, by: frame * Self.step), "\(frame)")
      if faces.last.map({ $0.elementsEqual(Self.upper(paced.pixels())) }) == false {
        faces.append(Array(Self.upper(paced.pixels())))
      }
    }
    #expect(faces.count >= 3, "the clock was shown with \(faces.count) times")
    #expect(await paced.harness.display("Virtual-1")?.missedFrames == 0)
  }

  @Test func `a change in a zone damages nothing outside of it`() throws {
    let resources = try RenderResources()
    let style = Style(font: "DejaVu Sans")
    let surface = Rasterizer(size: Self.size, format: .xrgb8888)
    func list(_ time: String) throws -> DisplayList {
      let clock = View(.clock(ClockFace(time: time, date: "Saturday")), style: style)
      let card = View(.card(Card(title: "Fire drill", content: "Leave by the nearest exit")), style: style)
      let zones = ZonedView(
        card, [.init(.bottom, View(banner: "Below", style: style)), .init(.right, clock, size: 0.4)])
      return try layOut(View(.zones(zones), style: style), on: DisplayMetrics(pixels: Self.size), with: resources)
    }
    let zone = Rect(x: 384, y: 0, width: 256, height: 408)
    for (old, new) in [("14:05", "14:06"), ("09:59", "10:00"), ("1:00", "12:34 pm")] {
      let damage = surface.difference(from: try list(old), to: try list(new), with: resources)
      #expect(!damage.isEmpty && damage.allSatisfy { zone.contains($0) }, "\(old) to \(new): \(damage)")
    }
  }

  @Test func `zones of one display are independent, and its reports name the main scene`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    let list = Playlist([.init(.banner("One")), .init(.banner("Two"))], seconds: 10)
    let scene = Scene(.zones(Zones(Scene(.playlist(list)), [Self.line, .init(.top, .banner("Small"), size: 0.05)])))
    let request = OpenRequest(scene: scene.document, display: "Virtual-1", wait: true)
    _ = try await harness.director.open(request)
    let report = try #require(await harness.display("Virtual-1"))
    #expect(report.message == "One")
    #expect(
      report.warnings.contains { $0.hasPrefix("the zone at top is not shown: it would have 24 logical") })
  }

  @Test func `texts and tables in zones turn their pages by themselves, each at its own time`() async throws {
    let lines = (1...60).map { "- Line \($0)" }.joined(separator: "\n")
    let text = Scene(.markdown(MarkdownText(lines, secondsPerPage: 10)))
    let rows = (1...40).map { [DataTable.Cell.text("Train \($0)")] }
    let table = Scene(.table(DataTable(columns: [.init(title: "Departures")], rows: rows, secondsPerPage: 25)))
    // The table is the main scene of a zone with a zone of its own.
    let nested = Scene(.zones(Zones(table, [.init(.bottom, .banner("Platform 4"), size: 0.2)])))
    let zones = [
      Zones.Zone(.top, .banner("Small"), size: 0.05), .init(.left, text, size: 0.5), .init(.top, nested, size: 0.5),
    ]
    let paced = try await PacedHarness()
    let request = OpenRequest(
      scene: Scene(.zones(Zones(.banner("Main"), zones))).document, display: "Virtual-1", wait: true)
    _ = try await paced.director.open(request)
    await paced.harness.rest()
    func parts() -> [[UInt32]] {
      let (pixels, width) = (paced.pixels(), PacedHarness.size.width)
      func part(_ columns: Range<Int>, _ rows: Range<Int>) -> [UInt32] {
        rows.flatMap { pixels[$0 * width + columns.lowerBound..<$0 * width + columns.upperBound] }
      }
      return [part(0..<320, 0..<480), part(320..<640, 0..<240), part(320..<640, 240..<480)]
    }
    let first = parts()
    var seen = [Set([first[0]]), Set([first[1]])]
    for second in stride(from: 10, through: 100, by: 5) {
      let before = parts()
      paced.pass(milliseconds: second == 10 ? 10_000 : 5000)
      await paced.director.momentCame()
      await paced.harness.rest()
      let now = parts()
      #expect((now[0] != before[0]) == second.isMultiple(of: 10), "the text after \(second) s")
      #expect((now[1] != before[1]) == second.isMultiple(of: 25), "the table after \(second) s")
      #expect(now[2] == first[2], "the main scene after \(second) s")
      for zone in seen.indices { seen[zone].insert(now[zone]) }
    }
    #expect(seen[0].count > 2 && seen[1].count > 2, "\(seen.map(\.count))")
    #expect(await paced.harness.display("Virtual-1")?.message == "Main")
  }
}
