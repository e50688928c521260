import Configuration
import Control
import Displays
import Geometry
import Testing
import VirtualDisplays

@testable import Director

/// One plan per card: outputs that change together are committed together, and only the one at fault steps down.
struct PlanTests {
  private let large = Size(1920, 1080)

  /// Monitors that are plugged in before the service starts.
  private func rig(_ sizes: Size..., crtcs: Int = 16) -> Rig {
    let rig = Rig(Settings(policy: .native, message: "Hello"), crtcs: crtcs)
    for size in sizes { rig.card.plug(VirtualMonitor(size: size, name: "\(size)")) }
    return rig
  }

  private func widths(_ rig: Rig) async -> [Int] {
    await rig.director.displays().filter { $0.state == "lit" }.map(\.width)
  }

  @Test func `monitors that are there at the start are lit by one commit`() async {
    let rig = rig(large, Size(1280, 720), Size(640, 480))
    await rig.start()
    #expect(await widths(rig) == [1920, 1280, 640])
    #expect(rig.card.litPlans == 1)
  }

  @Test func `two monitors that are plugged in together are lit by one commit, and the lit one is untouched`() async {
    let rig = rig(Size(640, 480))
    await rig.start()
    let (gate, opener) = AsyncStream<Void>.makeStream()
    rig.card.during(.probe) { for await _ in gate { break } }
    rig.card.hint()
    await rig.waitWhile { director in !director.isLooking }
    for _ in 0..<2 { rig.card.plug(VirtualMonitor(size: large, name: "late")) }
    opener.finish()
    await rig.wait { await widths(rig) == [640, 1920, 1920] }
    #expect(rig.card.litPlans == 2)
    #expect(rig.modesets.filter { $0.contains("Virtual-1") } == ["light Virtual-1 640x480@60"])
  }

  @Test func `of three monitors only the one whose mode is refused steps down, in the same commit`() async {
    let rig = rig(large, Size(1280, 720), Size(1600, 900))
    rig.card.inject(.refuseSize(Size(1280, 720)))
    await rig.start()
    let widths = await widths(rig)
    #expect(widths.count == 3 && widths[0] == 1920 && widths[1] < 1280 && widths[2] == 1600, "\(widths)")
    #expect(rig.card.litPlans == 1)
  }

  @Test func `a mode that one CRTC refuses is set on another one`() async throws {
    let rig = rig(large, crtcs: 2)
    rig.card.inject(.refuseCRTC(1, large))
    await rig.start()
    #expect(await widths(rig) == [1920])
    #expect(rig.card.crtc(of: "Virtual-1") == 2 && rig.card.enabledCRTCs == 1)
    #expect(try await rig.show("Next").shown.count == 1)
  }

  @Test func `a lit display changes its CRTC for a mode that its own one refuses, and leaves none behind`()
    async throws
  {
    let rig = rig(Size(1280, 720), crtcs: 2)
    await rig.start()
    #expect(rig.card.crtc(of: "Virtual-1") == 1)
    rig.card.inject(.refuseCRTC(1, Size(1280, 720)))
    rig.card.inject(.refuseCRTC(1, Size(640, 480)))
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    _ = try await rig.director.setAsleep(SleepRequest(asleep: false))
    #expect(rig.card.crtc(of: "Virtual-1") == 2 && rig.card.enabledCRTCs == 1)
    #expect(try await rig.show("Next").shown.count == 1)
  }

  @Test func `two displays exchange their CRTCs if both get their modes only so`() async {
    let rig = rig(large, Size(1280, 720), crtcs: 2)
    rig.card.inject(.refuseCRTC(1, large))
    await rig.start()
    #expect(await widths(rig) == [1920, 1280])
    #expect(rig.card.crtc(of: "Virtual-1") == 2 && rig.card.crtc(of: "Virtual-2") == 1)
  }

  @Test func `if modes exceed a limit only together, the largest one steps down, and why says so`() async throws {
    let rig = rig(large, Size(1280, 720))
    rig.card.inject(.refuseTotal(pixels: large.area))
    await rig.start()
    let widths = await widths(rig)
    #expect(widths.count == 2 && widths[0] < 1920 && widths[1] == 1280, "\(widths)")
    let why = try await rig.director.why("Virtual-1")
    #expect(why.attempts.contains { $0.contains("not together with another display") }, "\(why.attempts)")
  }

  @Test func `a commit that fails for all after its test passed is repeated for each display`() async {
    let rig = rig(large, Size(1280, 720))
    rig.card.inject(.failCommit(.refused), count: 1)
    await rig.start()
    #expect(await widths(rig) == [1920, 1280])
    #expect(rig.card.litPlans == 2)
  }

  @Test(.timeLimit(.minutes(1))) func `flips that are reported before the commit returns light the displays`() async {
    let rig = rig(large, Size(1280, 720))
    rig.card.afterModesets { await rig.drain() }
    await rig.start()
    #expect(await widths(rig) == [1920, 1280])
    rig.card.afterModesets(nil)
  }

  @Test func `an error of one display leaves the others of the plan lit`() async {
    let rig = rig(large, Size(1280, 720))
    // The test of both, the one of the first alone, and no more.
    rig.card.inject(.fail(.check, .other), count: 2)
    await rig.start()
    await rig.wait { await widths(rig).count == 2 }
    #expect(await widths(rig) == [1920, 1280])
  }

  @Test func `monitors that are unplugged while their plan is made leave no buffer and no CRTC behind`() async {
    let rig = rig(large, Size(1280, 720), Size(640, 480))
    let card = rig.card
    card.during(.check) {
      card.during(.check, nil)
      card.unplug("Virtual-2")
    }
    await rig.start()
    await rig.wait { await rig.display("Virtual-2")?.state == "disconnected" }
    await rig.wait { await widths(rig) == [1920, 640] }
    await rig.waitWhile { rig.card.liveBuffers > 4 || rig.card.enabledCRTCs > 2 }
  }

  @Test func `a display that is sent to sleep while its plan is made sleeps, and the others are lit`() async {
    let rig = rig(Size(640, 480), Size(1280, 720))
    await rig.start()
    rig.card.during(.check) {
      rig.card.during(.check, nil)
      // It returns when the display sleeps, after the plan.
      Task { try? await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1")) }
      await rig.waitWhile { director in !director.isToSleep("Virtual-1") }
    }
    rig.card.reshape("Virtual-1") { $0.isLinkBad = true }
    await rig.wait { await rig.display("Virtual-1")?.state == "asleep" }
    #expect(await widths(rig) == [1280])
    rig.card.reshape("Virtual-1", nil)
  }

  @Test func `all displays of a card are put to sleep by one commit, and woken by one`() async throws {
    let rig = rig(Size(640, 480), Size(1280, 720))
    await rig.start()
    let commits = rig.card.litPlans
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    #expect(rig.modesets.suffix(2) == ["sleep Virtual-1", "sleep Virtual-2"])
    _ = try await rig.director.setAsleep(SleepRequest(asleep: false))
    #expect(rig.card.litPlans == commits + 1)
    #expect(await widths(rig) == [640, 1280])
  }

  @Test func `if the card cannot put all to sleep together, each is put to sleep alone`() async throws {
    let rig = rig(Size(640, 480), Size(1280, 720))
    await rig.start()
    rig.card.inject(.failSleep(.refused), count: 1)
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    #expect(rig.modesets.suffix(2) == ["sleep Virtual-1", "sleep Virtual-2"])
    #expect(await rig.director.displays().allSatisfy { $0.state == "asleep" })
  }
}
