import Control
import Director
import Displays
import Geometry
import JSON
import Scenes
import Testing
import VirtualDisplays

/// Virtual monitors are there again after a restart, and names with numbers come in their order.
struct PlugRestoringTests {
  private func names(_ rig: Rig) async -> [String] { await rig.director.displays().map(\.name) }

  @Test func `virtual monitors return after a restart with their names, sizes and order`() async throws {
    let keeper = KeptRecords(keepsPlugs: true)
    let first = Rig(keeper: keeper)
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

    let second = Rig(keeper: keeper)
    _ = second.card.plug(Size(1920, 1080), into: nil)
    await second.start()
    let after = await second.director.displays()
    #expect(after.map(\.name) == before.map(\.name))
    #expect(after.map(\.mode) == before.map(\.mode))
    #expect(after.map(\.identity) == before.map(\.identity))
    #expect(after.first { $0.name == "Virtual-3" }?.state == "disconnected")
    #expect(!second.card.journal.contains { $0.hasPrefix("light Virtual-1 1920x1080") }, "no other monitor before")
  }

  @Test func `a record of virtual monitors that cannot be read leaves the monitor of the start`() async throws {
    let texts = [
      "", "[]", "{}", #"{"v":2,"sockets":[]}"#, #"{"v":1,"sockets":{}}"#, #"{"v":1}"#,
    ]
    for json in texts {
      let keeper = KeptRecords([Record(kind: "virtual", key: "sockets", json: json)], keepsPlugs: true)
      let rig = Rig(keeper: keeper)
      _ = rig.card.plug(Size(320, 240), into: nil)
      await rig.start()
      #expect(await names(rig) == ["Virtual-1"], "\(json)")
    }
  }

  @Test func `sockets that cannot be are left out, and monitors beyond the limit are unplugged`() async throws {
    let json = #"""
      {"v":1,"sockets":[1,{"name":"HDMI-A-1","width":320,"height":240},{"name":"Virtual-4","edid":"!"},
      {"name":"Virtual-5","edid":"AAAA"},{"name":"Virtual-6","width":0,"height":-1},
      {"name":"Virtual-7","width":16384,"height":16384},{"name":"Virtual-1","width":320,"height":240}]}
      """#
    let keeper = KeptRecords([Record(kind: "virtual", key: "sockets", json: json)], keepsPlugs: true)
    let rig = Rig(keeper: keeper)
    await rig.start()
    let displays = await rig.director.displays()
    #expect(displays.filter { $0.state == "lit" }.map(\.name) == ["Virtual-1"])
    #expect(displays.allSatisfy { $0.name.hasPrefix("Virtual-") })
  }

  @Test func `an error names the displays in their order`() async throws {
    let rig = Rig()
    await rig.start()
    for name in ["Virtual-1", "Virtual-2", "Virtual-3", "Virtual-10"] { try await rig.plug(320, 240, into: name) }
    try await rig.director.unplug("Virtual-2")
    await #expect {
      _ = try await rig.director.why("Virtual-9")
    } throws: { error in
      "\(error)".contains("Virtual-1, Virtual-2, Virtual-3, Virtual-10")
    }
  }

  @Test func `an absent monitor keeps its label, also over a restart`() async throws {
    let first = Rig()
    await first.start()
    try await first.plug(640, 480)
    _ = try await first.show("Mine", on: "Virtual-1")
    _ = try await first.director.open(
      OpenRequest(scene: Scene.banner("Mine").document, display: "Virtual-1"))
    #expect(await first.director.sessions().map(\.label) == ["PLC 640x480"])
    try await first.director.unplug("Virtual-1")
    #expect(await first.director.sessions().map(\.label) == ["PLC 640x480"])
    await first.director.close()

    let second = Rig(keeper: first.keeper)
    await second.start()
    #expect(await second.director.sessions().map(\.label) == ["PLC 640x480"])
    #expect(await second.director.sessions().map(\.display) == [nil])
    try await second.plug(640, 480, into: "Virtual-7")
    #expect(await second.director.sessions().map(\.label) == ["PLC 640x480"])
  }
}
