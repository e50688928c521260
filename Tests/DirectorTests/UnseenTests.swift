import Configuration
import Control
import Displays
import Geometry
import Pictures
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// The answers about scenes that no display shows.
struct UnseenTests {
  private func harness(_ displays: Int = 1, _ settings: Settings = Settings(message: "Hello")) async throws -> Harness {
    let harness = Harness(settings)
    await harness.start()
    for _ in 0..<displays { try await harness.plug(320, 240) }
    await harness.rest()
    return harness
  }

  private func unseen(_ request: MessageRequest, _ harness: Harness) async throws -> String? {
    try await harness.director.post(request).unseen
  }

  @Test func `a message without a monitor is reported as unseen, with or without waiting`() async throws {
    let harness = try await harness(0)
    #expect(try await harness.director.setMessage(MessageRequest(text: "a")).unseen == "no monitor is connected")
    let report = try await harness.show("b")
    #expect(report.unseen == "no monitor is connected" && report.shown.isEmpty && report.notShown.isEmpty)
    try await harness.plug(320, 240)
    await harness.rest()
    #expect(try await harness.show("c").unseen == nil)
  }

  @Test func `a tag or role that no display has is reported`() async throws {
    let harness = try await harness()
    let tag = "no connected display has the tag nope; `tags` in the configuration and `placard open --tag` set them"
    #expect(try await unseen(MessageRequest(text: "a", tag: "nope", wait: true), harness) == tag)
    let role = "no internal display is connected; `placard displays` lists those that are"
    #expect(try await unseen(MessageRequest(text: "a", role: .internal), harness) == role)
    #expect(try await unseen(MessageRequest(text: "a", role: .external), harness) == nil)
  }

  @Test(arguments: ["", " \n\t"])
  func `an empty text is reported as unseen, and a blank scene is not`(text: String) async throws {
    let harness = try await harness()
    let report = try await harness.show(text)
    #expect(report.unseen == "the text is empty, so only the background is visible; give a text")
    // A blank scene is requested explicitly.
    let blank = MessageRequest(scene: Scene(.blank).document, wait: true)
    #expect(try await harness.director.post(blank).unseen == nil)
  }

  @Test func `a message is reported as unseen only if no display shows it`() async throws {
    let harness = try await harness(2)
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-2"))
    let seen = try await harness.director.setMessage(MessageRequest(text: "a"))
    #expect(seen.unseen == nil && seen.warnings == ["Virtual-2: asleep; the message is shown when it is woken"])
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    let report = try await harness.director.setMessage(MessageRequest(text: "b"))
    let asleep = (1...2).map { "Virtual-\($0): asleep; `placard wake Virtual-\($0)` lights it" }
    #expect(report.unseen == asleep.joined(separator: "; "))
  }

  @Test func `a covered message is reported as unseen, with the message that covers it`() async throws {
    let harness = try await harness()
    let id = try #require(try await harness.director.post(MessageRequest(text: "Above", priority: 1, wait: true)).id)
    let reason =
      "Virtual-1: message \(id) (\"Above\") covers it until it is withdrawn; `placard withdraw \(id)` ends it"
    #expect(try await unseen(MessageRequest(text: "Below"), harness) == reason)
  }

  @Test func `a scene opened on an unplugged display is reported as unseen`() async throws {
    let harness = try await harness(2)
    try await harness.director.unplug("Virtual-2")
    let scene = Scene.banner("a").document
    let opened = try await harness.director.open(OpenRequest(scene: scene, display: "Virtual-1"))
    #expect(opened.delivery?.unseen == nil && opened.delivery?.shown == [])
    for wait in [false, true] {
      let waiting = try await harness.director.open(OpenRequest(scene: scene, display: "Virtual-2", wait: wait))
      #expect(waiting.delivery?.unseen == "Virtual-2: nothing is plugged in")
      #expect(waiting.delivery?.shown == [])
    }
  }

