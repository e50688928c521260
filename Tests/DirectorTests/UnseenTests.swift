import Configuration
import Control
import Displays
import Geometry
import Pictures
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// What is said of things that no display shows.
struct UnseenTests {
  private func rig(_ displays: Int = 1, _ settings: Settings = Settings(message: "Hello")) async throws -> Rig {
    let rig = Rig(settings)
    await rig.start()
    for _ in 0..<displays { try await rig.plug(320, 240) }
    await rig.rest()
    return rig
  }

  private func unseen(_ request: MessageRequest, _ rig: Rig) async throws -> String? {
    try await rig.director.post(request).unseen
  }

  @Test func `without a monitor a message says so, also after waiting`() async throws {
    let rig = try await rig(0)
    #expect(try await rig.director.setMessage(MessageRequest(text: "a")).unseen == "no monitor is connected")
    let report = try await rig.show("b")
    #expect(report.unseen == "no monitor is connected" && report.shown.isEmpty && report.notShown.isEmpty)
    try await rig.plug(320, 240)
    await rig.rest()
    #expect(try await rig.show("c").unseen == nil)
  }

  @Test func `a tag or a role that no display has is named`() async throws {
    let rig = try await rig()
    let tag = "no connected display has the tag nope; `tags` in the configuration and `placard open --tag` set them"
    #expect(try await unseen(MessageRequest(text: "a", tag: "nope", wait: true), rig) == tag)
    let role = "no internal display is connected; `placard displays` lists those that are"
    #expect(try await unseen(MessageRequest(text: "a", role: "internal"), rig) == role)
    #expect(try await unseen(MessageRequest(text: "a", role: "external"), rig) == nil)
  }

  @Test(arguments: ["", " \n\t"]) func `an empty text is not seen on any display`(text: String) async throws {
    let rig = try await rig()
    let report = try await rig.show(text)
    #expect(report.unseen == "the text is empty, so only the background is visible; give a text")
    // A scene of this kind is asked for by its name.
    let blank = MessageRequest(scene: Scene(.blank).document, wait: true)
    #expect(try await rig.director.post(blank).unseen == nil)
  }

  @Test func `one display that shows it is enough`() async throws {
    let rig = try await rig(2)
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-2"))
    let seen = try await rig.director.setMessage(MessageRequest(text: "a"))
    #expect(seen.unseen == nil && seen.warnings == ["Virtual-2: asleep; the message is shown when it is woken"])
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    let report = try await rig.director.setMessage(MessageRequest(text: "b"))
    let asleep = (1...2).map { "Virtual-\($0): asleep; `placard wake Virtual-\($0)` lights it" }
    #expect(report.unseen == asleep.joined(separator: "; "))
  }

  @Test func `a message that another one covers says which`() async throws {
    let rig = try await rig()
    let id = try #require(try await rig.director.post(MessageRequest(text: "Above", priority: 1, wait: true)).id)
    let reason =
      "Virtual-1: message \(id) (\"Above\") covers it until it is withdrawn; `placard withdraw \(id)` ends it"
    #expect(try await unseen(MessageRequest(text: "Below"), rig) == reason)
  }

  @Test func `a scene opened where nothing is plugged in says so`() async throws {
    let rig = try await rig(2)
    try await rig.director.unplug("Virtual-2")
    let scene = Scene.banner("a").document
    let opened = try await rig.director.open(OpenRequest(scene: scene, display: "Virtual-1"))
    #expect(opened.delivery?.unseen == nil && opened.delivery?.shown == [])
    for wait in [false, true] {
      let waiting = try await rig.director.open(OpenRequest(scene: scene, display: "Virtual-2", wait: wait))
      #expect(waiting.delivery?.unseen == "Virtual-2: nothing is plugged in")
      #expect(waiting.delivery?.shown == [])
    }
  }

