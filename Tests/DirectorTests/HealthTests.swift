import Configuration
import Control
import Displays
import Geometry
import JSON
import Testing
import VirtualDisplays

@testable import Director

/// The health of the service, and the virtual monitors that can be plugged into it.
struct HealthTests {
  @Test func `the health is starting until the first probe is complete, and then ok`() async throws {
    let harness = Harness(now: Harness.now)
    let before = await harness.director.health()
    #expect(before.state == .starting && !before.ready && before.live)
    await harness.start()
    let after = await harness.director.health()
    #expect(after.state == .ok && after.ready && after.reasons.isEmpty)
  }

  @Test func `the uptime counts whole seconds`() async throws {
    let steady = ManualClock(1_000_000)
    let harness = Harness(now: { UInt64(steady.now) * 1_000_000 })
    #expect(await harness.director.health().uptime == 0)
    steady.now += 61_999
    #expect(await harness.director.health().uptime == 61)
  }

  @Test func `a dark display degrades the health with a reason, and a sleeping one does not`() async throws {
    let harness = Harness(crtcs: 1)
    await harness.start()
    try await harness.plug(640, 480)
    try await harness.plug(800, 600)
    await harness.rest()
    let health = await harness.director.health()
    #expect(health.state == .degraded && health.ready)
    #expect(health.reasons.count == 1)
    #expect(health.reasons.first?.hasPrefix("Virtual-2 is dark: ") ?? false, "\(health.reasons)")
    #expect(health.reasons.first?.hasSuffix("`placard why Virtual-2` shows what was tried") ?? false)
    try await harness.director.unplug("Virtual-2")
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    #expect(await harness.director.health().state == .ok)
  }

  @Test func `settings that need a restart degrade the health until they are reverted`() async throws {
    let harness = Harness()
    await harness.start()
    await harness.director.apply(Settings(message: "Hello", backend: .kms, storage: .memory))
    let reason = "changed in the configuration, but not applied: backend, state; restart placardd to apply them"
    #expect(await harness.director.health().reasons == [reason + " (systemctl restart placard)"])
    #expect(await harness.director.status().problems == [reason + " (systemctl restart placard)"])
    await harness.director.apply(Settings(message: "Hello"))
    #expect(await harness.director.health().state == .ok)
  }

  @Test func `the menu of virtual monitors has the usual sizes, and each can be plugged in`() async throws {
    let harness = Harness()
    await harness.start()
    let report = await harness.director.virtualMonitors()
    #expect(report.available && report.plugged == [])
    #expect(
      report.choices.map { $0.label.prefix { $0 != "," } } == [
        "800x480", "1024x600", "1280x720", "1366x768", "1920x1080", "1080x1920", "2560x1440", "3440x1440",
        "3840x2160",
      ])
    for choice in report.choices {
      let plugged = try await harness.director.plug(choice.request)
      #expect(plugged.role == (choice.request.display == "eDP-1" ? .internal : .external))
      try await harness.director.unplug(plugged.name)
    }
    try await harness.plug(640, 480)
    #expect(await harness.director.virtualMonitors().plugged == ["Virtual-1"])
  }

  @Test func `the menu lists the EDIDs of the configured folder by name, except broken ones`() async throws {
    let edid = VirtualMonitor(size: Size(1280, 720), name: "lobby").edid
    let harness = Harness(
      Settings(edids: "/some/folder"), edids: { folder in folder == "/some/folder" ? [edid, [1, 2, 3], []] : [] })
    await harness.start()
    let choices = await harness.director.virtualMonitors().choices
    #expect(choices.count == 10)
    let last = try #require(choices.last)
    #expect(last.label == "PLC lobby, 1280x720" && last.request.edid == Base64.encode(edid))
    let plugged = try await harness.director.plug(last.request)
    #expect(plugged.monitor == "PLC lobby")
  }
}
