import Control
import Scenes
import Testing

@testable import Director

/// Which painter serves a monitor that comes.
@Suite(.timeLimit(.minutes(5)))
struct PainterChoiceTests {
  private static let ticker = Scene(.ticker(Ticker("Gate 17 is boarding now"))).document

  @Test func `monitors that come and go beside a line that scrolls never get its painter`() async throws {
    let rig = Rig(painters: 2)
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.director.open(OpenRequest(scene: Self.ticker, display: "Virtual-1", wait: true))
    #expect(await rig.director.motion(on: "Virtual-1").moves)
    for _ in 1...3 {
      for name in ["Virtual-2", "Virtual-3"] {
        try await rig.plug(640, 480, into: name)
        #expect(await rig.director.sharesPainter(name, with: "Virtual-1") == false)
      }
      try await rig.director.unplug("Virtual-2")
    }
    await rig.director.close()
  }

  @Test func `a line that sleeps counts less than one that is seen`() async throws {
    let rig = Rig(painters: 2)
    await rig.start()
    for name in ["Virtual-1", "Virtual-2"] {
      try await rig.plug(640, 480, into: name)
      _ = try await rig.director.open(OpenRequest(scene: Self.ticker, display: name, wait: true))
    }
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-2"))
    try await rig.plug(640, 480, into: "Virtual-3")
    #expect(await rig.director.sharesPainter("Virtual-3", with: "Virtual-2"))
    await rig.director.close()
  }

  @Test func `where nothing moves they get as many monitors each`() async throws {
    let rig = Rig(painters: 2)
    await rig.start()
    for name in ["Virtual-1", "Virtual-2", "Virtual-3", "Virtual-4"] { try await rig.plug(640, 480, into: name) }
    for name in ["Virtual-3", "Virtual-1"] {
      try await rig.director.unplug(name)
      try await rig.plug(640, 480, into: name)
    }
    #expect(await rig.director.sharesPainter("Virtual-1", with: "Virtual-3"))
    #expect(await rig.director.sharesPainter("Virtual-2", with: "Virtual-4"))
    #expect(await !rig.director.sharesPainter("Virtual-1", with: "Virtual-2"))
    await rig.director.close()
  }
}
