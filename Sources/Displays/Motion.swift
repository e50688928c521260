/// How something moves over a display that shows so many pictures a second: by whole pixels, as many each time, so that
/// the eye sees no trembling.
public struct Pace: Hashable, Sendable {
  /// Pixels of a step, 1 or more.
  public var pixels: Int
  /// Pictures from one step to the next, 1 or more.
  public var frames: Int

  /// The pace that comes next to a speed in pixels a second; `refresh` is in thousandths of a hertz, as a mode has it.
  public init(speed: Int, refresh: Int) {
    let (speed, refresh) = (max(1, speed), Pace.sound(refresh))
    let product = speed.multipliedReportingOverflow(by: 1000)
    let thousandths = product.overflow ? .max : product.partialValue
    pixels = max(1, thousandths / refresh + (thousandths % refresh * 2 >= refresh ? 1 : 0))
    frames = thousandths >= refresh ? 1 : max(1, (refresh + thousandths / 2) / thousandths)
  }

  /// The slowest pace that covers a distance in no more than about so many milliseconds, in each picture.
  init(over distance: Int, milliseconds: Int, refresh: Int) {
    let pictures = max(1, milliseconds * Pace.sound(refresh) / 1_000_000)
    pixels = max(1, distance / pictures + (distance % pictures > 0 ? 1 : 0))
    frames = 1
  }

  /// Where a mode says no rate that there is, it is taken for one of 60 Hz.
  static func sound(_ refresh: Int) -> Int { (1000...1_000_000).contains(refresh) ? refresh : 60_000 }
}

/// Something that moves over a lit display, in time with its vertical blanks. Pure: times are nanoseconds of
/// CLOCK_MONOTONIC.
///
/// How far it is follows from how many pictures the monitor has shown, by the times of the flips, and not from how many were
/// painted: where one comes too late, what moves is further with the next one, and no slower.
///
/// A driver with vertical blanks takes a picture at the next one: it is asked for as soon as the one before is there. One
/// without them tells each flip at once, with the sequence number 0 (drm_crtc_send_vblank_event): there the pictures are asked
/// for by the clock, as often as the mode has them.
public struct Motion: Hashable, Sendable {
  /// How it moves.
  public private(set) var pace: Pace
  /// How many pictures were missed: the one before stood for longer.
  public private(set) var missed = 0

  /// Nanoseconds from one picture of the monitor to the next.
  private let period: UInt64
  /// The monitor's picture that the last flip brought, counted from the first step on.
  private var frame = 0
  /// When that was; nil before the first step.
  private var time: UInt64?

  /// Something that stands still at its beginning.
  public init(_ pace: Pace, refresh: Int) {
    self.pace = pace
    period = 1_000_000_000_000 / UInt64(Pace.sound(refresh))
  }

  /// Something that stands still at its beginning, and goes about so many pixels a second then.
  public init(speed: Int, refresh: Int) { self.init(Pace(speed: speed, refresh: refresh), refresh: refresh) }

  /// Begins anew at another pace, in the time that it is in: the next picture is due when it was, and what is missed
  /// before it counts.
  public mutating func go(at pace: Pace) {
    self.pace = pace
    frame = 0
  }

  /// How far it is in the picture to be painted next, in pixels from the beginning.
  public var distance: Int { (time == nil ? 1 : frame / pace.frames + 1) * pace.pixels }

  /// The picture of `distance` came to the glass.
  public mutating func stepped(at now: UInt64, hasVBlank: Bool) {
    guard let before = time else {
      (frame, time) = (pace.frames, now)
      return
    }
    let aim = (frame / pace.frames + 1) * pace.frames
    let pictures = now > before ? Int(min((now - before &+ period / 2) / period, 1 << 32)) : 0
    // A step that is on the glass is done, whatever the times say: nothing may stand still, or be asked for without end.
    let passed = max(pictures, aim - frame)
    frame += passed
    // The monitor's own clock is the one to follow; where there is none, steps are to be as long as each other. Those
    // that were asked for before their time must not let the next ones wait for all that they came too early.
    let next = min(before &+ UInt64(passed) &* period, now &+ UInt64(pace.frames) &* period)
    time = hasVBlank || pictures > 2 * pace.frames ? now : next
    missed += (frame - aim) / pace.frames
  }

  /// When the next picture is to be asked for; 0 for at once.
  public func due(hasVBlank: Bool) -> UInt64 {
    guard let time else { return 0 }
    let left = UInt64((frame / pace.frames + 1) * pace.frames - frame)
    if !hasVBlank { return time &+ left &* period }
    // A quarter after the blank before: early enough, and not too early for that one.
    return left > 1 ? time &+ (left - 1) &* period &+ period / 4 : 0
  }
}
