import Displays
import Glibc
import SeededRandom
import Testing

@testable import Outputs

/// Many lives of a card.
struct CardSimulationTests {
  /// Monitors, faults, messages and host suspend, a few hundred of them in each life.
  private static let steps = 500

  private static func setting<Number: FixedWidthInteger>(_ name: String) -> Number? {
    unsafe getenv(name).flatMap { unsafe Number(String(cString: $0)) }
  }

  @Test(.timeLimit(.minutes(60)))
  func `whatever happens to a card, each display ends as it should be`() async throws {
    let lives = Self.setting("PLACARD_LIVES") ?? 100
    let first: UInt64 = Self.setting("PLACARD_SEED") ?? UInt64.random(in: 0 ... .max)
    print("\(lives) lives from seed \(first): PLACARD_LIVES=\(lives) PLACARD_SEED=\(first) repeats them")
    let counts = try await withThrowingTaskGroup(of: (Int, [String: Int]).self) { group in
      // One task for each processor of a small machine.
      for half in 0..<2 {
        group.addTask { try Self.run(stride(from: half, to: lives, by: 2).map { first &+ UInt64($0) }) }
      }
      return try await group.reduce(into: (events: 0, occurred: [String: Int]())) { all, part in
        all.events += part.0
        all.occurred.merge(part.1) { $0 + $1 }
      }
    }
    let faults = counts.occurred.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    print("\(counts.events) events; \(faults.joined(separator: ", "))")
    #expect(counts.events > 100 * lives)
    guard lives >= 100 else { return }
    let reasons = ["busy", "other", "refused"]
    for call in SimulatedCard.Call.allCases {
      let missing = reasons.filter { counts.occurred["\(call.rawValue) \($0)"] == nil }
      // A hundred lives meet each kind of fault of each call only by chance.
      if missing.count > (lives >= 1000 ? 0 : 1) {
        Issue.record("no call of the kind \(call) was answered with \(missing.joined(separator: " or "))")
      }
    }
  }

  private static func run(_ seeds: [UInt64]) throws -> (Int, [String: Int]) {
    var (events, occurred) = (0, [String: Int]())
    for seed in seeds {
      var simulation = CardSimulation(seed: seed)
      do {
        try simulation.run(steps: steps)
      } catch {
        // The same life once more, with its history.
        var again = CardSimulation(seed: seed, keepsHistory: true)
        try again.run(steps: steps)
        throw error
      }
      events += simulation.events
      occurred.merge(simulation.card.occurred) { $0 + $1 }
    }
    return (events, occurred)
  }

  @Test(arguments: CardSimulation.Mistake.allCases)
  func `a planted mistake breaks a rule`(_ mistake: CardSimulation.Mistake) {
    let first = UInt64.random(in: 0...1_000_000)
    for seed in first..<first + 2000 {
      var simulation = CardSimulation(seed: seed, mistake: mistake)
      do {
        try simulation.run(steps: Self.steps)
      } catch {
        let rule = (error as? CardSimulation.Failure)?.rule ?? "\(error)"
        return print("\(mistake) is found after \(seed - first + 1) lives from seed \(first): \(rule)")
      }
    }
    Issue.record("\(mistake) is not found in 2000 lives from seed \(first)")
  }
}
