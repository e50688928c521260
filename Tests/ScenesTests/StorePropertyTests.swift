import Scenes
import SeededRandom
import Testing

struct StorePropertyTests {
  @Test(arguments: (0..<20).map { _ in UInt64.random(in: 0...UInt64.max) })
  func `Random operations never lose, duplicate or wrongly show anything`(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    for sequence in 0..<100 {
      var checker = StoreChecker()
      var steps: [StoreStep] = []
      while steps.count < 60 && checker.fault == nil {
        steps.append(StoreStep.random(in: checker.store, &chance))
        checker.see(steps[steps.count - 1])
      }
      if let fault = checker.fault {
        let story = steps.map { "\($0)" }.joined(separator: "\n")
        Issue.record("seed \(seed), sequence \(sequence): \(fault) after\n\(story)")
        return
      }
    }
  }
}
