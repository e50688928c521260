import Geometry

extension ModePolicy {
  /// What to try in turn when the hardware refuses `mode`: each other usable mode, once.
  ///
  /// Same size at other rates (the nearest first), then smaller sizes of the same aspect ratio (the largest first),
  /// then any smaller size, then any larger one, the smallest first. Width counts, not only bandwidth: planes have
  /// limits of their own, so going down in rate alone is not enough.
  public func ladder(from modes: [Mode], below mode: Mode) -> [ModeChoice.Candidate] {
    let others = modes.filter { $0 != mode }
    let rungs = others.enumerated().map { (rung: Rung($1, mode), place: $0, mode: $1) }
    let ranked = rungs.sorted { $0.rung != $1.rung ? $0.rung < $1.rung : $0.place < $1.place }
    return ranked.map { rung, _, candidate in
      ModeChoice.Candidate(
        mode: candidate, scale: scale(for: candidate.size), reason: rung.reason(against: mode))
    }
  }
}

/// Where a mode stands on the ladder below another: the smaller, the earlier.
private struct Rung: Comparable {
  enum Step: Int { case sameSize, sameAspect, smaller, larger }

  var step: Step
  var area: Int
  var distance: Int
  var slowness: Int

  init(_ candidate: Mode, _ refused: Mode) {
    let isSmaller = candidate.size.area < refused.size.area
    if candidate.size == refused.size {
      step = .sameSize
    } else if isSmaller {
      step = candidate.size.hasAspect(of: refused.size) ? .sameAspect : .smaller
    } else {
      step = .larger
    }
    area = isSmaller ? -candidate.size.area : candidate.size.area
    distance = abs(candidate.refresh - refused.refresh)
    slowness = -candidate.refresh
  }

  private var key: (Int, Int, Int, Int) { (step.rawValue, area, distance, slowness) }

  static func < (one: Rung, two: Rung) -> Bool { one.key < two.key }

  func reason(against refused: Mode) -> String {
    switch step {
    case .sameSize: "the same size as \(refused) at another rate"
    case .sameAspect: "smaller than \(refused.size), of the same shape"
    case .smaller: "smaller than \(refused.size), of another shape"
    case .larger: "not smaller than \(refused.size); the last resort"
    }
  }
}
