import Displays
import Layout
import Scenes

/// What moves on an output. Pure: how far it is follows from the flips that it is told of.
struct Moving: Hashable, Sendable {
  /// Where it goes.
  enum Course: Hashable, Sendable {
    /// On and on, in a view that is known, at so many pixels of the display a second.
    case endless(View, speed: Int)
    /// To a row.
    case glide(ScrollAnimation)
  }

  private(set) var course: Course
  private(set) var motion: Motion
  /// How far it is in the picture that was painted last, in pixels from its beginning.
  private(set) var painted = 0

  private init(_ course: Course, _ pace: Pace, refresh: Int) {
    self.course = course
    motion = Motion(pace, refresh: refresh)
  }

  /// What moves in the next picture of a view, and how far; nil where all stands still as it was laid out.
  ///
  /// - Parameters:
  ///   - strip: What of the picture can move, as it was laid out.
  ///   - view: What is painted.
  ///   - glass: How far the strip has gone on the glass; nil where no picture of it is there.
  ///   - last: What moved in the picture on the glass.
  ///   - refresh: The mode's, in thousandths of a hertz.
  /// - Returns: Nil where nothing moves.
  static func next(_ strip: ScrollLayer?, of view: View, from glass: Int?, after last: Moving?, refresh: Int) -> Moving?
  {
    guard let strip else { return nil }
    if let speed = strip.speed {
      let course = Course.endless(view, speed: speed)
      if let last, last.course == course { return last.stepping }
      return Moving(course, Pace(speed: speed, refresh: refresh), refresh: refresh)
    }
    guard let glass, glass != strip.distance else { return nil }
    if let last, last.end == strip.distance { return last.stepping }
    guard let glide = ScrollAnimation(from: glass, to: strip.distance, window: strip.seen, refresh: refresh) else {
      return nil
    }
    guard var turned = last, turned.end != nil else {
      return Moving(.glide(glide), glide.pace, refresh: refresh).stepping
    }
    turned.course = .glide(glide)
    turned.motion.go(at: glide.pace)
    return turned.stepping
  }

  /// With the next step painted.
  private var stepping: Moving {
    var next = self
    switch course {
    case .endless: next.painted = motion.distance
    case .glide(let glide): next.painted = glide.row(after: motion.distance)
    }
    return next
  }

  /// Where it ends; nil for nowhere.
  private var end: Int? {
    if case .glide(let glide) = course { glide.to } else { nil }
  }

  /// Whether the picture that was painted last is the end of its way.
  var isOver: Bool { painted == end }

  /// What moves in the next picture, which is due at once after a flip brought the one that was painted last; with how many
  /// were missed before that one. nil where it is at its end, where it moves with some of the pictures only, and where the
  /// flip does not say when it was.
  func following(_ flip: Flip) -> (moving: Moving, missed: Int?)? {
    guard flip.sequence != 0, flip.time != 0 else { return nil }
    var next = self
    let missed = next.arrived(at: flip.time, hasVBlank: true)
    guard !next.isOver, next.motion.due(hasVBlank: true) == 0 else { return nil }
    return (next.stepping, missed)
  }

  /// The picture that was painted last came to the glass. Answers how many were missed before it; nil where that was the
  /// beginning, and no step.
  mutating func arrived(at time: UInt64, hasVBlank: Bool) -> Int? {
    if case .endless = course, painted == 0 { return nil }
    let before = motion.missed
    motion.stepped(at: time, hasVBlank: hasVBlank)
    return motion.missed - before
  }
}
