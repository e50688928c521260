import FoundationEssentials
import Glibc
import Testing

/// The service in simulated time keeps its promises, and planted mistakes are found.
///
/// Each history runs in its own process, because the simulated clock has to run all tasks of the process.
struct SimulationTests {
  /// Runs placard-simulate, and returns what it printed and whether it succeeded.
  private func simulate(_ arguments: String...) throws -> (text: String, isSuccess: Bool) {
    let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex) + "/placard-simulate"
    let file = "/tmp/simulation-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    defer { unsafe _ = unlink(file) }
    let code = unsafe system("'\(program)' \(arguments.joined(separator: " ")) >'\(file)' 2>&1")
    return (try String(contentsOfFile: file, encoding: .utf8), code == 0)
  }

  /// PLACARD_SEED and PLACARD_HISTORIES choose other seeds; scripts/simulate runs many.
  @Test func `the service keeps its promises in simulated histories`() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["PLACARD_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...1_000_000_000)
    let count = environment["PLACARD_HISTORIES"].flatMap { Int($0) } ?? 60
    print("\(count) histories from seed \(seed): scripts/simulate --first \(seed) --seeds \(count)")
    let (text, isSuccess) = try simulate("--seed \(seed) --seeds \(count)")
    #expect(isSuccess, "\(text)")
    #expect(text.contains("no promise broken"))
  }

  @Test func `the same seed gives the same history`() throws {
    let first = try simulate("--seed 7 --log")
    let second = try simulate("--seed 7 --log")
    #expect(first.isSuccess && first.text.split(separator: "\n").count > 50)
    #expect(first.text == second.text)
  }

  @Test(arguments: [
    ("acknowledgeEarly", "an acknowledged change is lost"), ("swapSessions", "has the session"),
    ("forgetWrites", "an acknowledged change is lost"), ("wrongFlipTime", "no flip at the time"),
  ])
  func `a planted mistake is found within 100 seeds, with a short history`(mistake: String, words: String) throws {
    let (text, isSuccess) = try simulate("--seeds 100 --mistake \(mistake)")
    #expect(!isSuccess && text.contains(words), "\(text)")
  }

  @Test func `an unknown mistake and a count of 0 are refused`() throws {
    let unknown = try simulate("--mistake none")
    #expect(!unknown.isSuccess && unknown.text.contains("acknowledgeEarly"))
    #expect(try !simulate("--seeds 0").isSuccess)
  }
}
