import Geometry

extension ModePolicy {
  /// Returns all modes of the list except the chosen one, with the reasons against them, in list order.
  func rejections(of modes: [Mode], start: Mode, chosen: Mode) -> [ModeChoice.Rejection] {
    var rest = modes
    if let index = rest.firstIndex(of: chosen) { rest.remove(at: index) }
    // Most modes have one of these reasons. A list can have a hundred modes.
    let (larger, smaller) = (
      "larger than \(chosen.size), and not preferred by the monitor", "smaller than \(chosen.size)"
    )
    return rest.map { mode in
      let reason = verdict(on: mode, start: start, chosen: chosen)
      return ModeChoice.Rejection(
        mode: mode, reason: reason ?? (mode.size.area > chosen.size.area ? larger : smaller))
    }
  }

  /// Returns the reason against a mode; nil if it is only its size.
  private func verdict(on mode: Mode, start: Mode, chosen: Mode) -> String? {
    if mode.isInterlaced, !chosen.isInterlaced { return "interlaced: flickers" }
    if let flaw = mode.flaw { return flaw }
    if mode.size == chosen.size { return sameSizeVerdict(on: mode, start: start, chosen: chosen) }
    if mode == start { return halvedVerdict(on: mode) }
    if chosen.size == start.size.half, mode.size.area > chosen.size.area, mode.size != start.size {
      return "not exactly half of \(start.size): the monitor would blur it"
    }
    return nil
  }

  private func halvedVerdict(on mode: Mode) -> String {
    switch self {
    case .explicit: "preferred by the monitor, but another mode was requested"
    case .legible where mode.size.is4KClass: "4K class: text would be too small"
    default: "larger than policy \(self) allows when half of it is listed"
    }
  }

  private func sameSizeVerdict(on mode: Mode, start: Mode, chosen: Mode) -> String {
    if mode.refresh == chosen.refresh { return "the same size and rate as the chosen mode" }
    if mode.refresh < Self.slowestHalf { return "slower than 49 Hz" }
    if chosen.size == start.size { return "the monitor prefers \(chosen)" }
    return "\(chosen) is closer to the rate of \(start)"
  }
}
