import Configuration
import Control
import Displays
import Geometry
import JSON
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Pictures that tell of other displays: mirrors, and the controller's view on a built-in panel.
struct ObserverTests {
  /// The controller's view on eDP-1, and a monitor on Virtual-1.
  private func panelRig() async throws -> Rig {
    let rig = Rig(Settings())
    await rig.start()
    try await rig.plug(640, 480, into: "eDP-1")
    try await rig.plug(320, 240)
    await rig.rest()
    return rig
  }

  private func line(_ rig: Rig) async -> ControllerPanel.Line? {
    await rig.director.panel(beside: "eDP-1")?.displays.first { $0.name == "Virtual-1" }
  }

  /// Whether the panel is drawn anew by this.
  private func isDrawn(_ rig: Rig, by body: () async throws -> Void) async rethrows -> Bool {
    await rig.rest()
    let before = await rig.director.drawings("eDP-1")
    try await body()
    await rig.rest()
    return await rig.director.drawings("eDP-1") > before
  }

  @Test func `the controller's view is drawn anew when a display comes, sleeps, wakes and goes`() async throws {
    let rig = try await panelRig()
    #expect(await line(rig)?.state == "lit")
    #expect(
      try await isDrawn(rig) { _ = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1")) })
    #expect(await line(rig)?.state == "asleep")
    #expect(try await isDrawn(rig) { _ = try await rig.director.setAsleep(SleepRequest(asleep: false)) })
    #expect(await line(rig)?.state == "lit")
    #expect(try await isDrawn(rig) { try await rig.director.unplug("Virtual-1") })
    #expect(await line(rig) == nil)
    #expect(try await isDrawn(rig) { try await rig.plug(320, 240) })
    #expect(await line(rig)?.state == "lit")
  }

  @Test func `the controller's view is drawn anew when displays sleep with the machine, and after it`() async throws {
    let rig = try await panelRig()
    #expect(await isDrawn(rig) { await rig.director.controllerSleeps(true) })
    #expect(await isDrawn(rig) { await rig.director.controllerSleeps(false) })
    #expect(await line(rig)?.state == "lit")
  }

  @Test func `the controller's view tells that a display is dark`() async throws {
    let rig = try await panelRig()
    try await rig.director.unplug("Virtual-1")
    rig.card.inject(.failCommit(.refused))
    #expect(await isDrawn(rig) { _ = try? await rig.plug(320, 240) })
    // The card's own hint may have it tried once more just now.
    await rig.wait { await line(rig)?.state == "dark" }
  }

  @Test func `the controller's view names the message that is on screen, and none that no display shows`() async throws
  {
    let rig = try await panelRig()
    _ = try await rig.director.post(MessageRequest(text: "For nobody here", tag: "elsewhere", priority: 9))
    await rig.rest()
    #expect(await rig.director.panel(beside: "eDP-1")?.message == nil)
    rig.card.holdFlips()
    _ = try await rig.director.post(MessageRequest(text: "Seen", display: "Virtual-1"))
    #expect(await rig.director.panel(beside: "eDP-1")?.message == nil, "its flip has not come")
    #expect(await line(rig)?.detail != "Seen", "its flip has not come")
    rig.card.releaseFlips()
    await rig.rest()
    #expect(await rig.director.panel(beside: "eDP-1")?.message == "Seen")
    #expect(await line(rig)?.detail == "Seen")
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    #expect(await rig.director.panel(beside: "eDP-1")?.message == nil, "what sleeps shows nothing")
  }

  @Test func `the controller's view is drawn anew when the flip of another display comes`() async throws {
    let rig = try await panelRig()
    rig.card.holdFlips()
    _ = try await rig.director.post(MessageRequest(text: "Seen", display: "Virtual-1"))
    // The panel's own flip is held back, too: what is drawn is counted, not what is on screen.
    let before = await rig.director.drawings("eDP-1")
    rig.card.releaseFlips()
    await rig.rest()
    #expect(await rig.director.drawings("eDP-1") > before)
  }

  @Test func `a mirror is drawn anew when what it mirrors changes, goes, and comes with another size`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480, into: "eDP-1")
    try await rig.plug(320, 240)
    let mirror = Scene(.mirror(of: "Virtual-1")).document
    _ = try await rig.director.open(OpenRequest(scene: mirror, display: "eDP-1", wait: true))
    #expect(await rig.director.mirror("eDP-1")?.pixels.width == 320)
    #expect(try await isDrawn(rig) { _ = try await rig.show("Mirrored", on: "Virtual-1") })
    #expect(await rig.director.mirror("eDP-1")?.view == View(banner: "Mirrored"))
    #expect(try await isDrawn(rig) { try await rig.director.unplug("Virtual-1") })
    #expect(await rig.director.mirror("eDP-1") == nil)
    #expect(try await isDrawn(rig) { try await rig.plug(800, 600, into: "Virtual-1") })
    #expect(await rig.director.mirror("eDP-1")?.pixels.width == 800)
  }

  private func mirror(_ mirrored: String) -> JSONValue { Scene(.mirror(of: mirrored)).document }

  /// What a request is refused with; nil where it is not.
  private func refusal(_ act: () async throws(ControlError) -> Void) async -> ControlError? {
    do throws(ControlError) { try await act() } catch { return error }
    return nil
  }

  @Test func `a mirror of a mirror, or of the display itself, is refused in whatever way it is set`() async throws {
    let rig = Rig()
    await rig.start()
    for _ in 0..<3 { try await rig.plug(320, 240) }
    let director = rig.director
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
    #expect(await rig.display("Virtual-3")?.message == "mirror of Virtual-1: Here", "two mirrors of one display")
  }

  @Test func `a role's scene that is a mirror is not mirrored, and what is well may change beside one that is`()
    async throws
  {
    var settings = Settings(message: "Hello")
    settings.roles[.internal] = DisplayRequests(scene: Scene(.mirror(of: "Virtual-1")))
    let rig = Rig(settings)
    await rig.start()
    try await rig.plug(320, 240, into: "eDP-1")
    for _ in 0..<2 { try await rig.plug(320, 240) }
    let request = OpenRequest(scene: mirror("eDP-1"), display: "Virtual-2")
    let error = await refusal { () throws(ControlError) in _ = try await rig.director.open(request) }
    #expect(error?.message.hasPrefix("Virtual-2 cannot mirror eDP-1, which mirrors Virtual-1") == true)
    _ = try await rig.show("Still", on: "Virtual-2")
  }

  @Test func `mirrors of each other that were there before come to rest`() async throws {
    var settings = Settings(message: "Hello")
    settings.roles[.internal] = DisplayRequests(scene: Scene(.mirror(of: "Virtual-1")))
    settings.roles[.external] = DisplayRequests(scene: Scene(.mirror(of: "eDP-1")))
    let rig = Rig(settings)
    await rig.start()
    try await rig.plug(320, 240, into: "eDP-1")
    try await rig.plug(320, 240)
    await rig.rest()
    let drawings = await rig.director.drawings("Virtual-1")
    _ = try await rig.director.post(MessageRequest(text: "For nobody", tag: "nobody"))
    await rig.rest()
    #expect(await rig.director.drawings("Virtual-1") <= drawings + 2)
  }
}
