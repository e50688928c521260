import Control
import Displays
import Geometry
import Testing
import VirtualDisplays

@testable import Director

/// Hotplug events of the kernel that name the connector that changed.
struct HintTests {
  /// Returns a harness with three displays.
  private func harness() async throws -> Harness {
    let harness = Harness()
    await harness.start()
    for _ in 0..<3 { try await harness.plug(320, 240) }
    await harness.rest()
    return harness
  }

  @Test func `a plug or unplug probes only its connector (6)`() async throws {
    let harness = try await harness()
    let before = harness.card.connectorProbes
    harness.card.unplug("Virtual-2")
    await harness.wait { await harness.display("Virtual-2")?.state == .disconnected }
    harness.card.plug(VirtualMonitor(size: Size(640, 480), name: "b"), into: "Virtual-2")
    await harness.wait { await harness.display("Virtual-2")?.state == .lit }
    let after = harness.card.connectorProbes
    #expect(after["Virtual-2"] == (before["Virtual-2"] ?? 0) + 2)
    #expect(after["Virtual-1"] == before["Virtual-1"] && after["Virtual-3"] == before["Virtual-3"])
    #expect(await harness.display("Virtual-2")?.width == 640)
    #expect(await harness.director.displays().filter { $0.state == .lit }.count == 3)
  }

  /// Returns the number of probes since a count, without the connectors that were not probed.
  private func probes(_ harness: Harness, since before: [String: Int]) -> [String: Int] {
    harness.card.connectorProbes.reduce(into: [:]) { counts, probe in
      let count = probe.value - (before[probe.key] ?? 0)
      if count > 0 { counts[probe.key] = count }
    }
  }

  @Test(arguments: [false, true])
  func `hotplug events during a probe cause one more probe of their connectors, or of all`(
    isOneUnknown: Bool
  ) async throws {
    let harness = try await harness()
    let (gate, opener) = AsyncStream<Void>.makeStream()
    harness.card.during(.probe) { for await _ in gate { break } }
    let (before, asked) = (harness.card.connectorProbes, await harness.director.hotplugEvents)
    harness.card.hint("Virtual-1")
    await harness.waitWhile { director in director.hotplugEvents == asked }
    for _ in 0..<5 {
      harness.card.hint("Virtual-2")
      harness.card.hint("Virtual-3")
    }
    if isOneUnknown { harness.card.hint() }
    await harness.waitWhile { director in director.hotplugEvents < asked + (isOneUnknown ? 12 : 11) }
    opener.finish()
    await harness.waitWhile { director in director.isProbing }
    let expected = ["Virtual-1": isOneUnknown ? 2 : 1, "Virtual-2": 1, "Virtual-3": 1]
    #expect(probes(harness, since: before) == expected)
    #expect(harness.modesets.count == 3, "no display gets another modeset")
  }

  @Test func `a failed probe is followed by a probe of all connectors`() async throws {
    let harness = try await harness()
    let before = harness.card.connectorProbes
    harness.card.inject(.failProbe(.busy), count: 1)
    harness.card.unplug("Virtual-3")
    await harness.wait { await harness.display("Virtual-3")?.state == .disconnected }
    #expect(probes(harness, since: before) == ["Virtual-1": 1, "Virtual-2": 1, "Virtual-3": 1])
  }
}
