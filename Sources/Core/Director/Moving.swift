import Displays
import Layout
import Raster
import Scenes

/// An animation on an output. Pure: its position follows from the reported flips.
struct Moving: Hashable, Sendable {
  /// The path of the animation.
  enum Course: Hashable, Sendable {
    /// An endless scroll of a layer, which continues when something beside it changes.
    case endless(ScrollLayer)
    /// A scroll to a row.
    case glide(ScrollAnimation)
    /// A cross-fade to an item of a playlist.
    case fade(Fade)
  }

  private(set) var course: Course
  private(set) var motion: Motion
  /// The scroll distance in the newest painted frame, in pixels; in a cross-fade, the share of the new content.
  private(set) var painted = 0

  private init(_ course: Course, _ pace: Pace, refresh: Int) {
    self.course = course
    motion = Motion(pace, refresh: refresh)
  }

  /// Returns the animation of a view's next frame; nil if the layout is static.
  ///
  /// - Parameters:
  ///   - strip: The scroll layer of the layout.
  ///   - view: The painted view.
  ///   - position: The scroll distance on screen; nil if the layer is not on screen.
  ///   - last: The animation of the frame on screen.
  ///   - refresh: The refresh rate of the mode, in thousandths of a hertz.
  ///   - fades: Whether the view replaces what is on screen by a cross-fade, or is replacing it.
  /// - Returns: The animation; nil if the frame is static.
  static func next(
    _ strip: ScrollLayer?, of view: View, from position: Int?, after last: Moving?, refresh: Int, fades: Bool = false
  ) -> Moving? {
    if fades, let fade = view.fade {
      if let last, last.course == .fade(fade), !last.isOver { return last.stepping }
      let pace = Pace(over: CrossFade.full, milliseconds: fade.milliseconds, refresh: refresh)
      return Moving(.fade(fade), pace, refresh: refresh).stepping
    }
    guard let strip else { return nil }
    if let speed = strip.speed {
      var layer = strip
      layer.distance = 0
      let course = Course.endless(layer)
      if let last, last.course == course { return last.stepping }
      return Moving(course, Pace(speed: speed, refresh: refresh), refresh: refresh)
    }
    guard let position, position != strip.distance else { return nil }
    let last = last?.isFade ?? false ? nil : last
    if let last, last.end == strip.distance { return last.stepping }
    guard let glide = ScrollAnimation(from: position, to: strip.distance, window: strip.seen, refresh: refresh) else {
      return nil
    }
    guard var turned = last, turned.end != nil else {
      return Moving(.glide(glide), glide.pace, refresh: refresh).stepping
    }
    turned.course = .glide(glide)
    turned.motion.go(at: glide.pace)
    return turned.stepping
  }

  /// The animation with its next step painted.
  private var stepping: Moving {
    var next = self
    switch course {
    case .endless: next.painted = motion.distance
    case .glide(let glide): next.painted = glide.row(after: motion.distance)
    case .fade: next.painted = min(motion.distance, CrossFade.full)
    }
    return next
  }

  /// The row or the share at the end; nil for an endless scroll.
  private var end: Int? {
    switch course {
    case .endless: nil
    case .glide(let glide): glide.to
    case .fade: CrossFade.full
    }
  }

  /// Whether the animation is a cross-fade. The content can have an animation of its own, which begins afterwards.
  var isFade: Bool { if case .fade = course { true } else { false } }

  /// Whether the animation never ends.
  var isEndless: Bool { if case .endless = course { true } else { false } }

  /// The place of the newest painted frame.
  var position: Surface.Position { isFade ? .mixed(painted) : .scrolled(painted) }

  /// Whether the newest painted frame is the last one of the animation.
  var isOver: Bool { painted == end }

  /// Returns the animation of the next frame, if it is due immediately after the flip of the newest painted one. The
  /// result includes the number of frames missed before that flip; nil if the flip was the start of the animation.
  ///
  /// Returns nil if the animation is over, if it does not move in every frame, or if the flip has no time.
  func following(_ flip: Flip) -> (moving: Moving, missed: Int?)? {
    guard flip.sequence != 0, flip.time != 0 else { return nil }
    var next = self
    let missed = next.arrived(at: flip.time, hasVBlank: true)
    guard !next.isOver, next.motion.due(hasVBlank: true) == 0 else { return nil }
    return (next.stepping, missed)
  }

  /// Records the flip of the newest painted frame. Returns the number of frames missed before it; nil if it was the
  /// start of the animation, not a step.
  mutating func arrived(at time: UInt64, hasVBlank: Bool) -> Int? {
    if case .endless = course, painted == 0 { return nil }
    let before = motion.missed
    motion.stepped(at: time, hasVBlank: hasVBlank)
    return motion.missed - before
  }
}
