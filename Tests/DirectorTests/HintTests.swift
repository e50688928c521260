import Control
import Displays
import Geometry
import Testing
import VirtualDisplays

@testable import Director

/// Hints of the kernel that name the connector that changed.
struct HintTests {
  /// A rig with three displays, each on a connector of its own.
  private func rig() async throws -> Rig {
    let rig = Rig()
    await rig.start()
    for _ in 0..<3 { try await rig.plug(320, 240) }
    await rig.rest()
    return rig
  }

  @Test func `a plug or unplug probes only its connector (6)`() async throws {
    let rig = try await rig()
    let before = rig.card.connectorProbes
    rig.card.unplug("Virtual-2")
    await rig.wait { await rig.display("Virtual-2")?.state == "disconnected" }
    rig.card.plug(VirtualMonitor(size: Size(640, 480), name: "b"), into: "Virtual-2")
    await rig.wait { await rig.display("Virtual-2")?.state == "lit" }
    let after = rig.card.connectorProbes
    #expect(after["Virtual-2"] == (before["Virtual-2"] ?? 0) + 2)
    #expect(after["Virtual-1"] == before["Virtual-1"] && after["Virtual-3"] == before["Virtual-3"])
    #expect(await rig.display("Virtual-2")?.width == 640)
    #expect(await rig.director.displays().filter { $0.state == "lit" }.count == 3)
  }

  /// The difference of two counts, without connectors that were not probed.
  private func probes(_ rig: Rig, since before: [String: Int]) -> [String: Int] {
    rig.card.connectorProbes.reduce(into: [:]) { news, probe in
      let count = probe.value - (before[probe.key] ?? 0)
      if count > 0 { news[probe.key] = count }
    }
  }

  @Test(arguments: [false, true])
  func `hints during a probe cause one more probe of the connectors that they name, or of all`(
    isOneUnknown: Bool
  ) async throws {
    let rig = try await rig()
    let (gate, opener) = AsyncStream<Void>.makeStream()
    rig.card.during(.probe) { for await _ in gate { break } }
    let (before, asked) = (rig.card.connectorProbes, await rig.director.looksAsked)
    rig.card.hint("Virtual-1")
    await rig.waitWhile { director in director.looksAsked == asked }
    for _ in 0..<5 {
      rig.card.hint("Virtual-2")
      rig.card.hint("Virtual-3")
    }
    if isOneUnknown { rig.card.hint() }
    await rig.waitWhile { director in director.looksAsked < asked + (isOneUnknown ? 12 : 11) }
    opener.finish()
    await rig.waitWhile { director in director.isLooking }
    let expected = ["Virtual-1": isOneUnknown ? 2 : 1, "Virtual-2": 1, "Virtual-3": 1]
    #expect(probes(rig, since: before) == expected)
    #expect(rig.modesets.count == 3, "nothing is lit anew")
  }

  @Test func `a failed probe is followed by a probe of all connectors`() async throws {
    let rig = try await rig()
    let before = rig.card.connectorProbes
    rig.card.inject(.failProbe(.busy), count: 1)
    rig.card.unplug("Virtual-3")
    await rig.wait { await rig.display("Virtual-3")?.state == "disconnected" }
    #expect(probes(rig, since: before) == ["Virtual-1": 1, "Virtual-2": 1, "Virtual-3": 1])
  }
}
