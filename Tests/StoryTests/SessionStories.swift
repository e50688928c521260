import Control
import Displays
import Geometry
import Lab
import Scenes
import Testing

@testable import VirtualDisplays

/// The state of each monitor on a real kernel: its scene and its sleep. All stories share a guest with a virtio-gpu
/// card.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"))
struct SessionStories {
  private static let lab = Result { try GuestFixture.boot() }

  /// Returns the guest without monitors.
  private func emptied() throws -> Lab {
    let lab = try Self.lab.get()
    for output in 0..<4 { try? lab.unplug(output) }
    return lab
  }

  func guest(_ arguments: String...) throws -> GuestFixture {
    try GuestFixture(lab: try emptied(), ["--message", "Welcome"] + arguments)
  }

  @Test(arguments: [[], ["--no-atomic"]])
  func `a sleeping display keeps its mode across an unplug, and wakes with its message`(
    options: [String]
  ) throws {
    let guest = try options.isEmpty ? guest() : guest(options[0])
    let lab = guest.lab
    try lab.plug(0, width: 1280, height: 720)
    _ = try guest.see(0, try Expectation("Welcome", Size(1280, 720)))
    // Plug one at a time: the driver clears the event of a second change that arrives while it handles the first.
    try lab.plug(1, width: 1024, height: 768)
    _ = try guest.see(1, try Expectation("Welcome", Size(1024, 768)))

    try guest.placard("sleep", "Virtual-1")
    let crtc = try crtc(guest, "Virtual-1")
    #expect(crtc.contains("enable=1") && crtc.contains("active=0"), "\(crtc)")
    #expect(crtc.contains { $0.hasPrefix("mode: \"1280x720\"") }, "\(crtc)")
    #expect(try self.crtc(guest, "Virtual-2").contains("active=1"), "the other display is awake")

    for _ in 0..<2 {
      guest.skipLog()
      try lab.unplug(0)
      try guest.waitForLog("Virtual-1: disconnected")
      try lab.plug(0, width: 1280, height: 720)
      try guest.waitForLog("Virtual-1: asleep")
      #expect(try guest.display("Virtual-1").state == .asleep)
      #expect(try activeCRTCs(guest) == 1)
    }

    let answer = try guest.run(["show", "Later", "--display", "Virtual-1"])
    #expect(answer.errors.contains("Virtual-1: asleep; `placard wake Virtual-1` lights it"))
    try guest.placard("wake", "Virtual-1")
    _ = try guest.see(0, try Expectation("Later", Size(1280, 720)))
    #expect(try activeCRTCs(guest) == 2)
    try guest.end()
  }

  @Test(.enabled(if: MonitorData.folder != nil, "needs EDIDs of real monitors, which are not in the repository"))
  func `two real monitors swap ports, and each shows its own scene in its first frame, even after a restart`() throws {
    var one = Sign(edid: try real("1920", "1080"), output: 0, scene: .banner("One"))
    var other = Sign(
      edid: try real("1280", "1024"), output: 1,
      scene: Scene(.card(Card(title: "Lift 2", content: "Out of order until Friday", footer: "Call 4711"))))
    let guest = try guest()
    for sign in [one, other] {
      try guest.plug(sign.edid, sign.output)
      try guest.open(sign.scene, on: sign.display)
    }
    try guest.unplug(0, 1)
    (one, other) = (one.on(1), other.on(0))
    try guest.expectFirstFrames([one, other])

    try guest.unplug(1, 0)
    try guest.end()
    try guest.restart(["--message", "Welcome"])
    (one, other) = (one.on(0), other.on(1))
    try guest.expectFirstFrames([other, one])
    try leave(guest)
  }

