import Configuration
import Control
import Displays
import Geometry
import JSON
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Scenes that show other displays: mirrors, and the controller screen on a built-in panel.
struct ObserverTests {
  /// Returns a harness with the controller screen on eDP-1 and a monitor on Virtual-1.
  private func panelHarness() async throws -> Harness {
    let harness = Harness(Settings())
    await harness.start()
    try await harness.plug(640, 480, into: "eDP-1")
    try await harness.plug(320, 240)
    await harness.rest()
    return harness
  }

  private func line(_ harness: Harness) async -> ControllerPanel.Line? {
    await harness.director.panel(beside: "eDP-1")?.displays.first { $0.name == "Virtual-1" }
  }

  /// Returns whether an action causes a new frame on the panel.
  private func isPainted(_ harness: Harness, by body: () async throws -> Void) async rethrows -> Bool {
    await harness.rest()
    let before = await harness.director.paintRequests("eDP-1")
    try await body()
    await harness.rest()
    return await harness.director.paintRequests("eDP-1") > before
  }

  @Test func `the controller screen is repainted when a display appears, sleeps, wakes or disappears`() async throws {
    let harness = try await panelHarness()
    #expect(await line(harness)?.state == "lit")
    let asleep = SleepRequest(asleep: true, display: "Virtual-1")
    #expect(try await isPainted(harness) { _ = try await harness.director.setAsleep(asleep) })
    #expect(await line(harness)?.state == "asleep")
    #expect(try await isPainted(harness) { _ = try await harness.director.setAsleep(SleepRequest(asleep: false)) })
    #expect(await line(harness)?.state == "lit")
    #expect(try await isPainted(harness) { try await harness.director.unplug("Virtual-1") })
    #expect(await line(harness) == nil)
    #expect(try await isPainted(harness) { try await harness.plug(320, 240) })
    #expect(await line(harness)?.state == "lit")
  }

  @Test func `the controller screen is repainted when the host suspends and when it wakes`() async throws {
    let harness = try await panelHarness()
    #expect(await isPainted(harness) { await harness.director.controllerSleeps(true) })
    #expect(await isPainted(harness) { await harness.director.controllerSleeps(false) })
    #expect(await line(harness)?.state == "lit")
  }

  @Test func `the controller screen shows that a display is dark`() async throws {
    let harness = try await panelHarness()
    try await harness.director.unplug("Virtual-1")
    harness.card.inject(.failCommit(.refused))
    #expect(await isPainted(harness) { _ = try? await harness.plug(320, 240) })
    // The card's own hotplug event may cause one more attempt at this moment.
    await harness.wait { await line(harness)?.state == "dark" }
  }

  @Test func `the controller screen names only messages that a display presents`() async throws {
    let harness = try await panelHarness()
    _ = try await harness.director.post(MessageRequest(text: "For other displays", tag: "elsewhere", priority: 9))
    await harness.rest()
    #expect(await harness.director.panel(beside: "eDP-1")?.message == nil)
    harness.card.holdFlips()
    _ = try await harness.director.post(MessageRequest(text: "Seen", display: "Virtual-1"))
    #expect(await harness.director.panel(beside: "eDP-1")?.message == nil, "its flip has not arrived")
    #expect(await line(harness)?.detail != "Seen", "its flip has not arrived")
    harness.card.releaseFlips()
    await harness.rest()
    #expect(await harness.director.panel(beside: "eDP-1")?.message == "Seen")
    #expect(await line(harness)?.detail == "Seen")
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    #expect(await harness.director.panel(beside: "eDP-1")?.message == nil, "a sleeping display shows nothing")
  }

  @Test func `the controller screen is repainted after the flip of another display`() async throws {
    let harness = try await panelHarness()
    harness.card.holdFlips()
    _ = try await harness.director.post(MessageRequest(text: "Seen", display: "Virtual-1"))
    // The flips of the panel are held back as well, so the test counts requested frames, not presented ones.
    let before = await harness.director.paintRequests("eDP-1")
    harness.card.releaseFlips()
    await harness.rest()
    #expect(await harness.director.paintRequests("eDP-1") > before)
  }

