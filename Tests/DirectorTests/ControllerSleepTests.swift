import Configuration
import Control
import Director
import Testing
import VirtualDisplays

/// Suspends of the host, or its closed lid, and the displays that are plugged into it.
struct ControllerSleepTests {
  private func harness(_ count: Int = 1) async throws -> Harness {
    let harness = Harness()
    await harness.start()
    for number in 0..<count { try await harness.plug(640 + 16 * number, 480) }
    _ = try await harness.show("Hello")
    return harness
  }

  private func states(_ harness: Harness) async -> [DisplayReport.State] {
    await harness.director.displays().filter { $0.state != .disconnected }.map(\.state)
  }

  @Test func `displays sleep while the host is suspended, and are lit again afterwards`() async throws {
    let harness = try await harness()
    await harness.director.controllerSleeps(true)
    let isDark = harness.card.scanout("Virtual-1") == nil
    #expect(isDark)
    let report = try #require(await harness.display("Virtual-1"))
    #expect(
      report.state == .asleep && report.reason?.contains("while the machine sleeps or its lid is closed") == true)
    #expect(await harness.director.sessions().map(\.asleep) == [false])
    await harness.director.controllerSleeps(false)
    #expect(try await harness.show("Later").notShown == [])
    #expect(harness.modesets == ["light Virtual-1 640x480@60", "sleep Virtual-1", "light Virtual-1 640x480@60"])
  }

  @Test func `a display that was put to sleep by a request still sleeps after the host wakes`() async throws {
    let harness = try await harness(2)
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-2"))
    await harness.director.controllerSleeps(true)
    #expect(await states(harness) == [.asleep, .asleep])
    await harness.director.controllerSleeps(false)
    _ = try await harness.show("Later", on: "Virtual-1")
    #expect(await states(harness) == [.lit, .asleep])
    #expect(await harness.display("Virtual-2")?.reason == "asleep; `placard wake Virtual-2` lights it")
  }

  @Test func `a sleep request during a host suspend changes the reason and logs no second line`() async throws {
    let harness = try await harness()
    await harness.director.controllerSleeps(true)
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    #expect(await harness.display("Virtual-1")?.reason == "asleep; `placard wake Virtual-1` lights it")
    #expect(harness.log.lines.filter { $0.hasPrefix("Virtual-1: asleep") }.count == 1, "\(harness.log.lines)")
  }

  @Test func `a built-in panel stays lit while the host is suspended or its lid is closed`() async throws {
    let harness = try await harness()
    try await harness.plug(800, 600, into: "eDP-1")
    _ = try await harness.show("Later")
    await harness.director.controllerSleeps(true)
    #expect(await harness.display("eDP-1")?.state == .lit)
    await harness.director.controllerSleeps(false)
    _ = try await harness.show("Awake")
    #expect(harness.modesets.filter { $0.contains("eDP-1") } == ["light eDP-1 800x600@60"])
  }

  @Test func `a display woken by a request during a suspend stays awake until the next suspend`() async throws {
    let harness = try await harness(2)
    await harness.director.controllerSleeps(true)
    let woken = try await harness.director.setAsleep(SleepRequest(asleep: false, display: "Virtual-1"))
    #expect(woken.map(\.state) == [.lit])
    try await harness.director.unplug("Virtual-1")
    _ = try await harness.plug(640, 480, into: "Virtual-1")
    _ = try await harness.show("Later", on: "Virtual-1")
    #expect(await states(harness) == [.lit, .asleep])
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    _ = try await harness.director.setAsleep(SleepRequest(asleep: false))
    #expect(await states(harness) == [.lit, .lit])
    await harness.director.controllerSleeps(true)
    #expect(await states(harness) == [.asleep, .asleep])
  }

  @Test func `monitors that are swapped during a host suspend stay asleep, and are lit after it`() async throws {
    let harness = try await harness()
    await harness.director.controllerSleeps(true)
    try await harness.director.unplug("Virtual-1")
    #expect(try await harness.plug(800, 600, into: "Virtual-1").state == .asleep)
    #expect(try await harness.plug(1024, 768, into: "Virtual-2").state == .asleep)
    await harness.director.controllerSleeps(false)
    #expect(try await harness.show("Later").notShown == [])
    #expect(harness.modesets.suffix(2).sorted() == ["light Virtual-1 800x600@60", "light Virtual-2 1024x768@60"])
  }

  @Test func `a display that is being enabled when the host suspends ends asleep`() async throws {
    let harness = Harness()
    await harness.start()
    async let plugged = harness.plug(640, 480)
    await harness.isBeingLit("Virtual-1")
    await harness.director.controllerSleeps(true)
    _ = try await plugged
    let reason = "asleep while the machine sleeps or its lid is closed; `placard wake Virtual-1` lights it"
    #expect(try await harness.show("Later").notShown == ["Virtual-1: \(reason)"])
    let isDark = harness.card.scanout("Virtual-1") == nil
    #expect(isDark)
  }

  @Test func `the end of a suspend that never began changes nothing`() async throws {
    let harness = try await harness()
    await harness.director.controllerSleeps(false)
    _ = try await harness.show("Later")
    #expect(harness.modesets == ["light Virtual-1 640x480@60"])
  }
}
