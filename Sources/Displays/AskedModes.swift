public import Geometry

extension ModePolicy {
  /// Whether a mode is what is asked for: an explicit size, and its rate where that is said. Other policies take any.
  public func asks(for mode: Mode) -> Bool {
    guard case .explicit(let size, let refresh) = self else { return true }
    return mode.size == size && refresh.map { abs(mode.refresh - $0) <= Self.refreshTolerance } ?? true
  }
}

extension [Mode] {
  /// The modes that somebody can ask for, in the list's order: what is interlaced or empty is left out, and of those that
  /// are written alike all but the first.
  public var choosable: [Mode] {
    var known: Set<String> = []
    return usable.filter { known.insert($0.description).inserted }
  }

  /// So many of the modes that somebody can ask for, the nearest to a size first; then to a rate in thousandths of a
  /// hertz, 60 Hz with nil.
  public func nearest(to size: Size, refresh: Int?, most: Int) -> [Mode] {
    let distance = { (mode: Mode) in
      (
        abs(mode.size.width - size.width) + abs(mode.size.height - size.height),
        abs(mode.refresh - (refresh ?? 60_000))
      )
    }
    return Array(choosable.sorted { distance($0) < distance($1) }.prefix(most))
  }
}
