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

/// What goes on for months, by a clock that is set by hand.
struct EnduranceTests {
  /// Of 60 Hz, in nanoseconds.
  private static let period: UInt64 = 16_666_667

  /// PLACARD_MINUTES makes it longer; alone in its process, it looks at the memory, too.
  @Test(.timeLimit(.minutes(60)))
  func `a line that scrolls and a clock with seconds take no more, however long they run`() async throws {
    let asked = unsafe getenv("PLACARD_MINUTES").flatMap { unsafe Int(String(cString: $0)) }
    let minutes = max(2, asked ?? 2)
    let time = Mutex<UInt64>(1_000_000_000_000)
    let run = Run(rig: Rig(now: { time.withLock { $0 } }, keepsJournal: false))
    let rig = run.rig
    try await run.begin()
    var before = Look()
    for minute in 0..<minutes {
      for second in 0..<60 {
        for _ in 0..<60 {
          time.withLock { $0 += Self.period }
          await run.blank()
        }
        await run.second()
        if minute == 0, second == 59 { before = await run.look() }
      }
    }
    let after = await run.look()
    print("\(minutes) minutes: \(rig.card.flips) flips; after a minute \(before), in the end \(after)")
    #expect(
      rig.card.flips >= minutes * 60 * 61, "each vertical blank had a picture of the line, each second one of the clock"
    )
    #expect(after.buffers == before.buffers && after.lines == before.lines && after.records == before.records)
    #expect(await rig.display("Virtual-1")?.missedFrames ?? 0 == 0)
    if asked != nil { #expect(after.resident <= before.resident + 512, "KiB") }
  }

  /// What is there at a time.
  private struct Look {
    var buffers = 0
    /// Of the log.
    var lines = 0
    /// That are kept over a restart.
    var records = 0
    /// KiB of the process.
    var resident = 0
  }

  private struct Run {
    let rig: Rig

    func begin() async throws {
      await rig.start()
      for name in ["Virtual-1", "Virtual-2"] { try await rig.plug(320, 240, into: name) }
      await rig.rest()
      let clock = Scene(.clock(Clock(zone: "UTC", hasSeconds: true))).document
      _ = try await rig.director.open(OpenRequest(scene: clock, display: "Virtual-2", wait: true))
      rig.card.beginVBlanks()
      let line = Scene(.ticker(Ticker("Gate 17 is boarding now"))).document
      let before = rig.card.flips
      _ = try await rig.director.open(OpenRequest(scene: line, display: "Virtual-1"))
      await rig.waitWhile { rig.card.flips == before }
    }

    /// A vertical blank, until the line's next picture was asked for.
    func blank() async {
      let before = rig.card.flips
      rig.card.vblank()
      await rig.waitWhile { rig.card.flips == before }
    }

    /// A second of people's clock, until its next picture was asked for.
    func second() async {
      let before = rig.card.flips
      rig.clock.now += 1000
      await rig.director.momentCame()
      await rig.waitWhile { rig.card.flips == before }
    }

    func look() async -> Look {
      Look(
        buffers: rig.card.liveBuffers, lines: rig.log.lines.count, records: rig.keeper.records.count,
        resident: Self.resident)
    }

    /// The second number of statm is in pages (proc(5)).
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
