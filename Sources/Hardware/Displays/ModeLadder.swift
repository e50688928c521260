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
    // Ranks are sorted instead of modes, and reasons are shared: a list can have a hundred modes, and a monitor that was
    // just plugged in waits for this.
    let ranks = others.map { FallbackRank($0, mode) }
    let order = ranks.indices.sorted { ranks[$0] != ranks[$1] ? ranks[$0] < ranks[$1] : $0 < $1 }
    let reasons = FallbackRank.Step.allCases.map { $0.reason(against: mode) }
    return order.map { index in
      ModeChoice.Candidate(
        mode: others[index], scale: scale(for: others[index].size), reason: reasons[ranks[index].step.rawValue])
    }
  }
}

/// The rank of a fallback mode; the lowest is tried first.
private struct FallbackRank: Comparable {
  enum Step: Int, CaseIterable {
    case sameSize, sameAspect, smaller, larger

    func reason(against refused: Mode) -> String {
      switch self {
      case .sameSize: "the same size as \(refused) at another rate"
      case .sameAspect: "smaller than \(refused.size), with the same aspect ratio"
      case .smaller: "smaller than \(refused.size), with another aspect ratio"
      case .larger: "not smaller than \(refused.size): the last resort"
      }
    }
  }

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
}