  @Test func `a mirror is repainted when its display changes, is unplugged or returns in another size`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480, into: "eDP-1")
    try await harness.plug(320, 240)
    let mirror = Scene(.mirror(of: "Virtual-1")).document
    _ = try await harness.director.open(OpenRequest(scene: mirror, display: "eDP-1", wait: true))
    #expect(await harness.director.mirror("eDP-1")?.pixels.width == 320)
    #expect(try await isPainted(harness) { _ = try await harness.show("Mirrored", on: "Virtual-1") })
    #expect(await harness.director.mirror("eDP-1")?.view == View(banner: "Mirrored"))
    #expect(try await isPainted(harness) { try await harness.director.unplug("Virtual-1") })
    #expect(await harness.director.mirror("eDP-1") == nil)
    #expect(try await isPainted(harness) { try await harness.plug(800, 600, into: "Virtual-1") })
    #expect(await harness.director.mirror("eDP-1")?.pixels.width == 800)
  }

  private func mirror(_ mirrored: String) -> JSONValue { Scene(.mirror(of: mirrored)).document }

  /// Returns the error of a refused request; nil if it succeeds.
  private func refusal(_ act: () async throws(ControlError) -> Void) async -> ControlError? {
    do throws(ControlError) { try await act() } catch { return error }
    return nil
  }

  @Test func `every request for a mirror of a mirror or of the display itself is refused`() async throws {
    let harness = Harness()
    await harness.start()
    for _ in 0..<3 { try await harness.plug(320, 240) }
    let director = harness.director
    let scene = mirror("Virtual-1")
    let id = try #require(try await director.open(OpenRequest(scene: scene, display: "Virtual-2", wait: true)).id)
    let text = try await director.open(OpenRequest(scene: Scene.banner("Here").document, display: "Virtual-1"))
    let here = try #require(text.id)
    let other = mirror("Virtual-2")
    let refusals: [(String, () async throws(ControlError) -> Void)] = [
      (
        "Virtual-1 cannot mirror itself",
        { () throws(ControlError) in _ = try await director.move(id, to: "Virtual-1") }
      ),
      (
        "Virtual-1 and Virtual-2 cannot mirror each other",
        { () throws(ControlError) in _ = try await director.open(OpenRequest(scene: other, display: "Virtual-1")) }
      ),
      (
        "Virtual-1 and Virtual-2 cannot mirror each other",
        { () throws(ControlError) in _ = try await director.edit(here, SceneEdit(scene: other)) }
      ),
      (
        "Virtual-3 cannot mirror Virtual-2, which mirrors Virtual-1; mirror Virtual-1 instead",
        { () throws(ControlError) in _ = try await director.post(MessageRequest(scene: other, display: "Virtual-3")) }
      ),
      (
        "Virtual-1 cannot mirror itself",
        { () throws(ControlError) in _ = try await director.setMessage(MessageRequest(scene: scene)) }
      ),
    ]
    for (words, act) in refusals {
      let error = await refusal(act)
      #expect(error?.kind == .conflict && error?.message.contains(words) == true, "\(words): \(error as Any)")
    }
    #expect(await director.messages().isEmpty)
    #expect(await director.sessions().filter { $0.id != nil }.map(\.display) == ["Virtual-1", "Virtual-2"])
    _ = try await director.post(MessageRequest(scene: scene, display: "Virtual-3", wait: true))
    #expect(await harness.display("Virtual-3")?.message == "mirror of Virtual-1: Here", "two mirrors of one display")
  }

  @Test func `a mirror of a role's mirror is refused, and a message next to it is accepted`() async throws {
    var settings = Settings(message: "Hello")
    settings.roles[.internal] = DisplayRequests(scene: Scene(.mirror(of: "Virtual-1")))
    let harness = Harness(settings)
    await harness.start()
    try await harness.plug(320, 240, into: "eDP-1")
    for _ in 0..<2 { try await harness.plug(320, 240) }
    let request = OpenRequest(scene: mirror("eDP-1"), display: "Virtual-2")
    let error = await refusal { () throws(ControlError) in _ = try await harness.director.open(request) }
    #expect(error?.message.hasPrefix("Virtual-2 cannot mirror eDP-1, which mirrors Virtual-1") == true)
    _ = try await harness.show("Still", on: "Virtual-2")
  }

  @Test func `displays that mirror each other by the settings are not repainted without end`() async throws {
    var settings = Settings(message: "Hello")
    settings.roles[.internal] = DisplayRequests(scene: Scene(.mirror(of: "Virtual-1")))
    settings.roles[.external] = DisplayRequests(scene: Scene(.mirror(of: "eDP-1")))
    let harness = Harness(settings)
    await harness.start()
    try await harness.plug(320, 240, into: "eDP-1")
    try await harness.plug(320, 240)
    await harness.rest()
    let paintRequests = await harness.director.paintRequests("Virtual-1")
    _ = try await harness.director.post(MessageRequest(text: "For no display", tag: "none"))
    await harness.rest()
    #expect(await harness.director.paintRequests("Virtual-1") <= paintRequests + 2)
  }
}
