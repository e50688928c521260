/// Uevents of the guest's kernel.
extension Lab {
  /// All uevents since the agent started, oldest first.
  ///
  /// In a guest with systemd, the agent misses the earliest ones.
  public var uevents: [Uevent] {
    get throws(LabError) { try eventChannel().uevents }
  }

  /// The number of uevents so far.
  ///
  /// Read it before an action, and pass it to `waitForUevent(from:)` afterwards.
  public var ueventCount: Int {
    get throws(LabError) {
      let channel = try eventChannel()
      // The agent answers in order: with its reply to the clock request, all earlier uevents have arrived.
      _ = try channel.clock(until: Deadline(in: .seconds(20)))
      return channel.uevents.count
    }
  }

  /// Waits for a matching uevent.
  ///
  /// - Parameters:
  ///   - first: The index of the first uevent to consider. Uevents from before this call count as well.
  ///   - within: The time limit.
  ///   - matches: The predicate.
  /// - Throws: `LabError` if no uevent matches in time.
  /// - Returns: The first matching uevent.
  public func waitForUevent(
    from first: Int, within: Duration, where matches: (Uevent) -> Bool
  ) throws(LabError) -> Uevent {
    let channel = try eventChannel()
    if let found = channel.waitForUevent(from: first, until: Deadline(in: within), where: matches) {
      return found.event
    }
    let since = channel.uevents.dropFirst(first).suffix(12).map { "\n  \($0)" }.joined()
    throw LabError(
      .timeout,
      "no such uevent within \(within.formatted); \(since.isEmpty ? "there were none" : "there were:" + since)")
  }

  /// Calls `body` for each uevent, until it returns false or the guest ends.
  ///
  /// - Parameters:
  ///   - fromStart: Whether to include all uevents since the agent started.
  ///   - body: The function that handles a uevent and returns whether to continue.
  /// - Throws: `LabError` if the agent does not answer.
  public func followUevents(fromStart: Bool, _ body: (Uevent) -> Bool) throws(LabError) {
    let channel = try eventChannel()
    // The agent answers in order: with its reply to the clock request, all earlier uevents have arrived.
    _ = try channel.clock(until: Deadline(in: .seconds(20)))
    var number = fromStart ? 0 : channel.uevents.count
    while let next = channel.waitForUevent(from: number, until: Deadline(in: .seconds(1 << 30)), where: { _ in true }) {
      guard body(next.event) else { return }
      number = next.number + 1
    }
  }

  /// Returns the guest's CLOCK_MONOTONIC in nanoseconds, for comparison with the times of uevents.
  public func clock() throws(LabError) -> UInt64 {
    try eventChannel().clock(until: Deadline(in: .seconds(20)))
  }
}
