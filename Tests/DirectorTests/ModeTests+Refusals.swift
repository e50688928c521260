import Control
import Displays
import Geometry
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Requests for modes that are refused.
extension ModeTests {
  @Test func `a mode that the driver refuses is a conflict with the reason, and nothing changes`() async throws {
    let harness = try await harness()
    try await harness.plug(640, 480)
    await harness.rest()
    let before = (harness.card.journal, await harness.director.displays())
    harness.card.inject(.refuseSize(Size(1280, 720)))
    let error = await refusal { () async throws(ControlError) in try await set(harness, "1280x720", keep: true) }
    #expect(error?.kind == .conflict)
    #expect(error?.message.contains("injected") ?? false, "\(String(describing: error))")
    #expect(harness.card.journal == before.0)
    #expect(await harness.director.displays() == before.1)
    #expect(await harness.director.timerDue == nil)
    #expect(harness.keptProfiles.isEmpty && harness.card.liveBuffers == 4)
  }

  @Test func `neither a refused mode nor a rotation retries modes that were refused before`() async throws {
    let start = Harness.now()
    let harness = Harness(crtcs: 1, now: { start })
    await harness.start()
    harness.card.inject(.refuseSize(Size(1920, 1080)), count: 1)
    try await harness.plug(1920, 1080)
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.mode == "1600x900@60")
    harness.card.inject(.refuseSize(Size(1280, 720)))
    let error = await refusal { () async throws(ControlError) in try await set(harness, "1280x720") }
    #expect(error?.kind == .conflict)
    _ = try await set(harness, nil, rotation: 180)
    _ = try await harness.director.resetMode("Virtual-1")
    #expect(harness.modesets == ["light Virtual-1 1600x900@60"])
    #expect(await harness.display("Virtual-1")?.rotation == 0)
  }

  @Test func `a mode that fails only at the commit is a conflict, and the old mode is set again`() async throws {
    let harness = try await harness(crtcs: 1)
    harness.card.inject(.failCommit(.refused), count: 1)
    let error = await refusal { () async throws(ControlError) in try await set(harness, "1280x720") }
    #expect(error?.kind == .conflict)
    #expect(error?.message.contains("injected") ?? false, "\(String(describing: error))")
    await harness.rest()
    let report = try #require(await harness.display("Virtual-1"))
    #expect(report.mode == "1920x1080@60" && report.state == .lit && report.pending == nil && !report.isChosen)
    #expect(try await harness.show("Still here").shown.count == 1)
  }

  @Test func `a mode whose flip never arrives is a conflict, and the old mode is set again`() async throws {
    let harness = try await harness(patience: .init(flip: 100_000_000))
    harness.card.inject(.swallowFlip, count: 1)
    async let answer = refusal { () async throws(ControlError) in try await set(harness, "800x600") }
    await harness.waitWhile { harness.modesets.count < 2 }
    await harness.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    // The timer fires, and finds that the deadline has passed.
    steady.now += 200
    let error = await answer
    #expect(error?.kind == .conflict)
    #expect(error?.message.hasSuffix(": accepted, but no flip came in time") ?? false, "\(String(describing: error))")
    #expect(await harness.display("Virtual-1")?.mode == "1920x1080@60")
  }

  @Test func `a refused mode leaves the pending one unchanged`() async throws {
    let harness = try await harness()
    let first = try await set(harness, "1280x720")
    harness.card.inject(.refuseSize(Size(800, 600)))
    _ = await refusal { () async throws(ControlError) in try await set(harness, "800x600") }
    #expect(await harness.display("Virtual-1") == first)
    await wait(15_000, harness)
    #expect(await harness.display("Virtual-1")?.mode == "1920x1080@60")
  }

  @Test(arguments: [
    (ModeRequest(), "needs mode or rotation"), (ModeRequest(mode: "large"), "large is not a mode"),
    (ModeRequest(rotation: 45), "must be 0, 90, 180 or 270"),
    (ModeRequest(mode: "1920x1080@75"), "the nearest are 1920x1080@60, 1600x900@60, 1280x720@60"),
    (ModeRequest(mode: "1300x700"), "the nearest are 1280x720@60,"),
  ]) func `an invalid mode request is refused with the reason`(_ request: ModeRequest, _ words: String) async throws {
    let harness = try await harness()
    let error = await refusal { () async throws(ControlError) in
      try await harness.director.setMode("Virtual-1", request)
    }
    #expect(error?.kind == .invalid)
    #expect(error?.message.contains(words) ?? false, "\(String(describing: error))")
  }

  @Test func `mode requests for an unknown or unplugged display are refused`() async throws {
    let harness = try await harness()
    try await harness.director.unplug("Virtual-1")
    for (name, kind) in [("DP-9", ControlError.Kind.notFound), ("Virtual-1", .conflict)] {
      let errors = [
        await refusal { () async throws(ControlError) in try await set(harness, "legible", on: name) },
        await refusal { () async throws(ControlError) in try await harness.director.confirmMode(name) },
        await refusal { () async throws(ControlError) in try await harness.director.resetMode(name) },
      ]
      #expect(errors.map { $0?.kind } == [kind, kind, kind])
    }
  }

  @Test func `a mode request during another one is refused as a conflict`() async throws {
    let harness = try await harness()
    let refused = KeptErrors()
    harness.card.during(.allocate) {
      harness.card.during(.allocate, nil)
      do throws(ControlError) {
        _ = try await harness.director.setMode("Virtual-1", ModeRequest(mode: "800x600"))
      } catch { refused.add(error) }
    }
    let report = try await set(harness, "1280x720")
    #expect(report.mode == "1280x720@60")
    #expect(refused.all.map(\.kind) == [.conflict])
  }
}
