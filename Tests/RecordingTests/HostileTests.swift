import Configuration
import Control
import Director
import Displays
import SeededRandom
import Testing
import VirtualDisplays

@testable import Recording

/// Damaged recordings, because a recording can come from any source.
struct HostileTests {
  /// Returns a recording with each kind of line.
  private func recording() async throws -> [UInt8] {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    for word in ["One", "Two"] { try await harness.show(word) }
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    _ = try await harness.director.setAsleep(SleepRequest(asleep: false))
    _ = try await harness.director.setMode("Virtual-1", ModeRequest(mode: "640x480@60", keep: true))
    harness.card.inject(.busyFlip, count: 1)
    try await harness.show("Three")
    try await harness.director.unplug("Virtual-1")
    return await harness.end()
  }

  @Test func `changed, repeated, swapped or missing lines of a recording do not crash a replay`() async throws {
    var random = SeededGenerator(seed: .random(in: 0 ... .max))
    let lines = try await recording().split(separator: 0x0a).map(Array.init)
    var all: [UInt8] = []
    for _ in 0..<40 {
      var damaged = Array(lines.dropFirst())
      for _ in 0..<Int.random(in: 1...6, using: &random) { damage(&damaged, &random) }
      // Only the numbers of the header change: a header of an unknown format would end the replay.
      let times = withOtherNumbers(lines[0], &random)
      let isRead = (try? RecordingReader.runs(of: times)) != nil
      damaged.insert(isRead ? times : lines[0], at: 0)
      all += damaged.joined(separator: [0x0a]) + [0x0a]
    }
    do {
      let report = try await replayed(all)
      #expect(report.runs.count >= 40, "seed \(random.seed)")
    } catch let failure as ReplayFailure {
      Issue.record("seed \(random.seed): \(failure)")
    }
  }

  private func damage(_ lines: inout [[UInt8]], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0..<lines.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: lines.remove(at: place)
    case 1: lines.insert(lines[place], at: Int.random(in: 0...lines.count, using: &random))
    case 2: lines.swapAt(place, Int.random(in: 0..<lines.count, using: &random))
    case 3: lines[place].removeLast(Int.random(in: 0...lines[place].count, using: &random))
    case 4: lines[place] = withOtherNumbers(lines[place], &random)
    default:
      let byte = Int.random(in: 0..<max(1, lines[place].count), using: &random)
      if byte < lines[place].count { lines[place][byte] = .random(in: 0x20...0x7e, using: &random) }
    }
    if lines.isEmpty { lines = [[0x7b, 0x7d]] }
  }

  /// Returns a line with other numbers, which are the most likely cause of a crash.
  private func withOtherNumbers(_ line: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    let numbers = [
      "0", "-1", "1", "65535", "4294967295", "9223372036854775807", "-9223372036854775808", "1e99", "60000",
    ]
    var changed: [UInt8] = []
    for part in line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
      if !changed.isEmpty { changed.append(UInt8(ascii: ":")) }
      let isNumber = part.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
      let other = numbers.randomElement(using: &random) ?? "0"
      changed += isNumber && Bool.random(using: &random) ? other.utf8 + part.drop { $0 >= 0x30 && $0 <= 0x39 } : part
    }
    return changed
  }

  @Test func `a recording with random bytes is read or refused`() {
    var random = SeededGenerator(seed: .random(in: 0 ... .max))
    let memory = RecordingMemory()
    let recorder = Recorder(
      .init(version: "1", kernel: "Linux", backend: "kms", wall: 0, settings: .init()), sink: memory, now: { 0 })
    recorder.heard(.flipped(Flip(crtc: 1, sequence: 2, time: 3)), from: "card")
    for _ in 0..<2000 {
      var bytes = memory.bytes
      for _ in 0..<Int.random(in: 0..<8, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let runs = try? RecordingReader.runs(of: bytes) else { continue }
      #expect(runs.count >= 1, "seed \(random.seed)")
    }
  }
}
