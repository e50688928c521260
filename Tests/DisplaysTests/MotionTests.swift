import Displays
import Testing

/// Motion advances by whole pixels in the rhythm of the monitor.
struct MotionTests {
  @Test(arguments: [
    (60, 60_000, 1, 1), (120, 60_000, 2, 1), (130, 60_000, 2, 1), (151, 60_000, 3, 1), (180, 59_940, 3, 1),
    (400, 60_000, 7, 1), (10, 60_000, 1, 6), (25, 60_000, 1, 2), (45, 60_000, 1, 1), (180, 75_000, 2, 1),
    (180, 144_000, 1, 1), (1, 60_000, 1, 60), (0, 60_000, 1, 60), (180, 0, 3, 1),
    (Int.max, 50_000, Int.max / 50_000, 1),
  ])
  func `A pace is whole pixels per frame, or one pixel every few frames`(
    speed: Int, refresh: Int, pixels: Int, frames: Int
  ) {
    let pace = Pace(speed: speed, refresh: refresh)
    if speed == .max {
      #expect(pace.pixels > 1 << 40 && pace.frames == 1)
    } else {
      #expect(pace.pixels == pixels && pace.frames == frames)
    }
  }

  /// The frame period of a 50 Hz monitor, and the time of the first frame.
  private static let period: UInt64 = 20_000_000
  private static let start: UInt64 = 1_000_000_000

  @Test func `Each frame advances by one step`() {
    var motion = Motion(speed: 100, refresh: 50_000)
    for picture in 0..<5 as Range<UInt64> {
      #expect(motion.distance == 2 * Int(picture + 1))
      #expect(
        motion.due(hasVBlank: true) == 0, "the frame is requested immediately and presented at the next vertical blank")
      motion.stepped(at: Self.start + picture * Self.period, hasVBlank: true)
    }
    #expect(motion.missed == 0)
  }

  @Test func `A late frame is dropped, and the next one is where it would have been without the delay`() {
    var motion = Motion(speed: 100, refresh: 50_000)
    motion.stepped(at: Self.start, hasVBlank: true)
    motion.stepped(at: Self.start + 3 * Self.period, hasVBlank: true)
    #expect(motion.missed == 2)
    #expect(motion.distance == 2 * 5)
    motion.stepped(at: Self.start + 4 * Self.period + 300_000, hasVBlank: true)
    #expect(motion.missed == 2 && motion.distance == 2 * 6)
  }

  @Test func `The measured frame time is used for a mode with an inexact nominal rate`() {
    var motion = Motion(speed: 100, refresh: 50_000)
    for picture in 0..<100_000 as Range<UInt64> {
      motion.stepped(at: Self.start + picture * (Self.period + 40_000), hasVBlank: true)
    }
    #expect(motion.missed == 0 && motion.distance == 2 * 100_001)
  }

  @Test func `A slow speed has a step every few frames and pauses in between`() {
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

  @Test func `Without vertical blanks, motion follows the clock and late timers do not slow it down`() {
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
  func `For any times, each step advances`(hasVBlank: Bool) {
    var motion = Motion(speed: 30, refresh: 60_000)
    var last = motion.distance
    for time in [5, 5, 4, 0, 0, UInt64.max, 1, Self.start, Self.start, Self.start + 1] {
      motion.stepped(at: time, hasVBlank: hasVBlank)
      #expect(motion.distance > last)
      last = motion.distance
    }
  }
}
