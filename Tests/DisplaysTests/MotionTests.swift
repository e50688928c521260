import Displays
import Testing

/// How what moves goes on: whole pixels, in time with the monitor.
struct MotionTests {
  @Test(arguments: [
    (60, 60_000, 1, 1), (120, 60_000, 2, 1), (130, 60_000, 2, 1), (151, 60_000, 3, 1), (180, 59_940, 3, 1),
    (400, 60_000, 7, 1), (10, 60_000, 1, 6), (25, 60_000, 1, 2), (45, 60_000, 1, 1), (180, 75_000, 2, 1),
    (180, 144_000, 1, 1), (1, 60_000, 1, 60), (0, 60_000, 1, 60), (180, 0, 3, 1),
    (Int.max, 50_000, Int.max / 50_000, 1),
  ])
  func `A pace is whole pixels each picture, or a pixel each few pictures`(
    speed: Int, refresh: Int, pixels: Int, frames: Int
  ) {
    let pace = Pace(speed: speed, refresh: refresh)
    if speed == .max {
      #expect(pace.pixels > 1 << 40 && pace.frames == 1)
    } else {
      #expect(pace.pixels == pixels && pace.frames == frames)
    }
  }

  /// A monitor of 50 Hz, and times of its pictures.
  private static let period: UInt64 = 20_000_000
  private static let start: UInt64 = 1_000_000_000

  @Test func `Each picture is a step further`() {
    var motion = Motion(speed: 100, refresh: 50_000)
    for picture in 0..<5 as Range<UInt64> {
      #expect(motion.distance == 2 * Int(picture + 1))
      #expect(motion.due(hasVBlank: true) == 0, "it is asked for at once, and comes with the next vertical blank")
      motion.stepped(at: Self.start + picture * Self.period, hasVBlank: true)
    }
    #expect(motion.missed == 0)
  }

  @Test func `A picture that comes late is missed, and what follows is as far as if it had come`() {
    var motion = Motion(speed: 100, refresh: 50_000)
    motion.stepped(at: Self.start, hasVBlank: true)
    motion.stepped(at: Self.start + 3 * Self.period, hasVBlank: true)
    #expect(motion.missed == 2)
    #expect(motion.distance == 2 * 5)
    motion.stepped(at: Self.start + 4 * Self.period + 300_000, hasVBlank: true)
    #expect(motion.missed == 2 && motion.distance == 2 * 6)
  }

  @Test func `A mode whose rate is not quite what it says is followed by its own clock`() {
    var motion = Motion(speed: 100, refresh: 50_000)
    for picture in 0..<100_000 as Range<UInt64> {
      motion.stepped(at: Self.start + picture * (Self.period + 40_000), hasVBlank: true)
    }
    #expect(motion.missed == 0 && motion.distance == 2 * 100_001)
  }

  @Test func `What is slow has a step each few pictures, and waits in between`() {
    var motion = Motion(speed: 10, refresh: 50_000)
    #expect(motion.pace.frames == 5)
    motion.stepped(at: Self.start, hasVBlank: true)
    #expect(motion.distance == 2)
    let due = motion.due(hasVBlank: true)
    #expect(due > Self.start + 4 * Self.period && due < Self.start + 5 * Self.period)
    motion.stepped(at: Self.start + 5 * Self.period, hasVBlank: true)
    #expect(motion.distance == 3 && motion.missed == 0)
    motion.stepped(at: Self.start + 16 * Self.period, hasVBlank: true)
    #expect(motion.distance == 5 && motion.missed == 1)
  }

  @Test func `Without vertical blanks it keeps to the clock, and is not slowed by late timers`() {
    var motion = Motion(speed: 100, refresh: 50_000)
    motion.stepped(at: Self.start, hasVBlank: false)
    for picture in 1..<1000 as Range<UInt64> {
      #expect(motion.due(hasVBlank: false) == Self.start + picture * Self.period)
      motion.stepped(at: Self.start + picture * Self.period + 3_000_000, hasVBlank: false)
    }
    #expect(motion.missed == 0 && motion.distance == 2 * 1001)
    motion.stepped(at: Self.start + 1002 * Self.period, hasVBlank: false)
    #expect(motion.missed == 2 && motion.due(hasVBlank: false) > Self.start + 1002 * Self.period)
  }

  @Test(arguments: [true, false])
  func `Whatever the times are, each step goes on`(hasVBlank: Bool) {
    var motion = Motion(speed: 30, refresh: 60_000)
    var last = motion.distance
    for time in [5, 5, 4, 0, 0, UInt64.max, 1, Self.start, Self.start, Self.start + 1] {
      motion.stepped(at: time, hasVBlank: hasVBlank)
      #expect(motion.distance > last)
      last = motion.distance
    }
  }
}
