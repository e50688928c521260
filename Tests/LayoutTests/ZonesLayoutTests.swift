import Geometry
import Pictures
import Scenes
import SeededRandom
import Testing
import Typesetting

@testable import Layout

/// Scenes with zones: where the zones are, and what they share.
struct ZonesLayoutTests {
  private static let style = Style(font: "DejaVu Sans")

  private func part(_ edge: Zones.Edge, size: Double = 0.2, smallest: Int = 48) -> ZonedView.Part {
    ZonedView.Part(edge, View(banner: "Zone", style: Self.style), size: size, smallest: smallest)
  }

  private func plan(_ zones: [ZonedView.Part], _ size: Size, scale: Double = 1) -> ZonePlan {
    ZonePlan(zones, on: size, safeArea: Rect(size).inset(by: 10), logicalPixel: scale)
  }

  @Test func `bars and columns take their room one after the other`() {
    let plan = plan([part(.bottom), part(.left), part(.top, size: 0.1)], Size(1000, 600))
    #expect(
      plan.frames.map(\.?.rect) == [
        Rect(x: 0, y: 480, width: 1000, height: 120), Rect(x: 0, y: 0, width: 200, height: 480),
        Rect(x: 200, y: 0, width: 800, height: 60),
      ])
    #expect(plan.main == Rect(x: 200, y: 60, width: 800, height: 420) && plan.warnings.isEmpty)
  }

  @Test func `side is right on a wide display and below on a tall one`() {
    #expect(plan([part(.side)], Size(1000, 600)).frames[0]?.rect == Rect(x: 800, y: 0, width: 200, height: 600))
    #expect(plan([part(.side)], Size(600, 1000)).frames[0]?.rect == Rect(x: 0, y: 800, width: 600, height: 200))
  }

  @Test func `a zone that would be too small steps aside, and says so`() {
    let zones = [part(.bottom, size: 0.1, smallest: 60), part(.left, size: 0.2, smallest: 201)]
    let small = plan(zones, Size(1000, 590))
    #expect(small.frames == [nil, nil] && small.main == Rect(Size(1000, 590)))
    #expect(
      small.warnings == [
        "the zone at bottom is not shown: it would have 59 logical pixels, and needs 60",
        "the zone at left is not shown: it would have 200 logical pixels, and needs 201",
      ])
    #expect(plan(zones, Size(2000, 1200)).frames.allSatisfy { $0 != nil })
    #expect(plan(zones, Size(2000, 1180), scale: 2).frames == [nil, nil], "the sizes are logical")
  }

  @Test func `zones that would leave too little to the main scene step aside`() {
    let plan = plan([part(.bottom, size: 0.5), part(.top, size: 0.5)], Size(640, 480))
    #expect(plan.frames.map { $0 != nil } == [true, false])
    #expect(plan.warnings == ["the zone at top is not shown: it would leave too little room to the main scene"])
  }

  @Test(arguments: UInt64(1)...40) func `zones never overlap, and cover the display with the main scene`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let size = Size(.random(in: 1...4000, using: &generator), .random(in: 1...4000, using: &generator))
    let zones = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
      part(
        Zones.Edge.allCases.randomElement(using: &generator) ?? .top, size: .random(in: 0.05...0.5, using: &generator),
        smallest: 16)
    }
    let plan = plan(zones, size, scale: Bool.random(using: &generator) ? 1 : 2)
    let frames = plan.frames.compactMap(\.self)
    let docked = [plan.main] + frames.filter { !$0.isOverlay }.map(\.rect)
    #expect(docked.reduce(0) { $0 + $1.size.area } == size.area, "seed \(seed)")
    for (index, rect) in docked.enumerated() {
      #expect(Rect(size).contains(rect), "seed \(seed)")
      #expect(docked[(index + 1)...].allSatisfy { $0.intersection(rect).isEmpty }, "seed \(seed)")
    }
    #expect(frames.allSatisfy { Rect(size).contains($0.rect) }, "seed \(seed)")
    #expect(plan.frames.count == zones.count && plan.warnings.count == zones.count - frames.count, "seed \(seed)")
  }

  private func list(_ view: ZonedView, _ materials: RenderResources, _ size: Size = Size(1280, 720)) throws
    -> DisplayList
  {
    try layOut(View(.zones(view), style: Self.style), on: DisplayMetrics(pixels: size), with: materials)
  }

  @Test func `texts stay in their zones and in the safe area of the display`() throws {
    let materials = try RenderResources()
    for edge in Zones.Edge.allCases {
      for size in [Size(800, 480), Size(1280, 720), Size(720, 1280)] {
        let long = View(banner: HardScenes.long, style: Self.style)
        let view = ZonedView(View(.blank, style: Self.style), [ZonedView.Part(edge, long, size: 0.2, smallest: 16)])
        let list = try list(view, materials, size)
        let frame = try #require(
          ZonePlan(view.zones, on: size, safeArea: list.safeArea, logicalPixel: 1).frames[0])
        let texts = list.items.compactMap(\.text)
        #expect(!texts.isEmpty && texts.allSatisfy { frame.rect.contains($0.ink) }, "\(edge) at \(size)")
        #expect(texts.allSatisfy { list.safeArea.contains($0.ink) }, "\(edge) at \(size)")
      }
    }
  }

  @Test func `a clock in a column has its whole date`() throws {
    let materials = try RenderResources()
    let face = ClockFace(time: "14:05", date: "Wednesday, 30 September 2026", caption: "Berlin")
    for edge in [Zones.Edge.side, .left, .top, .topRight] {
      let view = ZonedView(
        View(banner: "Main", style: Self.style), [.init(edge, View(.clock(face), style: Self.style), size: 0.3)])
      #expect(try list(view, materials).warnings.isEmpty, "\(edge)")
    }
  }

  @Test func `the first line that scrolls moves, wherever it is, and others say that they do not`() throws {
    let materials = try RenderResources()
    let line = View(.ticker(Ticker("Gate 17 is boarding now")), style: Self.style)
    let still = View(banner: "Still", style: Self.style)
    let below = try list(ZonedView(still, [.init(.bottom, line)]), materials)
    let strip = try #require(below.strip)
    #expect(strip.window.y >= 612 && strip.window.bottom <= 720 && below.warnings.isEmpty)
    #expect(below.seen(after: 50) != below.seen(after: 0))
    let both = try list(ZonedView(line, [.init(.bottom, line)]), materials)
    #expect((both.strip?.window.bottom ?? 720) < 612)
    #expect(both.warnings == ["only one line can move: that of another zone does"])
    // A line under a corner stands still: it would be drawn over the corner.
    let covered = try list(ZonedView(line, [.init(.topRight, still, size: 0.5, smallest: 16)]), materials)
    #expect(covered.strip == nil && covered.warnings == ["a line under a corner cannot move"])
    let corner = try list(ZonedView(still, [.init(.topRight, line, size: 0.5)]), materials)
    #expect(corner.strip != nil && corner.warnings.isEmpty)
    let beside = try list(ZonedView(still, [.init(.bottom, line), .init(.topRight, still)]), materials)
    #expect(beside.strip != nil && beside.warnings.isEmpty)
  }

  @Test func `a change in one zone leaves the items of the others equal, and is laid out alone`() throws {
    let materials = try RenderResources()
    func view(_ time: String) -> ZonedView {
      ZonedView(
        View(.card(Card(title: "Fire drill", content: HardScenes.long)), style: Self.style),
        [
          .init(.top, View(.clock(ClockFace(time: time, date: "Today")), style: Self.style)),
          .init(.bottom, View(.ticker(Ticker("Gate 17 is boarding now")), style: Self.style)),
        ])
    }
    let (before, after) = (try list(view("14:05"), materials), try list(view("14:06"), materials))
    #expect(before != after && before.strip == after.strip)
    let changed = Set(before.items).symmetricDifference(after.items)
    #expect(changed.allSatisfy { $0.ink.bottom <= 108 })
  }
}
