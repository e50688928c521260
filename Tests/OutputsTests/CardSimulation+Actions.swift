import Displays
import Geometry

@testable import Outputs

/// Monitors that come and go, faults, messages and sleep, at random.
extension CardSimulation {
  enum Action: CaseIterable {
    case plug, unplug, replace, blink, hideEDID, hint, loseMaster, regainMaster, write, sleep, wake, policy, refuse,
      limit
    case failCalls, loseFlips, foreign, gone
  }

  private static let sizes = [Size(1920, 1080), Size(1280, 720), Size(1024, 768), Size(640, 480)]

  mutating func act() throws {
    let name = SimulatedCard.names.randomElement(using: &random) ?? "DP-1"
    let action = Action.allCases.randomElement(using: &random) ?? .hint
    note("\(action) \(name)")
    switch action {
    case .plug, .replace:
      card.monitors[name] = monitor()
      try hint(name)
    case .unplug:
      card.monitors[name] = nil
      try hint(name)
    case .blink:
      let monitor = card.monitors[name]
      card.monitors[name] = nil
      try hint(name)
      card.monitors[name] = monitor
      try hint(name)
    case .hideEDID:
      card.monitors[name]?.hasEDID.toggle()
      try hint(name)
    case .hint: try send(.hint(connector: nil))
    case .loseMaster: card.isMaster = false
    case .regainMaster:
      card.isMaster = true
      if Bool.random(using: &random) { try send(.masterChanged) }
    case .write, .sleep, .wake, .policy: try wish(action, name)
    case .refuse:
      card.refusals.formSymmetricDifference([
        .init(
          crtc: SimulatedCard.crtcs.randomElement(using: &random) ?? 41,
          size: Self.sizes.randomElement(using: &random) ?? Size(640, 480))
      ])
    case .limit:
      card.pixelLimit = [.max, 3_000_000, 1_500_000].randomElement(using: &random) ?? .max
    case .failCalls:
      let reasons = CardError.Reason.allCases.filter { $0 != .gone }
      let reason = reasons.randomElement(using: &random) ?? .other
      card.failures[SimulatedCard.Call.allCases.randomElement(using: &random) ?? .test] =
        (Int.random(in: 1...3, using: &random), reason)
    case .loseFlips: card.lostFlips = Int.random(in: 1...2, using: &random)
    case .foreign:
      let crtc = SimulatedCard.crtcs.randomElement(using: &random) ?? 41
      if card.driven[crtc] == nil { card.foreign.insert(crtc) }
    case .gone:
      // A card is lost only in a few lives, so that the others are long.
      if Int.random(in: 0..<200, using: &random) == 0 { card.isGone = true }
    }
  }

  private mutating func monitor() -> SimulatedCard.Monitor {
    let sizes = Self.sizes.suffix(Int.random(in: 1...4, using: &random))
    return SimulatedCard.Monitor(serial: UInt8.random(in: 0...255, using: &random), sizes: Array(sizes))
  }

  private mutating func hint(_ name: String) throws {
    let id = UInt32(SimulatedCard.names.firstIndex(of: name) ?? 0) + 1
    try send(.hint(connector: Bool.random(using: &random) ? id : nil))
  }

  private mutating func wish(_ action: Action, _ name: String) throws {
    guard var wish = wishes[name], machine.outputs[name]?.wish != nil else { return }
    switch action {
    case .sleep: wish.sleepReason = "asleep"
    case .wake: wish.sleepReason = nil
    case .policy:
      wish.policy = wish.policy == .native ? .explicit(Size(640, 480)) : .native
    default:
      contents += 1
      wish.content = contents
    }
    wishes[name] = wish
    if mistake == .losesWishes, Int.random(in: 0..<10, using: &random) == 0 { return }
    try send(.wished([name: wish]))
  }
}
