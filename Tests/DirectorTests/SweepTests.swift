import Configuration
import Control
import Displays
import Geometry
import Testing
import VirtualDisplays

@testable import Director

/// Failures of each call to a card, with each error and at each occurrence in a story.
@Suite(.serialized) struct SweepTests {
  static let calls = VirtualCall.allCases.flatMap { call in CardError.Reason.allCases.map { (call, $0) } }

  @Test(.timeLimit(.minutes(10)), arguments: calls)
  func `if any call fails once, the displays end lit with the newest message or lost`(
    call: VirtualCall, reason: CardError.Reason
  ) async throws {
    var skipped = 0
    while true {
      let harness = Harness(patience: .init(flip: 60_000_000_000, busy: 1_000_000))
      harness.card.inject(.fail(call, reason), after: skipped, count: 1)
      await story(harness)
      // No call fails from here on.
      harness.card.inject(.fail(call, reason), count: 0)
      let place = "\(call) \(reason), after \(skipped)"
      if harness.card.injectedFaultCount > 0, reason == .gone {
        await end(harness, place)
      } else {
        try await light(harness, place)
        await harness.director.close()
      }
      await harness.waitWhile { harness.card.liveBuffers > 0 }
      if harness.card.injectedFaultCount == 0 { break }
      skipped += 1
    }
    #expect(skipped > 0, "\(call) was never called")
  }

  /// Plugs, shows messages, sleeps and unplugs. Requests may be refused.
  private func story(_ harness: Harness) async {
    await harness.start()
    _ = try? await harness.plug(160, 120)
    _ = try? await harness.show("One")
    _ = try? await harness.plug(200, 150)
    _ = try? await harness.show("Two")
    _ = try? await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    _ = try? await harness.director.setAsleep(SleepRequest(asleep: false))
    try? await harness.director.unplug("Virtual-1")
    _ = try? await harness.plug(160, 120, into: "Virtual-1")
    _ = try? await harness.show("Three")
  }

  /// Checks that both displays are lit, or will be after a pending probe.
  private func light(_ harness: Harness, _ place: String) async throws {
    await harness.rest()
    let forgotten = await harness.director.forgottenDisplays
    #expect(forgotten.isEmpty, "\(place): no probe is due for \(forgotten)")
    await harness.director.probeAll()
    await harness.rest()
    let result = try await harness.show("End")
    #expect(Set(result.shown.map(\.display)) == ["Virtual-1", "Virtual-2"], "\(place): \(result)")
    let reports = await harness.director.displays()
    #expect(reports.map(\.message) == ["End", "End"], "\(place)")
    #expect(await harness.director.status().problems.isEmpty, "\(place)")
    // A monitor that could not be put to sleep is lit again, and unused CRTCs are disabled.
    #expect(harness.card.enabledCRTCs == 2, "\(place)")
  }

  /// Checks that a removed card's displays are lost, and that the director still answers.
  private func end(_ harness: Harness, _ place: String) async {
    await harness.director.probeAll()
    #expect(await harness.director.displays().allSatisfy { $0.state == .lost }, "\(place)")
    #expect(await harness.director.status().lit == 0, "\(place)")
    #expect((try? await harness.show("Lost"))?.shown.isEmpty == true, "\(place)")
  }
}
