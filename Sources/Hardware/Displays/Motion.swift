/// The pace of an animation: a constant number of whole pixels for each step, so that the motion looks smooth.
package struct Pace: Hashable, Sendable {
  /// The number of pixels in a step, at least 1.
  package var pixels: Int
  /// The number of frames from one step to the next, at least 1.
  package var frames: Int

  /// Creates the pace that is nearest to a speed.
  ///
  /// - Parameters:
  ///   - speed: The speed in pixels per second.
  ///   - refresh: The refresh rate of the mode in thousandths of a hertz.
  package init(speed: Int, refresh: Int) {
    let (speed, refresh) = (max(1, speed), Pace.sound(refresh))
    let product = speed.multipliedReportingOverflow(by: 1000)
    let thousandths = product.overflow ? .max : product.partialValue
    pixels = max(1, thousandths / refresh + (thousandths % refresh * 2 >= refresh ? 1 : 0))
    frames = thousandths >= refresh ? 1 : max(1, (refresh + thousandths / 2) / thousandths)
  }

  /// Creates the slowest pace that covers a distance in about a time, with a step in each frame.
  ///
  /// - Parameters:
  ///   - distance: The distance in pixels.
  ///   - milliseconds: The time in milliseconds.
  ///   - refresh: The refresh rate of the mode in thousandths of a hertz.
  package init(over distance: Int, milliseconds: Int, refresh: Int) {
    let pictures = max(1, milliseconds * Pace.sound(refresh) / 1_000_000)
    pixels = max(1, distance / pictures + (distance % pictures > 0 ? 1 : 0))
    frames = 1
  }

  /// Returns the refresh rate in thousandths of a hertz, replaced by 60 Hz if it is outside 1 to 1000 Hz.
  static func sound(_ refresh: Int) -> Int { (1000...1_000_000).contains(refresh) ? refresh : 60_000 }
}

/// An animation on a lit display, in step with its vertical blanks.
///
/// Pure: times are nanoseconds of CLOCK_MONOTONIC.
///
/// The position follows from the number of frames that the monitor has shown according to the flip times, not from the
/// number of rendered frames. After a late frame the next one moves further, so the speed stays constant.
///
/// A driver with vertical blanks presents a frame at the next one, so each frame is requested right after the previous
/// flip. A driver without them sends each flip event at once with sequence number 0 (`drm_crtc_send_vblank_event`).
/// Frames are then requested by the clock, at the rate of the mode.
package struct Motion: Hashable, Sendable {
  /// The current pace.
  package private(set) var pace: Pace
  /// The number of missed frames, in which the previous frame stayed on screen.
  package private(set) var missed = 0

  /// The duration of a frame of the monitor, in nanoseconds.
  private let period: UInt64
  /// The number of the monitor's frame at the last flip, counted from the first step.
  private var frame = 0
  /// The time of that flip; nil before the first step.
  private var time: UInt64?

  /// Creates a motion at its start position.
  ///
  /// - Parameters:
  ///   - pace: The pace.
  ///   - refresh: The refresh rate of the mode in thousandths of a hertz.
  package init(_ pace: Pace, refresh: Int) {
    self.pace = pace
    period = 1_000_000_000_000 / UInt64(Pace.sound(refresh))
  }

  /// Creates a motion at its start position.
  ///
  /// - Parameters:
  ///   - speed: The approximate speed in pixels per second.
  ///   - refresh: The refresh rate of the mode in thousandths of a hertz.
  package init(speed: Int, refresh: Int) { self.init(Pace(speed: speed, refresh: refresh), refresh: refresh) }

  /// Restarts the motion at another pace and keeps the frame timing.
  ///
  /// The next frame is due when it was before, and frames that are missed until then count for the new pace.
  ///
  /// - Parameter pace: The new pace.
  package mutating func go(at pace: Pace) {
    self.pace = pace
    frame = 0
  }

  /// The position of the next frame to render, in pixels from the start.
  package var distance: Int { (time == nil ? 1 : frame / pace.frames + 1) * pace.pixels }

  /// Records that the frame at `distance` was presented.
  ///
  /// - Parameters:
  ///   - now: The time of the flip.
  ///   - hasVBlank: True if the driver has vertical blanks.
  package mutating func stepped(at now: UInt64, hasVBlank: Bool) {
    guard let before = time else {
      (frame, time) = (pace.frames, now)
      return
    }
    let aim = (frame / pace.frames + 1) * pace.frames
    let pictures = now > before ? Int(min((now - before &+ period / 2) / period, 1 << 32)) : 0
    // A presented step is done, whatever the times say. Otherwise the motion could stop, or request frames without end.
    let passed = max(pictures, aim - frame)
    frame += passed
    // With vertical blanks, follow the monitor's clock. Without them, keep the intervals equal, and do not let frames
    // that were requested early accumulate a delay for the next ones.
    let next = min(before &+ UInt64(passed) &* period, now &+ UInt64(pace.frames) &* period)
    time = hasVBlank || pictures > 2 * pace.frames ? now : next
    missed += (frame - aim) / pace.frames
  }

  /// Returns the time at which to request the next frame.
  ///
  /// - Parameter hasVBlank: True if the driver has vertical blanks.
  /// - Returns: The time in nanoseconds of CLOCK_MONOTONIC; 0 to request it at once.
  package func due(hasVBlank: Bool) -> UInt64 {
    guard let time else { return 0 }
    let left = UInt64((frame / pace.frames + 1) * pace.frames - frame)
    if !hasVBlank { return time &+ left &* period }
    // A quarter period after the preceding vertical blank: in time for the intended one and too late for that one.
    return left > 1 ? time &+ (left - 1) &* period &+ period / 4 : 0
  }
}
