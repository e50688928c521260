import Displays
import Testing

/// How a column goes to another row: by whole rows, as many in each picture, and no further than to its end.
struct GlideTests {
  private func way(_ from: Int, _ to: Int, window: Int = 1000, refresh: Int = 60_000) -> Glide? {
    Glide(from: from, to: to, window: window, refresh: refresh)
  }

  /// The rows of all its pictures.
  private func rows(_ glide: Glide) -> [Int] {
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
  func `Steps are as long as each other but for the last, and lead to the end`(from: Int, to: Int, refresh: Int) throws
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
  func `A window's height takes between 0.3 and 0.4 seconds, and so do three`(refresh: Int) throws {
    for distance in [1000, 2160, 2999] {
      let glide = try #require(way(0, distance, window: 1000, refresh: refresh))
      let seconds = Double(rows(glide).count * 1000) / Double(refresh)
      #expect((0.29...0.4).contains(seconds), "\(distance) rows in \(seconds) s")
    }
  }

  @Test func `Few rows take as many pictures, and no more time than many do`() throws {
    for distance in 1...60 {
      let count = rows(try #require(way(0, distance))).count
      #expect(count <= 21 && count >= min(distance, 10))
    }
  }

  @Test func `What is nowhere else is no way, and what is too far is none to follow`() {
    #expect(way(5, 5) == nil)
    #expect(way(0, 2999) != nil && way(0, 3000) == nil && way(9000, 0) == nil)
    #expect(way(.min, .max) == nil && way(.max, .min) == nil)
    #expect(way(0, 2, window: 0) != nil && way(0, 3, window: -5) == nil)
  }

  /// A monitor of 50 Hz, and times of its pictures.
  private static let period: UInt64 = 20_000_000
  private static let start: UInt64 = 1_000_000_000

  @Test func `Another end on the way is gone to from there, in time with the pictures before`() throws {
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
    // It comes two pictures too late.
    motion.stepped(at: Self.start + 6 * Self.period, hasVBlank: true)
    #expect(motion.missed == 2)
    #expect(back.row(after: motion.distance) == row - 40)
    #expect(motion.due(hasVBlank: false) == Self.start + 7 * Self.period)
  }

  @Test func `Without vertical blanks, steps before their time do not let the next ones wait for long`() {
    var motion = Motion(speed: 100, refresh: 50_000)
    for _ in 0..<50 { motion.stepped(at: Self.start, hasVBlank: false) }
    #expect(motion.due(hasVBlank: false) <= Self.start + 2 * Self.period)
    #expect(motion.missed == 0)
  }
}
