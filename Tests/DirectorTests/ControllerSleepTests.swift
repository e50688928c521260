import Configuration
import Control
import Director
import Testing
import VirtualDisplays

/// What the sleep of the machine, or its closed lid, means for the displays that are plugged into it.
struct ControllerSleepTests {
  private func rig(_ count: Int = 1) async throws -> Rig {
    let rig = Rig()
    await rig.start()
    for number in 0..<count { try await rig.plug(640 + 16 * number, 480) }
    _ = try await rig.show("Hello")
    return rig
  }

  private func states(_ rig: Rig) async -> [String] {
    await rig.director.displays().filter { $0.state != "disconnected" }.map(\.state)
  }

  @Test func `displays sleep with the machine, and are lit anew after it`() async throws {
    let rig = try await rig()
    await rig.director.controllerSleeps(true)
    let isDark = rig.card.glass("Virtual-1") == nil
    #expect(isDark)
    let report = try #require(await rig.display("Virtual-1"))
    #expect(
      report.state == "asleep" && report.reason?.contains("while the machine sleeps or its lid is closed") == true)
    #expect(await rig.director.sessions().map(\.asleep) == [false])
    await rig.director.controllerSleeps(false)
    #expect(try await rig.show("Later").notShown == [])
    #expect(rig.modesets == ["light Virtual-1 640x480@60", "sleep Virtual-1", "light Virtual-1 640x480@60"])
  }

  @Test func `what was to sleep by its own wish sleeps on`() async throws {
    let rig = try await rig(2)
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-2"))
    await rig.director.controllerSleeps(true)
    #expect(await states(rig) == ["asleep", "asleep"])
    await rig.director.controllerSleeps(false)
    _ = try await rig.show("Later", on: "Virtual-1")
    #expect(await states(rig) == ["lit", "asleep"])
    #expect(await rig.display("Virtual-2")?.reason == "asleep; `placard wake Virtual-2` lights it")
  }

  @Test func `a display that sleeps for another reason is reported as asleep once`() async throws {
    let rig = try await rig()
    await rig.director.controllerSleeps(true)
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    #expect(await rig.display("Virtual-1")?.reason == "asleep; `placard wake Virtual-1` lights it")
    #expect(rig.log.lines.filter { $0.hasPrefix("Virtual-1: asleep") }.count == 1, "\(rig.log.lines)")
  }

  @Test func `a built-in panel does not sleep with its lid: the machine knows better`() async throws {
    let rig = try await rig()
    try await rig.plug(800, 600, into: "eDP-1")
    _ = try await rig.show("Later")
    await rig.director.controllerSleeps(true)
    #expect(await rig.display("eDP-1")?.state == "lit")
    await rig.director.controllerSleeps(false)
    _ = try await rig.show("Awake")
    #expect(rig.modesets.filter { $0.contains("eDP-1") } == ["light eDP-1 800x600@60"])
  }

  @Test func `a display that is woken by hand stays awake until the next event`() async throws {
    let rig = try await rig(2)
    await rig.director.controllerSleeps(true)
    let woken = try await rig.director.setAsleep(SleepRequest(asleep: false, display: "Virtual-1"))
    #expect(woken.map(\.state) == ["lit"])
    try await rig.director.unplug("Virtual-1")
    _ = try await rig.plug(640, 480, into: "Virtual-1")
    _ = try await rig.show("Later", on: "Virtual-1")
    #expect(await states(rig) == ["lit", "asleep"])
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    _ = try await rig.director.setAsleep(SleepRequest(asleep: false))
    #expect(await states(rig) == ["lit", "lit"])
    await rig.director.controllerSleeps(true)
    #expect(await states(rig) == ["asleep", "asleep"])
  }

  @Test func `monitors that are swapped while the machine sleeps are dark, and lit after it`() async throws {
    let rig = try await rig()
    await rig.director.controllerSleeps(true)
    try await rig.director.unplug("Virtual-1")
    #expect(try await rig.plug(800, 600, into: "Virtual-1").state == "asleep")
    #expect(try await rig.plug(1024, 768, into: "Virtual-2").state == "asleep")
    await rig.director.controllerSleeps(false)
    #expect(try await rig.show("Later").notShown == [])
    #expect(rig.modesets.suffix(2).sorted() == ["light Virtual-1 800x600@60", "light Virtual-2 1024x768@60"])
  }

  @Test func `a display that is being lit when the machine falls asleep is not lit`() async throws {
    let rig = Rig()
    await rig.start()
    async let plugged = rig.plug(640, 480)
    await rig.isBeingLit("Virtual-1")
    await rig.director.controllerSleeps(true)
    _ = try await plugged
    let reason = "asleep while the machine sleeps or its lid is closed; `placard wake Virtual-1` lights it"
    #expect(try await rig.show("Later").notShown == ["Virtual-1: \(reason)"])
    let isDark = rig.card.glass("Virtual-1") == nil
    #expect(isDark)
  }

  @Test func `an end without a beginning changes nothing`() async throws {
    let rig = try await rig()
    await rig.director.controllerSleeps(false)
    _ = try await rig.show("Later")
    #expect(rig.modesets == ["light Virtual-1 640x480@60"])
  }
}
