import Configuration
import Control
import Displays
import Geometry
import JSON
import Testing
import VirtualDisplays

@testable import Director

/// How the service is, and which monitors can be plugged into it.
struct HealthTests {
  @Test func `it starts until the first look is over, and is well then`() async throws {
    let rig = Rig(now: Rig.now)
    let before = await rig.director.health()
    #expect(before.state == .starting && !before.ready && before.live)
    await rig.start()
    let after = await rig.director.health()
    #expect(after.state == .ok && after.ready && after.reasons.isEmpty)
  }

  @Test func `it counts whole seconds from its beginning`() async throws {
    let steady = HandClock(1_000_000)
    let rig = Rig(now: { UInt64(steady.now) * 1_000_000 })
    #expect(await rig.director.health().uptime == 0)
    steady.now += 61_999
    #expect(await rig.director.health().uptime == 61)
  }

  @Test func `a dark display makes it degraded, with the reason and the next step; a sleeping one does not`()
    async throws
  {
    let rig = Rig(crtcs: 1)
    await rig.start()
    try await rig.plug(640, 480)
    try await rig.plug(800, 600)
    await rig.rest()
    let health = await rig.director.health()
    #expect(health.state == .degraded && health.ready)
    #expect(health.reasons.count == 1)
    #expect(health.reasons.first?.hasPrefix("Virtual-2 is dark: ") ?? false, "\(health.reasons)")
    #expect(health.reasons.first?.hasSuffix("`placard why Virtual-2` shows what was tried") ?? false)
    try await rig.director.unplug("Virtual-2")
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    #expect(await rig.director.health().state == .ok)
  }

  @Test func `settings that only a restart applies make it degraded, until they are taken back`() async throws {
    let rig = Rig()
    await rig.start()
    await rig.director.apply(Settings(message: "Hello", backend: .kms, storage: .memory))
    let reason = "changed in the configuration, but not applied: backend, state; restart placardd to apply them"
    #expect(await rig.director.health().reasons == [reason + " (systemctl restart placard)"])
    #expect(await rig.director.status().problems == [reason + " (systemctl restart placard)"])
    await rig.director.apply(Settings(message: "Hello"))
    #expect(await rig.director.health().state == .ok)
  }

  @Test func `the menu has the usual sizes, each of which can be plugged`() async throws {
    let rig = Rig()
    await rig.start()
    let report = await rig.director.virtualMonitors()
    #expect(report.available && report.plugged == [])
    #expect(
      report.choices.map { $0.label.prefix { $0 != "," } } == [
        "800x480", "1024x600", "1280x720", "1366x768", "1920x1080", "1080x1920", "2560x1440", "3440x1440",
        "3840x2160",
      ])
    for choice in report.choices {
      let plugged = try await rig.director.plug(choice.request)
      #expect(plugged.role == (choice.request.display == "eDP-1" ? "internal" : "external"))
      try await rig.director.unplug(plugged.name)
    }
    try await rig.plug(640, 480)
    #expect(await rig.director.virtualMonitors().plugged == ["Virtual-1"])
  }

  @Test func `monitors of the settings' folder are on the menu by their names, but for broken ones`() async throws {
    let edid = VirtualMonitor(size: Size(1280, 720), name: "lobby").edid
    let rig = Rig(
      Settings(edids: "/some/folder"), edids: { folder in folder == "/some/folder" ? [edid, [1, 2, 3], []] : [] })
    await rig.start()
    let choices = await rig.director.virtualMonitors().choices
    #expect(choices.count == 10)
    let last = try #require(choices.last)
    #expect(last.label == "PLC lobby, 1280x720" && last.request.edid == Base64.encode(edid))
    let plugged = try await rig.director.plug(last.request)
    #expect(plugged.monitor == "PLC lobby")
  }
}
