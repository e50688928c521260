import Control
import Director
import Displays
import Geometry
import JSON
import Scenes
import Testing
import VirtualDisplays

/// Virtual monitors after a restart, and the numerical order of names.
struct PlugRestoringTests {
  private func names(_ harness: Harness) async -> [String] { await harness.director.displays().map(\.name) }

  @Test func `virtual monitors return after a restart with their names, sizes and order`() async throws {
    let persistence = KeptRecords(keepsPlugs: true)
    let first = Harness(persistence: persistence)
    await first.start()
    try await first.plug(640, 480, into: "Virtual-10")
    try await first.plug(320, 240, into: "Virtual-2")
    try await first.plug(1366, 768, into: "eDP-1")
    try await first.plug(800, 600, into: "Virtual-3")
    let edid = Base64.encode(VirtualMonitor(size: Size(1280, 1024), name: "Door").edid)
    _ = try await first.director.plug(PlugRequest(display: "Virtual-1", edid: edid))
    try await first.director.unplug("Virtual-3")
    let before = await first.director.displays()
    #expect(before.map(\.name) == ["Virtual-1", "Virtual-2", "Virtual-10", "eDP-1", "Virtual-3"])
    await first.director.close()

    let second = Harness(persistence: persistence)
    _ = second.card.plug(Size(1920, 1080), into: nil)
    await second.start()
    let after = await second.director.displays()
    #expect(after.map(\.name) == before.map(\.name))
    #expect(after.map(\.mode) == before.map(\.mode))
    #expect(after.map(\.identity) == before.map(\.identity))
    #expect(after.first { $0.name == "Virtual-3" }?.state == .disconnected)
    #expect(!second.card.journal.contains { $0.hasPrefix("light Virtual-1 1920x1080") }, "the default monitor")
  }

  @Test func `an unreadable record of virtual monitors leaves the card's default monitor`() async throws {
    let texts = [
      "", "[]", "{}", #"{"v":2,"sockets":[]}"#, #"{"v":1,"sockets":{}}"#, #"{"v":1}"#,
    ]
    for json in texts {
      let persistence = KeptRecords([Record(kind: "virtual", key: "sockets", json: json)], keepsPlugs: true)
      let harness = Harness(persistence: persistence)
      _ = harness.card.plug(Size(320, 240), into: nil)
      await harness.start()
      #expect(await names(harness) == ["Virtual-1"], "\(json)")
    }
  }

  @Test func `invalid sockets and monitors above the size limit are not lit after a restart`() async throws {
    let json = #"""
      {"v":1,"sockets":[1,{"name":"HDMI-A-1","width":320,"height":240},{"name":"Virtual-4","edid":"!"},
      {"name":"Virtual-5","edid":"AAAA"},{"name":"Virtual-6","width":0,"height":-1},
      {"name":"Virtual-7","width":16384,"height":16384},{"name":"Virtual-1","width":320,"height":240}]}
      """#
    let persistence = KeptRecords([Record(kind: "virtual", key: "sockets", json: json)], keepsPlugs: true)
    let harness = Harness(persistence: persistence)
    await harness.start()
    let displays = await harness.director.displays()
    #expect(displays.filter { $0.state == .lit }.map(\.name) == ["Virtual-1"])
    #expect(displays.allSatisfy { $0.name.hasPrefix("Virtual-") })
  }

  @Test func `an error lists the displays in numerical order`() async throws {
    let harness = Harness()
    await harness.start()
    for name in ["Virtual-1", "Virtual-2", "Virtual-3", "Virtual-10"] { try await harness.plug(320, 240, into: name) }
    try await harness.director.unplug("Virtual-2")
    await #expect {
      _ = try await harness.director.why("Virtual-9")
    } throws: { error in
      "\(error)".contains("Virtual-1, Virtual-2, Virtual-3, Virtual-10")
    }
  }

  @Test func `an absent monitor keeps its label, even after a restart`() async throws {
    let first = Harness()
    await first.start()
    try await first.plug(640, 480)
    _ = try await first.show("Mine", on: "Virtual-1")
    _ = try await first.director.open(
      OpenRequest(scene: Scene.banner("Mine").document, display: "Virtual-1"))
    #expect(await first.director.sessions().map(\.label) == ["PLC 640x480"])
    try await first.director.unplug("Virtual-1")
    #expect(await first.director.sessions().map(\.label) == ["PLC 640x480"])
    await first.director.close()

    let second = Harness(persistence: first.persistence)
    await second.start()
    #expect(await second.director.sessions().map(\.label) == ["PLC 640x480"])
    #expect(await second.director.sessions().map(\.display) == [nil])
    try await second.plug(640, 480, into: "Virtual-7")
    #expect(await second.director.sessions().map(\.label) == ["PLC 640x480"])
  }
}
