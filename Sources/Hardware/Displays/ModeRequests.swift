package import Geometry

extension ModePolicy {
  /// Returns true if the mode satisfies this policy's explicit request.
  ///
  /// The size must be equal, and a requested refresh rate must be within 0.5 Hz. All other policies accept every mode.
  ///
  /// - Parameter mode: A mode of the monitor's list.
  /// - Returns: True if the mode satisfies the request.
  package func asks(for mode: Mode) -> Bool {
    guard case .explicit(let size, let refresh) = self else { return true }
    return mode.size == size && refresh.map { abs(mode.refresh - $0) <= Self.refreshTolerance } ?? true
  }
}

extension [Mode] {
  /// The modes that a user can request, in list order.
  ///
  /// Interlaced modes are included only if the list has no progressive mode. Modes with equal descriptions appear once.
  package var requestable: [Mode] {
    var known: Set<String> = []
    return usable.filter { known.insert($0.description).inserted }
  }

  /// Returns the requestable modes that are nearest to a size, then to a refresh rate.
  ///
  /// - Parameters:
  ///   - size: The requested size in pixels. The distance is the sum of the differences in width and height.
  ///   - refresh: The requested rate in thousandths of a hertz; nil for 60 Hz.
  ///   - most: The maximum number of modes.
  /// - Returns: The modes, the nearest first.
  package func nearest(to size: Size, refresh: Int?, most: Int) -> [Mode] {
    let distance = { (mode: Mode) in
      (
        abs(mode.size.width - size.width) + abs(mode.size.height - size.height),
        abs(mode.refresh - (refresh ?? 60_000))
      )
    }
    return Array(requestable.sorted { distance($0) < distance($1) }.prefix(most))
  }
}
