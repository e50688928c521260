import Configuration
import Control
import Displays
import Geometry
import Glibc
import Scenes
import Synchronization
import Testing
import VirtualDisplays

@testable import Director

/// Scenes that change for months, on a manual clock.
struct EnduranceTests {
  /// The nanoseconds of a frame at 60 Hz.
  private static let period: UInt64 = 16_666_667

  /// PLACARD_MINUTES sets the length. The test then also checks the memory, and must run alone in its process.
  @Test(.timeLimit(.minutes(60)))
  func `a scrolling line and a clock with seconds leak no buffers, log lines or records`() async throws {
    let asked = unsafe getenv("PLACARD_MINUTES").flatMap { unsafe Int(String(cString: $0)) }
    let minutes = max(2, asked ?? 2)
    let time = Mutex<UInt64>(1_000_000_000_000)
    let run = Run(harness: Harness(now: { time.withLock { $0 } }, keepsJournal: false))
    let harness = run.harness
    try await run.begin()
    var before = Usage()
    for minute in 0..<minutes {
      for second in 0..<60 {
        for _ in 0..<60 {
          time.withLock { $0 += Self.period }
          await run.blank()
        }
        await run.second()
        if minute == 0, second == 59 { before = await run.usage() }
      }
    }
    let after = await run.usage()
    print("\(minutes) minutes: \(harness.card.flips) flips; after a minute \(before), in the end \(after)")
    #expect(
      harness.card.flips >= minutes * 60 * 61,
      "each vertical blank had a frame of the line, each second one of the clock"
    )
    #expect(after.buffers == before.buffers && after.lines == before.lines && after.records == before.records)
    #expect(await harness.display("Virtual-1")?.missedFrames ?? 0 == 0)
    if asked != nil { #expect(after.resident <= before.resident + 512, "KiB") }
  }

  /// The resources that are in use at a time.
  private struct Usage {
    var buffers = 0
    /// The lines of the log.
    var lines = 0
    /// The stored records.
    var records = 0
    /// The resident memory of the process in KiB.
    var resident = 0
  }

  private struct Run {
    let harness: Harness

    func begin() async throws {
      await harness.start()
      for name in ["Virtual-1", "Virtual-2"] { try await harness.plug(320, 240, into: name) }
      await harness.rest()
      let clock = Scene(.clock(Clock(zone: "UTC", hasSeconds: true))).document
      _ = try await harness.director.open(OpenRequest(scene: clock, display: "Virtual-2", wait: true))
      harness.card.beginVBlanks()
      let line = Scene(.ticker(Ticker("Gate 17 is boarding now"))).document
      let before = harness.card.flips
      _ = try await harness.director.open(OpenRequest(scene: line, display: "Virtual-1"))
      await harness.waitWhile { harness.card.flips == before }
    }

    /// Sends a vertical blank, and waits until the line's next frame is requested.
    func blank() async {
      let before = harness.card.flips
      harness.card.vblank()
      await harness.waitWhile { harness.card.flips == before }
    }

    /// Advances the wall clock by a second, and waits until the clock's next frame is requested.
    func second() async {
      let before = harness.card.flips
      harness.clock.now += 1000
      await harness.director.momentCame()
      await harness.waitWhile { harness.card.flips == before }
    }

    func usage() async -> Usage {
      Usage(
        buffers: harness.card.liveBuffers, lines: harness.log.lines.count, records: harness.persistence.records.count,
        resident: Self.resident)
    }

    /// The resident memory in KiB. The second number of statm is in pages (proc(5)).
    private static var resident: Int {
      guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
      defer { unsafe fclose(file) }
      var line = [CChar](repeating: 0, count: 128)
      guard unsafe fgets(&line, 128, file) != nil else { return 0 }
      let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
        separator: " ")
      return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) / 1024 : 0
    }
  }
}