  @Test func `scrolling to an unknown heading is refused, and the position stays`() async throws {
    let harness = try await harness()
    let text = Scene(.markdown(MarkdownText("# First steps\n\ntext\n\n# Second"))).document
    let id = try #require(try await harness.director.open(OpenRequest(scene: text, display: "Virtual-1")).id)
    _ = try await harness.director.scroll(id, .heading("second"))
    await #expect(throws: ControlError(.conflict, "session \(id) has no heading #secnd: did you mean #second?")) {
      try await harness.director.scroll(id, .heading("secnd"))
    }
    await #expect(throws: ControlError(.conflict, "session \(id) has no heading #x: it has #first-steps, #second")) {
      try await harness.director.scroll(id, .heading("x"))
    }
    #expect(await harness.director.session(id)?.scroll == .heading("second"))
    let card = try #require(
      try await harness.director.open(OpenRequest(scene: Scene.banner("a").document, display: "Virtual-1")).id)
    await #expect(throws: ControlError(.conflict, "session \(card) shows a banner, which has no headings")) {
      try await harness.director.scroll(card, .heading("x"))
    }
  }

  @Test func `text in the background's color is refused, and low contrast causes a warning`() async throws {
    let harness = try await harness()
    func banner(_ color: Color) -> MessageRequest {
      var style = StyleChanges()
      style.foreground = color
      return MessageRequest(scene: Scene(.banner("a"), style: style).document)
    }
    let words =
      "the scene cannot be used: `style.foreground` is #0b1f4b, the same color as the background, so the text would be "
      + "invisible; choose colors with a contrast of at least 4.5:1"
    await #expect(throws: ControlError(.invalid, words)) {
      try await harness.director.setMessage(banner(.nightBlue))
    }
    let faint = Color(red: 0x44, green: 0x44, blue: 0x55)
    let warning = "Virtual-1: the text #444455 on #0b1f4b has a contrast of 1.6:1 and is hard to read; "
    #expect(
      try await harness.director.setMessage(banner(faint)).warnings == [warning + "choose colors with at least 4.5:1"])
    let request = OpenRequest(scene: try #require(banner(faint).scene), display: "Virtual-1")
    #expect(try await harness.director.open(request).delivery?.warnings.count == 1)
  }

  @Test func `text in the background's color of one of two displays causes a warning for that one`() async throws {
    let harness = try await harness(2)
    try await harness.director.unplug("Virtual-2")
    try await harness.plug(320, 240, into: "eDP-1")
    var black = StyleChanges()
    black.background = .black
    var dark = Settings(message: "Hello")
    dark.roles[.internal] = DisplayRequests(style: black)
    await harness.director.apply(dark)
    await harness.rest()
    var style = StyleChanges()
    style.foreground = .black
    let scene = Scene(.banner("a"), style: style).document
    let warnings = try await harness.director.post(MessageRequest(scene: scene, wait: true)).warnings
    let words = "eDP-1: the text #000000 on #000000 has a contrast of 1.0:1 "
    #expect(warnings.contains { $0.hasPrefix(words) }, "\(warnings)")
    await #expect(throws: ControlError.self, "eDP-1 is the only target") {
      try await harness.director.post(MessageRequest(scene: scene, display: "eDP-1"))
    }
  }

  @Test func `an image that cannot be shown is reported as not shown, and degrades the health`() async throws {
    let harness = try await harness()
    let path = "/no/such/lobby.png"
    let scenes = [Scene(.image(ImagePanel(path: path))), Scene(.markdown(MarkdownText("# a\n\n![b](\(path))")))]
    for scene in scenes {
      let request = OpenRequest(scene: scene.document, display: "Virtual-1", wait: true)
      let delivery = try #require(try await harness.director.open(request).delivery)
      #expect(delivery.shown.isEmpty && delivery.notShown.count == 1)
      let reason = "Virtual-1: the image \(path) is not in an allowed folder"
      #expect(delivery.notShown[0].hasPrefix(reason), "\(delivery.notShown)")
      let hurried = try await harness.director.open(OpenRequest(scene: scene.document, display: "Virtual-1"))
      #expect(hurried.delivery?.warnings.map { $0.hasPrefix(reason) } == [true], "also without a wait")
      let health = await harness.director.health()
      #expect(health.state == .degraded && health.reasons == delivery.notShown)
      #expect(await harness.director.status().problems == delivery.notShown)
    }
    #expect(try await harness.show("Over it").shown.count == 1)
    #expect(await harness.director.health().state == .ok)
  }
}
