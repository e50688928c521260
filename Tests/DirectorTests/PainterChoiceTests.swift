import Control
import Scenes
import Testing

@testable import Director

/// The choice of the painter for a new monitor.
@Suite(.timeLimit(.minutes(10)))
struct PainterChoiceTests {
  private static let ticker = Scene(.ticker(Ticker("Gate 17 is boarding now"))).document

  @Test func `new monitors never share the painter of a scrolling line`() async throws {
    let harness = Harness(painters: 2)
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1", wait: true))
    #expect(await harness.director.motion(on: "Virtual-1").moves)
    for _ in 1...3 {
      for name in ["Virtual-2", "Virtual-3"] {
        try await harness.plug(640, 480, into: name)
        #expect(await harness.director.sharesPainter(name, with: "Virtual-1") == false)
      }
      try await harness.director.unplug("Virtual-2")
    }
    await harness.director.close()
  }

  @Test func `a new monitor shares the painter of a sleeping line, not of a visible one`() async throws {
    let harness = Harness(painters: 2)
    await harness.start()
    for name in ["Virtual-1", "Virtual-2"] {
      try await harness.plug(640, 480, into: name)
      _ = try await harness.director.open(OpenRequest(scene: Self.ticker, display: name, wait: true))
    }
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-2"))
    try await harness.plug(640, 480, into: "Virtual-3")
    #expect(await harness.director.sharesPainter("Virtual-3", with: "Virtual-2"))
    await harness.director.close()
  }

  @Test func `without motion the monitors are divided equally among the painters`() async throws {
    let harness = Harness(painters: 2)
    await harness.start()
    for name in ["Virtual-1", "Virtual-2", "Virtual-3", "Virtual-4"] { try await harness.plug(640, 480, into: name) }
    for name in ["Virtual-3", "Virtual-1"] {
      try await harness.director.unplug(name)
      try await harness.plug(640, 480, into: name)
    }
    #expect(await harness.director.sharesPainter("Virtual-1", with: "Virtual-3"))
    #expect(await harness.director.sharesPainter("Virtual-2", with: "Virtual-4"))
    #expect(await !harness.director.sharesPainter("Virtual-1", with: "Virtual-2"))
    await harness.director.close()
  }
}