  @Test func `identical monitors stay with their ports, in whatever order they are plugged in`() throws {
    let edid = SyntheticEDID.bytes(size: Size(1024, 768), name: "Twin")
    let monitors = [
      Sign(edid: edid, output: 0, scene: .banner("Left")), Sign(edid: edid, output: 1, scene: .banner("Right")),
    ]
    let guest = try guest()
    for monitor in monitors {
      try guest.plug(edid, monitor.output)
      try guest.open(monitor.scene, on: monitor.display)
    }
    try guest.unplug(0, 1)
    try guest.expectFirstFrames([monitors[1], monitors[0]])
    try guest.unplug(1, 0)
    try guest.expectFirstFrames([monitors[1], monitors[0]])
    try guest.unplug(0)
    try guest.expectFirstFrames([monitors[0]])
    try leave(guest)
  }

  @Test func `a session waits for its monitor, moves and closes; then the scene of its rule or role returns`()
    throws
  {
    let settings = """
      [role.external]
      message = "Everyone"

      [[monitor]]
      name = "Lobby*"
      scene = { kind = "card", title = "The lobby" }

      """
    let lobby = SyntheticEDID.bytes(size: Size(1280, 720), name: "Lobby 1")
    let hall = SyntheticEDID.bytes(size: Size(1024, 768), name: "Hall")
    let rule = Scene(.card(Card(title: "The lobby")))
    let lab = try emptied()
    try lab.put(settings.utf8, to: "/run/placard-story.toml")
    let guest = try GuestFixture(lab: lab, ["--config", "/run/placard-story.toml"])

    try guest.expectFirstFrames([Sign(edid: lobby, output: 0, scene: rule)])
    #expect(try why(guest).contains("/run/placard-story.toml:4: this monitor matches [[monitor]] name"))
    let own = try guest.open(.banner("The lobby's own"), on: "Virtual-1")
    try guest.unplug(0)
    try guest.expectFirstFrames([Sign(edid: hall, output: 0, scene: .banner("Everyone"))])
    #expect(try why(guest).contains("/run/placard-story.toml:1: [role.external] sets scene"))
    let halls = try guest.open(.banner("The hall's own"), on: "Virtual-1")
    #expect(halls != own)

    let waiting = try #require(try guest.sessions().first { $0.id == own })
    #expect(waiting.display == nil && waiting.place == "Virtual-1" && waiting.summary == "The lobby's own")
    try guest.placard("move", "\(own)", "Virtual-1")
    try guest.see(0, .banner("The lobby's own"))
    #expect(try guest.sessions().compactMap(\.id) == [own], "the monitor's previous session has ended")
    try guest.placard("close", "Virtual-1")
    try guest.see(0, .banner("Everyone"))

    try guest.expectFirstFrames([Sign(edid: lobby, output: 1, scene: rule)])
    try leave(guest)
  }

  private func why(_ guest: GuestFixture) throws -> String { try guest.placard("why", "Virtual-1") }

  private func real(_ width: String, _ height: String) throws -> [UInt8] {
    try #require(try MonitorData.first { $0["pref_w"] == width && $0["pref_h"] == height })
  }

  /// Stops the daemon and restores QEMU's own EDIDs.
  func leave(_ guest: GuestFixture) throws {
    for output in 0..<2 { try guest.lab.resetEDID(output) }
    try guest.end()
  }

  /// Returns the debugfs `state` of the CRTC that drives a connector.
  private func crtc(_ guest: GuestFixture, _ connector: String) throws -> [String] {
    let lines = try state(guest)
    let start = try #require(lines.firstIndex { $0.hasPrefix("connector[") && $0.contains(connector) })
    let route = try #require(lines[start...].first { $0.hasPrefix("crtc=") })
    let head = try #require(
      lines.firstIndex { $0.hasPrefix("crtc[") && $0.hasSuffix(": " + route.dropFirst("crtc=".count)) })
    return Array(lines[(head + 1)...].prefix { !$0.contains("[") || $0.hasPrefix("mode") })
  }

  private func activeCRTCs(_ guest: GuestFixture) throws -> Int { try state(guest).filter { $0 == "active=1" }.count }

  private func state(_ guest: GuestFixture) throws -> [String] {
    try guest.file("/sys/kernel/debug/dri/0/state").split(separator: "\n").map { line in
      String(line.drop { $0 == "\t" || $0 == " " })
    }
  }
}
