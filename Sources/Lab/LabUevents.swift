/// What the guest's kernel said about its devices.
extension Lab {
  /// All uevents since the agent started, oldest first. (A system with systemd has seen earlier ones.)
  public var uevents: [Uevent] {
    get throws(LabError) { try eventChannel().uevents }
  }

  /// How many uevents there are so far: a mark for `waitForUevent(from:)`, taken before the act that causes one.
  public var ueventCount: Int {
    get throws(LabError) {
      let channel = try eventChannel()
      // The agent answers in order: when it has told the time, all uevents so far are here.
      _ = try channel.clock(until: Deadline(in: .seconds(20)))
      return channel.uevents.count
    }
  }

  /// Waits for a uevent, from number `first` on, that matches; also one that came before this call.
  public func waitForUevent(
    from first: Int, within: Duration, where matches: (Uevent) -> Bool
  ) throws(LabError) -> Uevent {
    let channel = try eventChannel()
    if let found = channel.waitForUevent(from: first, until: Deadline(in: within), where: matches) {
      return found.event
    }
    let since = channel.uevents.dropFirst(first).suffix(12).map { "\n  \($0)" }.joined()
    throw LabError(
      .timeout, "no such uevent in \(within.inWords); \(since.isEmpty ? "there was none" : "there were:" + since)")
  }

  /// Calls `body` for every uevent as it comes, until it returns false or the guest ends: for all since the agent
  /// started, or for those from now on.
  public func followUevents(fromStart: Bool, _ body: (Uevent) -> Bool) throws(LabError) {
    let channel = try eventChannel()
    // The agent answers in order: when it has told the time, all uevents so far are here.
    _ = try channel.clock(until: Deadline(in: .seconds(20)))
    var number = fromStart ? 0 : channel.uevents.count
    while let next = channel.waitForUevent(from: number, until: Deadline(in: .seconds(1 << 30)), where: { _ in true }) {
      guard body(next.event) else { return }
      number = next.number + 1
    }
  }

  /// Now, in nanoseconds of the guest's CLOCK_MONOTONIC, to compare with a uevent's time.
  public func clock() throws(LabError) -> UInt64 {
    try eventChannel().clock(until: Deadline(in: .seconds(20)))
  }
}
