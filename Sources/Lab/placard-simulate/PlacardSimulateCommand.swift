import ArgumentParser
import Glibc
import ProcessArguments
import Service
import Simulation

// SwiftPM links this function as `main`.
/// Runs the command line of the simulation.
@_cdecl("placard_simulate_main")
func enter(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
  unsafe hashTheSameEachTime(words)
  GlobalExecutor.installForSimulatedTime()
  PlacardSimulateCommand.main(unsafe ProcessArguments.read(count, words))
  return 0
}

/// Starts this program again with hashes that do not differ between processes: the order of a set or dictionary depends
/// on them.
private func hashTheSameEachTime(_ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
  let name = "SWIFT_DETERMINISTIC_HASHING"
  guard unsafe getenv(name) == nil else { return }
  unsafe setenv(name, "1", 1)
  unsafe _ = execv("/proc/self/exe", words)
}

/// The command line of the simulation.
struct PlacardSimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "placard-simulate",
    abstract: "Run the service in simulated time, and check what it promises.",
    discussion: """
      Each seed is one history: monitors and cards come and go, calls fail or hang, clients ask, the disk fails, clocks
      jump, and the process is killed. The same seed gives the same history each time.

      Examples:
        placard-simulate --seeds 100
        placard-simulate --seed 17 --log
        placard-simulate --seeds 1000 --mistake acknowledgeEarly
      """)

  @Option(help: "The first seed.") var seed: UInt64 = 1
  @Option(help: "The number of seeds.") var seeds: UInt64 = 1
  @Option(help: "The number of steps of a history.") var steps = 80
  @Option(help: "A mistake to plant: \(Mistake.allCases.map(\.rawValue).joined(separator: ", ")).")
  var mistake: Mistake?
  @Flag(help: "Print what happens, a line each.") var log = false

  func validate() throws {
    guard seeds > 0, steps > 0 else { throw ValidationError("--seeds and --steps must be at least 1") }
  }

  func run() throws {
    try Simulation.install()
    let directory = "/dev/shm/placard-simulate-\(getpid())"
    var events = 0
    var counts: [String: Int] = [:]
    for seed in seed..<seed + seeds {
      let outcome = Simulation.run(seed: seed, steps: steps, mistake: mistake, directory: directory)
      events += outcome.events
      counts.merge(outcome.counts, uniquingKeysWith: +)
      if log { for line in outcome.log { print(line) } }
      guard outcome.violation != nil else { continue }
      print("seed \(seed) breaks a promise, after \(seed - self.seed + 1) seeds; the shortest history that does:")
      let (shortest, count) = Simulation.shortened(seed: seed, steps: steps, mistake: mistake, directory: directory)
      for line in shortest.log { print(line) }
      print("\(count) of \(steps) steps: \(shortest.violation ?? outcome.violation ?? "")")
      throw ExitCode.failure
    }
    print("\(seeds) seeds, \(events) events, no promise broken")
    for (kind, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(kind): \(count)") }
  }
}

extension Mistake: ExpressibleByArgument {}
