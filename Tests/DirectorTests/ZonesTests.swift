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
}