  @Test func `a heading that the text does not have is refused, and nothing is scrolled`() async throws {
    let rig = try await rig()
    let text = Scene(.markdown(MarkdownText("# First steps\n\ntext\n\n# Second"))).document
    let id = try #require(try await rig.director.open(OpenRequest(scene: text, display: "Virtual-1")).id)
    _ = try await rig.director.scroll(id, .heading("second"))
    await #expect(throws: ControlError(.conflict, "session \(id) has no heading #secnd: did you mean #second?")) {
      try await rig.director.scroll(id, .heading("secnd"))
    }
    await #expect(throws: ControlError(.conflict, "session \(id) has no heading #x: it has #first-steps, #second")) {
      try await rig.director.scroll(id, .heading("x"))
    }
    #expect(await rig.director.session(id)?.scroll == .heading("second"))
    let card = try #require(
      try await rig.director.open(OpenRequest(scene: Scene.banner("a").document, display: "Virtual-1")).id)
    await #expect(throws: ControlError(.conflict, "session \(card) shows a banner, which has no headings")) {
      try await rig.director.scroll(card, .heading("x"))
    }
  }

  @Test func `text in the background's color is refused, and low contrast is told in the answer`() async throws {
    let rig = try await rig()
    func banner(_ color: Color) -> MessageRequest {
      var style = StyleChanges()
      style.foreground = color
      return MessageRequest(scene: Scene(.banner("a"), style: style).document)
    }
    let words =
      "the scene cannot be used: `style.foreground` is #0b1f4b, the same color as the background, so the text would be "
      + "invisible; choose colors with a contrast of at least 3:1"
    await #expect(throws: ControlError(.invalid, words)) {
      try await rig.director.setMessage(banner(.nightBlue))
    }
    let faint = Color(red: 0x44, green: 0x44, blue: 0x55)
    let warning = "Virtual-1: the text #444455 on #0b1f4b has a contrast of 1.6:1 and is hard to read; "
    #expect(try await rig.director.setMessage(banner(faint)).warnings == [warning + "choose colors with at least 3:1"])
    let request = OpenRequest(scene: try #require(banner(faint).scene), display: "Virtual-1")
    #expect(try await rig.director.open(request).delivery?.warnings.count == 1)
  }

  @Test func `a color that only one of two displays has as its background is a warning there`() async throws {
    let rig = try await rig(2)
    try await rig.director.unplug("Virtual-2")
    try await rig.plug(320, 240, into: "eDP-1")
    var black = StyleChanges()
    black.background = .black
    var dark = Settings(message: "Hello")
    dark.roles[.internal] = DisplayRequests(style: black)
    await rig.director.apply(dark)
    await rig.rest()
    var style = StyleChanges()
    style.foreground = .black
    let scene = Scene(.banner("a"), style: style).document
    let warnings = try await rig.director.post(MessageRequest(scene: scene, wait: true)).warnings
    let words = "eDP-1: the text #000000 on #000000 has a contrast of 1.0:1 "
    #expect(warnings.contains { $0.hasPrefix(words) }, "\(warnings)")
    await #expect(throws: ControlError.self, "it would be the only display") {
      try await rig.director.post(MessageRequest(scene: scene, display: "eDP-1"))
    }
  }

  @Test func `a picture that cannot be shown is a failure, and a reason of health while it is on`() async throws {
    let rig = try await rig()
    let path = "/no/such/lobby.png"
    let scenes = [Scene(.image(ImagePanel(path: path))), Scene(.markdown(MarkdownText("# a\n\n![b](\(path))")))]
    for scene in scenes {
      let request = OpenRequest(scene: scene.document, display: "Virtual-1", wait: true)
      let delivery = try #require(try await rig.director.open(request).delivery)
      #expect(delivery.shown.isEmpty && delivery.notShown.count == 1)
      let reason = "Virtual-1: the image \(path) is not in an allowed folder"
      #expect(delivery.notShown[0].hasPrefix(reason), "\(delivery.notShown)")
      let hurried = try await rig.director.open(OpenRequest(scene: scene.document, display: "Virtual-1"))
      #expect(hurried.delivery?.warnings.map { $0.hasPrefix(reason) } == [true], "also without a wait")
      let health = await rig.director.health()
      #expect(health.state == .degraded && health.reasons == delivery.notShown)
      #expect(await rig.director.status().problems == delivery.notShown)
    }
    #expect(try await rig.show("Over it").shown.count == 1)
    #expect(await rig.director.health().state == .ok)
  }
}
