import Configuration
import Control
import Director
import Displays
import Geometry
import Scenes
import Testing
import VirtualDisplays

struct DirectorTests {
  @Test func `a start without a monitor is not a problem`() async throws {
    let harness = Harness()
    await harness.start()
    let status = await harness.director.status()
    #expect(status.connected == 0 && status.lit == 0 && status.problems.isEmpty)
    let report = try await harness.show("For later")
    #expect(report.shown.isEmpty && report.notShown.isEmpty)
  }

  @Test func `the first frame already has the message, and the display is lit after its flip`() async throws {
    let harness = Harness()
    harness.card.holdFlips()
    await harness.start()
    try await harness.plug(640, 480)
    #expect(harness.modesets == ["light Virtual-1 640x480@60"])
    let scanout = try #require(harness.card.scanout("Virtual-1"))
    #expect(scanout.pixels.contains(Color.white.xrgb8888) && scanout.pixels.contains(Color.nightBlue.xrgb8888))
    #expect(!scanout.pixels.contains(0), "no pixel is black")
    #expect(await harness.display("Virtual-1")?.state == .lighting, "a display is lit only after a flip")
    harness.card.releaseFlips()
    _ = try await harness.show("Hello")
    #expect(await harness.display("Virtual-1")?.state == .lit)
  }

