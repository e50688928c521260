import Configuration
import Control
import Displays
import Geometry
import Testing
import VirtualDisplays

@testable import Director

/// One modeset plan per card: outputs that change together share a commit, and only a refused one gets a smaller mode.
struct PlanTests {
  private let large = Size(1920, 1080)

  /// Returns a harness whose monitors are plugged in before the service starts.
  private func harness(_ sizes: Size..., crtcs: Int = 16) -> Harness {
    let harness = Harness(Settings(policy: .native, message: "Hello"), crtcs: crtcs)
    for size in sizes { harness.card.plug(VirtualMonitor(size: size, name: "\(size)")) }
    return harness
  }

  private func widths(_ harness: Harness) async -> [Int] {
    await harness.director.displays().filter { $0.state == .lit }.map(\.width)
  }

  @Test func `monitors that are plugged in before the start are lit by one commit`() async {
    let harness = harness(large, Size(1280, 720), Size(640, 480))
    await harness.start()
    #expect(await widths(harness) == [1920, 1280, 640])
    #expect(harness.card.litPlans == 1)
  }

  @Test func `two monitors plugged in together are lit by one commit, without the lit one`() async {
    let harness = harness(Size(640, 480))
    await harness.start()
    let (gate, opener) = AsyncStream<Void>.makeStream()
    harness.card.during(.probe) { for await _ in gate { break } }
    harness.card.hint()
    await harness.waitWhile { director in !director.isProbing }
    for _ in 0..<2 { harness.card.plug(VirtualMonitor(size: large, name: "late")) }
    opener.finish()
    await harness.wait { await widths(harness) == [640, 1920, 1920] }
    #expect(harness.card.litPlans == 2)
    #expect(harness.modesets.filter { $0.contains("Virtual-1") } == ["light Virtual-1 640x480@60"])
  }

  @Test func `of three monitors only the one whose mode is refused gets a smaller one, in one commit`() async {
    let harness = harness(large, Size(1280, 720), Size(1600, 900))
    harness.card.inject(.refuseSize(Size(1280, 720)))
    await harness.start()
    let widths = await widths(harness)
    #expect(widths.count == 3 && widths[0] == 1920 && widths[1] < 1280 && widths[2] == 1600, "\(widths)")
    #expect(harness.card.litPlans == 1)
  }

  @Test func `a mode that one CRTC refuses is set on another one`() async throws {
    let harness = harness(large, crtcs: 2)
    harness.card.inject(.refuseCRTC(1, large))
    await harness.start()
    #expect(await widths(harness) == [1920])
    #expect(harness.card.crtc(of: "Virtual-1") == 2 && harness.card.enabledCRTCs == 1)
    #expect(try await harness.show("Next").shown.count == 1)
  }

  @Test func `a display changes its CRTC if the current one refuses the mode, and disables that one`() async throws {
    let harness = harness(Size(1280, 720), crtcs: 2)
    await harness.start()
    #expect(harness.card.crtc(of: "Virtual-1") == 1)
    harness.card.inject(.refuseCRTC(1, Size(1280, 720)))
    harness.card.inject(.refuseCRTC(1, Size(640, 480)))
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    _ = try await harness.director.setAsleep(SleepRequest(asleep: false))
    #expect(harness.card.crtc(of: "Virtual-1") == 2 && harness.card.enabledCRTCs == 1)
    #expect(try await harness.show("Next").shown.count == 1)
  }

  @Test func `two displays exchange their CRTCs if only this gives both their modes`() async {
    let harness = harness(large, Size(1280, 720), crtcs: 2)
    harness.card.inject(.refuseCRTC(1, large))
    await harness.start()
    #expect(await widths(harness) == [1920, 1280])
    #expect(harness.card.crtc(of: "Virtual-1") == 2 && harness.card.crtc(of: "Virtual-2") == 1)
  }

  @Test func `if modes exceed a limit only together, the largest one is lowered, and why says so`() async throws {
    let harness = harness(large, Size(1280, 720))
    harness.card.inject(.refuseTotal(pixels: large.area))
    await harness.start()
    let widths = await widths(harness)
    #expect(widths.count == 2 && widths[0] < 1920 && widths[1] == 1280, "\(widths)")
    let why = try await harness.director.why("Virtual-1")
    #expect(why.attempts.contains { $0.contains("not together with another display") }, "\(why.attempts)")
  }

  @Test func `a joint commit that fails after its check succeeded is repeated for each display`() async {
    let harness = harness(large, Size(1280, 720))
    harness.card.inject(.failCommit(.refused), count: 1)
    await harness.start()
    #expect(await widths(harness) == [1920, 1280])
    #expect(harness.card.litPlans == 2)
  }

  @Test(.timeLimit(.minutes(10))) func `displays whose flips arrive before the commit returns are lit`() async {
    let harness = harness(large, Size(1280, 720))
    harness.card.afterModesets { await harness.drain() }
    await harness.start()
    #expect(await widths(harness) == [1920, 1280])
    harness.card.afterModesets(nil)
  }

  @Test func `a display whose check fails is lit by a retry, and the other one of its plan is lit`() async {
    let harness = harness(large, Size(1280, 720))
    // The check of both displays and the check of the first one alone.
    harness.card.inject(.fail(.check, .other), count: 2)
    await harness.start()
    await harness.wait { await widths(harness).count == 2 }
    #expect(await widths(harness) == [1920, 1280])
  }

  @Test func `a monitor unplugged during the check of its plan leaves no buffer and no enabled CRTC`() async {
    let harness = harness(large, Size(1280, 720), Size(640, 480))
    let card = harness.card
    card.during(.check) {
      card.during(.check, nil)
      card.unplug("Virtual-2")
    }
    await harness.start()
    await harness.wait { await harness.display("Virtual-2")?.state == .disconnected }
    await harness.wait { await widths(harness) == [1920, 640] }
    await harness.waitWhile { harness.card.liveBuffers > 4 || harness.card.enabledCRTCs > 2 }
  }

  @Test func `a display put to sleep during the check of its plan sleeps, and the other one is lit`() async {
    let harness = harness(Size(640, 480), Size(1280, 720))
    await harness.start()
    harness.card.during(.check) {
      harness.card.during(.check, nil)
      // The request returns when the display sleeps, after the plan.
      Task { try? await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1")) }
      await harness.waitWhile { director in !director.isToSleep("Virtual-1") }
    }
    harness.card.reshape("Virtual-1") { $0.isLinkBad = true }
    await harness.wait { await harness.display("Virtual-1")?.state == .asleep }
    #expect(await widths(harness) == [1280])
    harness.card.reshape("Virtual-1", nil)
  }

  @Test func `all displays of a card are put to sleep, and woken by one commit`() async throws {
    let harness = harness(Size(640, 480), Size(1280, 720))
    await harness.start()
    let commits = harness.card.litPlans
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    #expect(harness.modesets.suffix(2) == ["sleep Virtual-1", "sleep Virtual-2"])
    _ = try await harness.director.setAsleep(SleepRequest(asleep: false))
    #expect(harness.card.litPlans == commits + 1)
    #expect(await widths(harness) == [640, 1280])
  }

  @Test func `if displays cannot be put to sleep together, each is put to sleep alone`() async throws {
    let harness = harness(Size(640, 480), Size(1280, 720))
    await harness.start()
    harness.card.inject(.failSleep(.refused), count: 1)
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    #expect(harness.modesets.suffix(2) == ["sleep Virtual-1", "sleep Virtual-2"])
    #expect(await harness.director.displays().allSatisfy { $0.state == .asleep })
  }
}
