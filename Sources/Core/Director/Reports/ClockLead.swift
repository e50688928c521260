/// The lead of the wall clock over a clock that cannot be set, from which a change of the wall clock is detected.
struct ClockLead {
  /// The largest change that counts as drift or as the time between two readings, in milliseconds.
  static let tolerance: UInt64 = 1000

  private var last: Int64?

  /// Records the current lead.
  ///
  /// - Parameter lead: The lead, in milliseconds.
  /// - Returns: The time by which the wall clock was set since the last call, in milliseconds; nil if it was not.
  mutating func jump(to lead: Int64) -> Int64? {
    defer { last = lead }
    guard let last, (lead &- last).magnitude > Self.tolerance else { return nil }
    return lead &- last
  }
}
