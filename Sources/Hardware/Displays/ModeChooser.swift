import Geometry

extension ModePolicy {
  /// Chooses a mode from a connector's list.
  ///
  /// The decision starts from the mode that the monitor prefers: the largest, then the fastest of several, as in
  /// `drm_mode_sort()`. The position in the list does not matter. Without a preferred mode, the list is ranked by area,
  /// then refresh rate. Without an EDID the list is the kernel's guess, so the limit is then 1920x1080. Interlaced
  /// modes are used only if the monitor lists no progressive mode, because a flickering image is better than none.
  /// Modes above `FrameLimits` are never used.
  ///
  /// - Parameters:
  ///   - modes: The connector's modes, in the kernel's order.
  ///   - isEDIDPresent: True if the list comes from the monitor's EDID.
  /// - Throws: `NoUsableMode` if each mode has a flaw.
  /// - Returns: The chosen mode with its fallback modes.
  package func choose(from modes: [Mode], isEDIDPresent: Bool) throws(NoUsableMode) -> ModeChoice {
    let usable = modes.usable
    guard let start = Start(usable, of: modes, isEDIDPresent: isEDIDPresent) else {
      throw NoUsableMode(modes)
    }
    let pick = pick(from: usable, start: start)
    return ModeChoice(
      mode: pick.mode, scale: pick.scale, reasons: start.reasons + pick.reasons,
      rejected: rejections(of: modes, start: start.mode, chosen: pick.mode),
      ladder: ladder(from: usable, below: pick.mode), isProvisional: !isEDIDPresent)
  }

  private typealias Pick = (mode: Mode, scale: Int, reasons: [String])

  private func pick(from usable: [Mode], start: Start) -> Pick {
    if case .explicit(let size, let refresh) = self {
      return explicitPick(size, refresh, from: usable, start: start)
    }
    let preferred = start.mode
    if self == .native, preferred.size.is4KClass {
      let scale = scale(for: preferred.size)
      return (
        preferred, scale, ["policy native uses it; \(preferred.size) is 4K class, so it is drawn at scale \(scale)"]
      )
    }
    guard halves(preferred.size) else {
      return (preferred, 1, ["\(preferred.size) is readable without scaling (policy \(self))"])
    }
    return halvedPick(from: usable, preferred: preferred)
  }

  private func halvedPick(from usable: [Mode], preferred: Mode) -> Pick {
    let large = "\(preferred.size) is " + (preferred.size.is4KClass ? "4K class" : "larger than 1920x1080")
    let whole = scale(for: preferred.size)
    guard let half = preferred.size.half else {
      return (preferred, whole, ["\(large) and cannot be halved, so it is kept and drawn at scale \(whole)"])
    }
    let halves = usable.filter { $0.size == half && $0.refresh >= Self.slowestHalf }
    guard let mode = halves.nearest(to: preferred.refresh) else {
      let found = usable.contains { $0.size == half } ? "\(half) is listed only below 49 Hz" : "\(half) is not listed"
      return (preferred, whole, ["\(large) and \(found), so it is kept and drawn at scale \(whole)"])
    }
    let taken = "\(large), so exactly half of it is used: \(mode) has the nearest rate to \(preferred)"
    // Half of 8K is still 4K class.
    let scale = scale(for: half)
    return scale == 1 ? (mode, 1, [taken]) : (mode, scale, ["\(taken), drawn at scale \(scale)"])
  }

  private func explicitPick(_ size: Size, _ refresh: Int?, from usable: [Mode], start: Start) -> Pick {
    let ofSize = usable.filter { $0.size == size }
    let near = ofSize.filter { mode in refresh.map { abs(mode.refresh - $0) <= Self.refreshTolerance } ?? true }
    let steady = near.filter { refresh != nil || $0.refresh >= Self.slowestHalf }
    guard let mode = (steady.isEmpty ? near : steady).nearest(to: refresh ?? start.mode.refresh) else {
      let fallback = ModePolicy.legible.pick(from: usable, start: start)
      let missing = ofSize.isEmpty ? "is not listed" : "is listed only at other rates"
      return (
        fallback.mode, fallback.scale,
        ["\(self) was requested but \(missing): policy legible decides"]
          + fallback.reasons
      )
    }
    let scale = scale(for: size)
    return (mode, scale, ["\(self) was requested: \(mode)" + (scale > 1 ? ", drawn at scale \(scale)" : "")])
  }
}

