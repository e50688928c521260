import Glibc
import SimulatedTime

/// Runs the service in simulated time with simulated hardware, disk and clients, and checks its promises.
package enum Simulation {
  /// The result of a history.
  package struct Outcome: Sendable {
    /// The seed.
    package var seed: UInt64
    /// The first broken promise; nil if there is none.
    package var violation: String?
    /// The steps and what followed from them, a line each.
    package var log: [String]
    /// The number of jobs that the service's loops did.
    package var events: Int
    /// How often something happened, by kind.
    package var counts: [String: Int]
  }

  /// Prepares the process; must be called once, before the first task.
  ///
  /// - Throws: `SimulationError` if SQLite refuses the simulated disk.
  package static func install() throws(SimulationError) {
    try SimulatedDisk.install()
  }

  /// Runs the history of a seed.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - steps: The number of steps.
  ///   - mistake: A mistake to plant in the service.
  ///   - directory: A directory for the database, which is removed afterward.
  /// - Returns: The outcome.
  package static func run(
    seed: UInt64, steps: Int, mistake: Mistake? = nil, directory: String
  ) -> Outcome {
    run(Step.history(seed: seed, count: steps), seed, mistake, directory)
  }

  /// Removes steps from the history of a seed that breaks a promise, as long as it still breaks one.
  ///
  /// - Returns: The outcome of the shortest history that was found, and its number of steps.
  package static func shortened(
    seed: UInt64, steps: Int, mistake: Mistake? = nil, directory: String
  ) -> (outcome: Outcome, steps: Int) {
    var history = Step.history(seed: seed, count: steps)
    var outcome = run(history, seed, mistake, directory)
    var length = history.count / 2
    while length > 0, outcome.violation != nil {
      var start = 0
      while start < history.count {
        var shorter = history
        shorter.removeSubrange(start..<min(start + length, history.count))
        let other = run(shorter, seed, mistake, directory)
        if other.violation != nil { (history, outcome) = (shorter, other) } else { start += length }
      }
      length /= 2
    }
    return (outcome, history.count)
  }

  private static func run(
    _ steps: [Step], _ seed: UInt64, _ mistake: Mistake?, _ directory: String
  ) -> Outcome {
    remove(directory)
    unsafe _ = mkdir(directory, 0o700)
    defer { remove(directory) }
    SimulatedDisk.shared.clear()
    let world = World(seed: seed, directory: directory, mistake: mistake)
    world.clock.own {
      for path in World.paths { world.cards[path] = world.makeCard(path) }
      world.start()
      world.advance(milliseconds: 2_000)
      for step in steps where world.violation == nil { world.perform(step) }
      world.end(isKilled: false, cutsPower: false)
    }
    return Outcome(
      seed: seed, violation: world.violation, log: world.log, events: world.clock.jobCount, counts: world.counts)
  }

  /// Removes a directory and its files.
  private static func remove(_ directory: String) {
    guard let stream = unsafe opendir(directory) else { return }
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { unsafe _ = unlink("\(directory)/\(name)") }
    }
    unsafe _ = closedir(stream)
    unsafe _ = rmdir(directory)
  }
}
