import Geometry

extension ModePolicy {
  /// Returns the fallback modes to try in turn if the hardware rejects a mode.
  ///
  /// First come modes of the same size at other rates, the nearest first. Smaller ones of the same aspect ratio follow,
  /// then all other smaller ones, the largest first. Larger modes come last, the smallest first. A lower rate alone may
  /// not help, because planes limit the width as well as the bandwidth.
  ///
  /// - Parameters:
  ///   - modes: The usable modes.
  ///   - mode: The rejected mode.
  /// - Returns: All other modes, each once.
  package func ladder(from modes: [Mode], below mode: Mode) -> [ModeChoice.Candidate] {
    let others = modes.filter { $0 != mode }
    let rungs = others.enumerated().map { (rung: FallbackRank($1, mode), place: $0, mode: $1) }
    let ranked = rungs.sorted { $0.rung != $1.rung ? $0.rung < $1.rung : $0.place < $1.place }
    return ranked.map { rung, _, candidate in
      ModeChoice.Candidate(
        mode: candidate, scale: scale(for: candidate.size), reason: rung.reason(against: mode))
    }
  }
}

/// The rank of a fallback mode; the lowest is tried first.
private struct FallbackRank: Comparable {
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

  static func < (one: FallbackRank, two: FallbackRank) -> Bool { one.key < two.key }

  func reason(against refused: Mode) -> String {
    switch step {
    case .sameSize: "the same size as \(refused) at another rate"
    case .sameAspect: "smaller than \(refused.size), with the same aspect ratio"
    case .smaller: "smaller than \(refused.size), with another aspect ratio"
    case .larger: "not smaller than \(refused.size): the last resort"
    }
  }
}