extension Mode {
  /// The reason that no policy can choose the mode; nil for a usable mode.
  ///
  /// Corrupt descriptors produce modes such as 0x768.
  var flaw: String? {
    if size.width <= 0 || size.height <= 0 || refresh <= 0 { return "has no pixels or no rate" }
    return FrameLimits.refusal(of: size)
  }
}

extension [Mode] {
  /// The modes that can be chosen: those without a flaw, interlaced ones only if there is no progressive one.
  var usable: [Mode] {
    let sound = filter { $0.flaw == nil }
    let progressive = sound.filter { !$0.isInterlaced }
    return progressive.isEmpty ? sound : progressive
  }

  /// Returns the mode with the nearest rate.
  ///
  /// Ties go to the faster one, then to the first.
  func nearest(to refresh: Int) -> Mode? {
    self.min { one, two in
      let (a, b) = (abs(one.refresh - refresh), abs(two.refresh - refresh))
      return a != b ? a < b : one.refresh > two.refresh
    }
  }

  /// The mode with the largest area.
  ///
  /// Ties go to the fastest one, then to the first.
  var largest: Mode? {
    self.min { one, two in
      one.size.area != two.size.area ? one.size.area > two.size.area : one.refresh > two.refresh
    }
  }
}

extension NoUsableMode {
  /// Creates the error for a list without a usable mode.
  ///
  /// - Parameter modes: All modes that the monitor lists; each has a flaw.
  package init(_ modes: [Mode]) {
    let rejected = modes.compactMap { mode in mode.flaw.map { ModeChoice.Rejection(mode: mode, reason: $0) } }
    let tooLarge = modes.filter { $0.size.shortSide > 0 && $0.refresh > 0 }
      .compactMap { FrameLimits.refusal(of: $0.size) }
    let reason =
      modes.isEmpty
      ? "the monitor lists no modes (yet)"
      : "none of the \(modes.count) modes can be used: "
        + (tooLarge.first ?? "none has both a size and a refresh rate")
    self.init(reasons: [reason], rejected: rejected)
  }
}

/// The mode that the decision starts from: the monitor's preference, before the policy is applied.
private struct Start {
  var mode: Mode
  var reasons: [String]

  init?(_ usable: [Mode], of all: [Mode], isEDIDPresent: Bool) {
    reasons = isEDIDPresent ? [] : ["there is no EDID yet: the choice is provisional until one is read"]
    if let mode = all.first(where: \.isPreferred), let flaw = mode.flaw {
      reasons.append("the monitor prefers \(mode), which cannot be used: \(flaw)")
    }
    if usable.first?.isInterlaced == true {
      reasons.append("the monitor lists only interlaced modes: the image may flicker")
    }
    if let preferred = usable.filter(\.isPreferred).largest {
      mode = preferred
      reasons.append("the monitor prefers \(preferred)")
    } else if let woven = all.first(where: { $0.isPreferred && $0.isInterlaced }),
      let whole = usable.filter({ $0.size == woven.size }).nearest(to: woven.refresh)
    {
      mode = whole
      reasons.append("the monitor prefers \(woven), which is interlaced; \(whole) has the same size and is progressive")
    } else if let ranked = Self.ranked(usable, isEDIDPresent: isEDIDPresent) {
      mode = ranked
      let rank = isEDIDPresent ? "the largest, then the fastest" : "the largest up to 1920x1080"
      reasons.append("no usable mode is preferred; \(ranked) is \(rank)")
    } else {
      return nil
    }
  }

  private static func ranked(_ usable: [Mode], isEDIDPresent: Bool) -> Mode? {
    if isEDIDPresent { return usable.largest }
    // The kernel invents this list (`drm_add_modes_noedid()`), so a large mode may not work.
    let modest = usable.filter { !$0.size.isAbove1080p }
    guard let size = modest.largest?.size else { return usable.min { $0.size.area < $1.size.area } }
    return modest.filter { $0.size == size }.nearest(to: 60_000)
  }
}
