import SeededRandom

/// A step of a history: something that happens to the service.
struct Step {
  /// The kinds of steps. A kind that is listed twice in `weighted` is twice as likely.
  enum Kind: String, CaseIterable {
    // Hardware.
    case plug, unplug, blink, swap, hint, loseCard, returnCard
    case callFault, refuseSize, loseFlip, takeMaster, giveMaster, holdFlips, releaseFlips
    // Clients.
    case message, displayMessage, post, timedPost, withdraw, open, close, sleep, wake, sleepOne, turn, confirm,
      setValue, unsetValue, read
    // The machine.
    case fullDisk, failingWrites, failingSyncs, healDisk
    case jump, suspend, controllerSleep, controllerWake, reload
    // The process.
    case kill, cutPower, stop
    // Time.
    case wait, waitLong
    /// All faults end, and the service must reach the state that clients asked for.
    case settle
  }

  private static let weighted: [Kind] =
    Kind.allCases.filter { $0 != .settle } + [
      .plug, .plug, .plug, .post, .post, .open, .message, .wait, .wait, .healDisk,
    ]

  let kind: Kind
  /// The source of the step's choices.
  let number: UInt64

  /// Returns the steps of a seed, of which the last one is `settle`.
  static func history(seed: UInt64, count: Int) -> [Step] {
    var random = SeededGenerator(seed: seed)
    return (1...count).map { index in
      let kind = weighted.randomElement(using: &random) ?? .wait
      return Step(kind: index == count || index.isMultiple(of: 40) ? .settle : kind, number: random.next())
    }
  }

  /// Returns one of some values. Choices of one step with different places are independent.
  func choose<Value>(_ values: [Value], _ place: UInt64 = 0) -> Value { values[below(values.count, place)] }

  /// Returns a number below a limit.
  func below(_ limit: Int, _ place: UInt64 = 0) -> Int {
    var random = SeededGenerator(seed: number &+ place &* 0x9E37_79B9)
    return Int(random.next() % UInt64(limit))
  }
}