  @Test func `a message counts as shown once its flip arrives, and not before`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("One")
    harness.card.holdFlips()
    let events = await harness.director.events()
    async let report = harness.show("Two")
    await harness.waitWhile { harness.card.journal.last != "flip Virtual-1" || harness.card.journal.count < 3 }
    #expect(await harness.display("Virtual-1")?.message == "One")
    harness.card.releaseFlips()
    #expect(try await report.shown.map(\.display) == ["Virtual-1"])
    #expect(await harness.display("Virtual-1")?.message == "Two")
    var kinds: [String] = []
    for await event in events {
      kinds.append("\(event.kind.rawValue) \(event.detail ?? "")")
      if event.kind == .messageShown { break }
    }
    #expect(kinds == ["messagePosted Two", "messageShown Two"])
  }

  @Test func `the answer warns of a text that was cut and of a character that no font has`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    #expect(try await harness.show("Hello").warnings == [])
    let long = String(repeating: "word ", count: 5000)
    let cut = try await harness.director.setMessage(MessageRequest(text: long)).warnings
    #expect(cut.count == 1 && cut.first?.hasPrefix("Virtual-1: the text was cut after ") == true)
    let missing = try await harness.show("\u{10FFFD}").warnings
    #expect(missing.first?.hasPrefix("Virtual-1: no installed font has U+10FFFD") == true)
  }

  @Test func `a warning is logged once while it lasts, and reported while its message is shown`() async throws {
    let harness = Harness(Settings(message: "\u{10FFFD}"))
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("\u{10FFFD} again")
    let warning = "no installed font has U+10FFFD, and no Debian package is known to provide it"
    #expect(await harness.display("Virtual-1")?.warnings == [warning])
    #expect(harness.log.complaints == ["Virtual-1: \(warning)"])
    _ = try await harness.show("Well")
    #expect(await harness.display("Virtual-1")?.warnings == [])
    _ = try await harness.show("\u{10FFFD}")
    #expect(harness.log.complaints.count == 2)
  }

  @Test func `messages that are superseded before a flip are skipped, and the newest is shown`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("Start")
    let before = harness.card.journal.count
    harness.card.holdFlips()
    for number in 1...100 { _ = try await harness.director.setMessage(MessageRequest(text: "Count \(number)")) }
    harness.card.releaseFlips()
    _ = try await harness.show("Last")
    #expect(harness.card.journal.count - before <= 4, "\(harness.card.journal.count - before) flips for 101 messages")
    #expect(await harness.display("Virtual-1")?.message == "Last")
  }

  @Test func `each display shows its own message, and shows it again when its monitor returns`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    try await harness.plug(800, 600)
    _ = try await harness.show("Left", on: "Virtual-1")
    _ = try await harness.show("Right", on: "Virtual-2")
    let before = harness.modesets.count
    try await harness.director.unplug("Virtual-2")
    #expect(harness.modesets.dropFirst(before) == ["dark 2"], "only the CRTC of the unplugged monitor is disabled")
    #expect(await harness.display("Virtual-2")?.state == .disconnected)
    try await harness.plug(800, 600, into: "Virtual-2")
    _ = try await harness.director.setMessage(MessageRequest(text: "Left", display: "Virtual-1", wait: true))
    #expect(harness.modesets.last == "light Virtual-2 800x600@60")
    await harness.waitWhile { director in director.display("Virtual-2")?.state != .lit }
    #expect(await harness.director.displays().map(\.message) == ["Left", "Right"])
    #expect(!harness.modesets.dropFirst(before).contains { $0.contains("Virtual-1") })
  }

  @Test func `another monitor on the same connector gets its own modeset`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480, into: "Virtual-1")
    let first = await harness.display("Virtual-1")?.identity
    let report = try await harness.plug(1280, 720, into: "Virtual-1")
    #expect(report.width == 1280 && report.identity != first)
    #expect(harness.modesets == ["light Virtual-1 640x480@60", "dark 1", "light Virtual-1 1280x720@60"])
  }

  @Test func `a 4K monitor gets half its size, and its full size under the native policy`() async throws {
    let harness = Harness()
    await harness.start()
    let half = try await harness.plug(3840, 2160)
    #expect(half.width == 1920 && half.scale == 1)
    var settings = Settings(message: "Hello")
    settings.policy = .native
    await harness.director.apply(settings)
    let whole = try #require(await harness.display("Virtual-1"))
    #expect(whole.width == 3840 && whole.scale == 2)
    #expect(try await harness.director.why("Virtual-1").policy == "native")
  }

  @Test func `a monitor's buffers are freed when it is unplugged`() async throws {
    let harness = Harness()
    await harness.start()
    for _ in 1...20 {
      try await harness.plug(320, 240)
      _ = try await harness.show("Again")
      try await harness.director.unplug("Virtual-1")
    }
    #expect(harness.card.liveBuffers == 0)
  }

  @Test func `new colors are shown without a modeset`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("Hello")
    let style = Style(foreground: .black, background: .white)
    await harness.director.apply(Settings(style: style, message: "Hello"))
    _ = try await harness.show("Hello, white")
    #expect(harness.card.scanout("Virtual-1")?.pixels.first == Color.white.xrgb8888)
    #expect(harness.modesets.count == 1)
  }

  @Test func `a display is rotated by its rule, and by a reload, without a modeset`() async throws {
    var match = MonitorMatch()
    match.connector = "Virtual-1"
    let upright = Settings(message: "L", monitors: [MonitorRule(match: match, rotation: .quarter)])
    let harness = Harness(upright)
    await harness.start()
    try await harness.plug(320, 240)
    _ = try await harness.show("L")
    let rotated = try #require(harness.card.scanout("Virtual-1"))
    #expect(rotated.size == Size(320, 240))
    #expect(try await harness.director.why("Virtual-1").reasons.contains { $0.contains("90 degrees") })
    for rotation in [Rotation.none, .threeQuarters, .half, .quarter] {
      await harness.director.apply(Settings(message: "L", rotation: rotation, glyphCache: 1 << 16))
      _ = try await harness.show("L")
      let scanout = try #require(harness.card.scanout("Virtual-1"))
      #expect((scanout.pixels == rotated.pixels) == (rotation == .quarter), "\(rotation)")
      // An L is taller than wide, and wider than tall after a quarter turn.
      #expect(spread(scanout) == (rotation == .none || rotation == .half ? .tall : .wide), "\(rotation)")
    }
    #expect(harness.modesets.count == 1)
  }

  private enum Spread { case tall, wide }

  /// Returns whether the area that differs from the background is taller than wide.
  private func spread(_ scanout: (size: Size, pixels: [UInt32])) -> Spread {
    let stride = scanout.pixels.count / scanout.size.height
    let ink = scanout.pixels.indices.filter {
      scanout.pixels[$0] != Color.nightBlue.xrgb8888 && $0 % stride < scanout.size.width
    }
    let (columns, rows) = (Set(ink.map { $0 % stride }).count, Set(ink.map { $0 / stride }).count)
    return rows > columns ? .tall : .wide
  }

  @Test func `a reload keeps a message unless the settings contain another one`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("Sent by a client")
    await harness.director.apply(Settings(policy: .native, message: "Hello"))
    #expect(try await harness.director.message(nil).text == "Sent by a client")
    await harness.director.apply(Settings(message: "From the file"))
    #expect(try await harness.director.message(nil).text == "From the file")
  }

  @Test func `requests with an unknown display, an invalid size or an invalid EDID are refused`() async throws {
    let harness = Harness()
    await harness.start()
    await #expect(throws: ControlError.self) { try await harness.show("Hi", on: "HDMI-A-9") }
    await #expect(throws: ControlError.self) { try await harness.director.plug(PlugRequest(width: 3, height: 3)) }
    await #expect(throws: ControlError.self) { try await harness.director.plug(PlugRequest(edid: "not base64!")) }
    await #expect(throws: ControlError.self) { try await harness.director.plug(PlugRequest(edid: "AAAA")) }
    await #expect(throws: ControlError.self) { try await harness.director.unplug("Virtual-5") }
    await #expect(throws: ControlError.self) { try await harness.director.screenshot("Virtual-1", ScreenshotRequest()) }
  }
}
