import Displays
import Testing

/// Scroll animations move by a constant number of whole rows per frame and stop exactly at the target.
struct GlideTests {
  private func way(_ from: Int, _ to: Int, window: Int = 1000, refresh: Int = 60_000) -> ScrollAnimation? {
    ScrollAnimation(from: from, to: to, window: window, refresh: refresh)
  }

  /// Returns the rows of all frames.
  private func rows(_ glide: ScrollAnimation) -> [Int] {
    var rows: [Int] = []
    while rows.last != glide.to, rows.count < 1000 {
      rows.append(glide.row(after: (rows.count + 1) * glide.pace.pixels))
    }
    return rows
  }

  @Test(arguments: [
    (0, 1000, 60_000), (1000, 0, 60_000), (7, 2007, 60_000), (0, 2999, 60_000), (5, 400, 144_000), (90, 30, 24_000),
    (0, 1, 60_000), (3, 25, 50_000), (0, 22, 0), (-8, 14, 59_940),
  ])
  func `All steps but the last have the same length, and the last one reaches the end`(from: Int, to: Int, refresh: Int)
    throws
  {
    let glide = try #require(way(from, to, refresh: refresh))
    let rows = rows(glide)
    let steps = zip(rows, [from] + rows).map { ($0 - $1) * (to > from ? 1 : -1) }
    #expect(rows.last == to)
    #expect(steps.dropLast().allSatisfy { $0 == glide.pace.pixels })
    #expect((steps.last ?? 0) > 0 && (steps.last ?? 0) <= glide.pace.pixels)
    #expect(glide.row(after: .max) == to && glide.row(after: 0) == from)
  }

  @Test(arguments: [24_000, 50_000, 60_000, 75_000, 144_000, 240_000])
  func `Scrolling by one window height or by three takes 0.3 to 0.4 seconds`(refresh: Int) throws {
    for distance in [1000, 2160, 2999] {
      let glide = try #require(way(0, distance, window: 1000, refresh: refresh))
      let seconds = Double(rows(glide).count * 1000) / Double(refresh)
      #expect((0.29...0.4).contains(seconds), "\(distance) rows in \(seconds) s")
    }
  }

  @Test func `Scrolling by few rows takes one frame per row, and no longer than by many`() throws {
    for distance in 1...60 {
      let count = rows(try #require(way(0, distance))).count
      #expect(count <= 21 && count >= min(distance, 10))
    }
  }

  @Test func `There is no animation without a distance, or over a distance that is too long`() {
    #expect(way(5, 5) == nil)
    #expect(way(0, 2999) != nil && way(0, 3000) == nil && way(9000, 0) == nil)
    #expect(way(.min, .max) == nil && way(.max, .min) == nil)
    #expect(way(0, 2, window: 0) != nil && way(0, 3, window: -5) == nil)
  }

  /// The frame period of a 50 Hz monitor, and the time of the first frame.
  private static let period: UInt64 = 20_000_000
  private static let start: UInt64 = 1_000_000_000

  @Test func `A new target during the animation is approached from the current row, in the same rhythm`() throws {
    let there = try #require(way(0, 850, refresh: 50_000))
    var motion = Motion(there.pace, refresh: 50_000)
    var row = 0
    for picture in 0..<4 as Range<UInt64> {
      row = there.row(after: motion.distance)
      motion.stepped(at: Self.start + picture * Self.period, hasVBlank: true)
    }
    #expect(row == 4 * 50)
    let back = try #require(way(row, 30, refresh: 50_000))
    #expect(back.pace.pixels == 10)
    motion.go(at: back.pace)
    #expect(back.row(after: motion.distance) == row - 10)
    // The frame is two periods late.
    motion.stepped(at: Self.start + 6 * Self.period, hasVBlank: true)
    #expect(motion.missed == 2)
    #expect(back.row(after: motion.distance) == row - 40)
    #expect(motion.due(hasVBlank: false) == Self.start + 7 * Self.period)
  }

  @Test func `Without vertical blanks, early steps do not delay the next ones for long`() {
    var motion = Motion(speed: 100, refresh: 50_000)
    for _ in 0..<50 { motion.stepped(at: Self.start, hasVBlank: false) }
    #expect(motion.due(hasVBlank: false) <= Self.start + 2 * Self.period)
    #expect(motion.missed == 0)
  }
}
