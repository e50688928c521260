import Configuration
import Control
import Displays
import Geometry
import Testing
import VirtualDisplays

@testable import Director

/// Each call to a card fails once, with each answer, wherever it comes in a whole story; then all is as it must be.
@Suite(.serialized) struct SweepTests {
  static let calls = VirtualCall.allCases.flatMap { call in CardError.Reason.allCases.map { (call, $0) } }

  @Test(.timeLimit(.minutes(1)), arguments: calls)
  func `whatever call fails once, the displays end lit with the newest message, or lost with their card`(
    call: VirtualCall, reason: CardError.Reason
  ) async throws {
    var spared = 0
    while true {
      let rig = Rig(patience: .init(flip: 60_000_000_000, busy: 1_000_000))
      rig.card.inject(.fail(call, reason), after: spared, count: 1)
      await story(rig)
      // From here on all goes well.
      rig.card.inject(.fail(call, reason), count: 0)
      let place = "\(call) \(reason), after \(spared)"
      if rig.card.injectedFaultCount > 0, reason == .gone {
        await end(rig, place)
      } else {
        try await light(rig, place)
        await rig.director.close()
      }
      await rig.waitWhile { rig.card.liveBuffers > 0 }
      if rig.card.injectedFaultCount == 0 { break }
      spared += 1
    }
    #expect(spared > 0, "\(call) was never called")
  }

  /// Plugs, messages, sleep and unplugs. What is refused is refused.
  private func story(_ rig: Rig) async {
    await rig.start()
    _ = try? await rig.plug(160, 120)
    _ = try? await rig.show("One")
    _ = try? await rig.plug(200, 150)
    _ = try? await rig.show("Two")
    _ = try? await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    _ = try? await rig.director.setAsleep(SleepRequest(asleep: false))
    try? await rig.director.unplug("Virtual-1")
    _ = try? await rig.plug(160, 120, into: "Virtual-1")
    _ = try? await rig.show("Three")
  }

  /// Whatever was refused is taken by now, or with the next look, which comes by itself.
  private func light(_ rig: Rig, _ place: String) async throws {
    await rig.rest()
    if await rig.director.status().lit < 2 {
      let table = await rig.director.displays().map { "\($0.name) \($0.state) \($0.reason ?? "")" }
      #expect(await rig.director.isLookDue, "\(place): no look will come for \(table)")
    }
    await rig.director.lookAtAll()
    await rig.rest()
    let result = try await rig.show("End")
    #expect(Set(result.shown.map(\.display)) == ["Virtual-1", "Virtual-2"], "\(place): \(result)")
    let reports = await rig.director.displays()
    #expect(reports.map(\.message) == ["End", "End"], "\(place)")
    #expect(await rig.director.status().problems.isEmpty, "\(place)")
    // A monitor that could not be switched off for its sleep is lit again, and CRTCs in vain are off.
    #expect(rig.card.enabledCRTCs == 2, "\(place)")
  }

  /// The card is gone: nobody waits, nothing is kept, and the service goes on.
  private func end(_ rig: Rig, _ place: String) async {
    await rig.director.lookAtAll()
    #expect(await rig.director.displays().allSatisfy { $0.state == "lost" }, "\(place)")
    #expect(await rig.director.status().lit == 0, "\(place)")
    #expect((try? await rig.show("Nobody"))?.shown.isEmpty == true, "\(place)")
  }
}
