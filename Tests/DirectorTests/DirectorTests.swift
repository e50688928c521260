import Configuration
import Control
import Director
import Displays
import Geometry
import Scenes
import Testing
import VirtualDisplays

struct DirectorTests {
  @Test func `no monitor at the start is a normal state`() async throws {
    let rig = Rig()
    await rig.start()
    let status = await rig.director.status()
    #expect(status.connected == 0 && status.lit == 0 && status.problems.isEmpty)
    let report = try await rig.show("For whoever comes")
    #expect(report.shown.isEmpty && report.notShown.isEmpty)
  }

  @Test func `the first commit already carries the message`() async throws {
    let rig = Rig()
    rig.card.holdFlips()
    await rig.start()
    try await rig.plug(640, 480)
    #expect(rig.modesets == ["light Virtual-1 640x480@60"])
    let glass = try #require(rig.card.glass("Virtual-1"))
    #expect(glass.pixels.contains(Color.white.xrgb8888) && glass.pixels.contains(Color.nightBlue.xrgb8888))
    #expect(!glass.pixels.contains(0), "nothing is black")
    #expect(await rig.display("Virtual-1")?.state == "lighting", "never lit without a flip")
    rig.card.releaseFlips()
    _ = try await rig.show("Hello")
    #expect(await rig.display("Virtual-1")?.state == "lit")
  }

  @Test func `a message counts as shown when its flip came, not before`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("One")
    rig.card.holdFlips()
    let events = await rig.director.events()
    async let report = rig.show("Two")
    await rig.waitWhile { rig.card.journal.last != "flip Virtual-1" || rig.card.journal.count < 3 }
    #expect(await rig.display("Virtual-1")?.message == "One")
    rig.card.releaseFlips()
    #expect(try await report.shown.map(\.display) == ["Virtual-1"])
    #expect(await rig.display("Virtual-1")?.message == "Two")
    var kinds: [String] = []
    for await event in events {
      kinds.append("\(event.kind.rawValue) \(event.detail ?? "")")
      if event.kind == .messageShown { break }
    }
    #expect(kinds == ["messagePosted Two", "messageShown Two"])
  }

  @Test func `the answer says what was cut and what no font has`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    #expect(try await rig.show("Hello").warnings == [])
    let long = String(repeating: "word ", count: 5000)
    let cut = try await rig.director.setMessage(MessageRequest(text: long)).warnings
    #expect(cut.count == 1 && cut.first?.hasPrefix("Virtual-1: the text was cut after ") == true)
    let missing = try await rig.show("\u{10FFFD}").warnings
    #expect(missing.first?.hasPrefix("Virtual-1: no installed font has U+10FFFD") == true)
  }

  @Test func `what there is to say of a message is logged once, and reported while it is shown`() async throws {
    let rig = Rig(Settings(message: "\u{10FFFD}"))
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("\u{10FFFD} again")
    let warning = "no installed font has U+10FFFD, and no Debian package is known to provide it"
    #expect(await rig.display("Virtual-1")?.warnings == [warning])
    #expect(rig.log.complaints == ["Virtual-1: \(warning)"])
    _ = try await rig.show("Well")
    #expect(await rig.display("Virtual-1")?.warnings == [])
    _ = try await rig.show("\u{10FFFD}")
    #expect(rig.log.complaints.count == 2)
  }

  @Test func `the newest of many messages wins and the ones between are never painted`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("Start")
    let before = rig.card.journal.count
    rig.card.holdFlips()
    for number in 1...100 { _ = try await rig.director.setMessage(MessageRequest(text: "Count \(number)")) }
    rig.card.releaseFlips()
    _ = try await rig.show("Last")
    #expect(rig.card.journal.count - before <= 4, "\(rig.card.journal.count - before) flips for 101 messages")
    #expect(await rig.display("Virtual-1")?.message == "Last")
  }

  @Test func `each display has its own message, and has it again when the monitor returns`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    try await rig.plug(800, 600)
    _ = try await rig.show("Left", on: "Virtual-1")
    _ = try await rig.show("Right", on: "Virtual-2")
    let before = rig.modesets.count
    try await rig.director.unplug("Virtual-2")
    #expect(rig.modesets.dropFirst(before) == ["dark 2"], "only the CRTC of the one that went is touched")
    #expect(await rig.display("Virtual-2")?.state == "disconnected")
    try await rig.plug(800, 600, into: "Virtual-2")
    _ = try await rig.director.setMessage(MessageRequest(text: "Left", display: "Virtual-1", wait: true))
    #expect(rig.modesets.last == "light Virtual-2 800x600@60")
    await rig.waitWhile { director in director.display("Virtual-2")?.state != "lit" }
    #expect(await rig.director.displays().map(\.message) == ["Left", "Right"])
    #expect(!rig.modesets.dropFirst(before).contains { $0.contains("Virtual-1") })
  }

  @Test func `another monitor on the same connector is lit anew`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480, into: "Virtual-1")
    let first = await rig.display("Virtual-1")?.identity
    let report = try await rig.plug(1280, 720, into: "Virtual-1")
    #expect(report.width == 1280 && report.identity != first)
    #expect(rig.modesets == ["light Virtual-1 640x480@60", "dark 1", "light Virtual-1 1280x720@60"])
  }

  @Test func `a 4K monitor gets half its size, and its own under the native policy`() async throws {
    let rig = Rig()
    await rig.start()
    let half = try await rig.plug(3840, 2160)
    #expect(half.width == 1920 && half.scale == 1)
    var settings = Settings(message: "Hello")
    settings.policy = .native
    await rig.director.apply(settings)
    let whole = try #require(await rig.display("Virtual-1"))
    #expect(whole.width == 3840 && whole.scale == 2)
    #expect(try await rig.director.why("Virtual-1").policy == "native")
  }

  @Test func `buffers are freed when the monitor goes`() async throws {
    let rig = Rig()
    await rig.start()
    for _ in 1...20 {
      try await rig.plug(320, 240)
      _ = try await rig.show("Again")
      try await rig.director.unplug("Virtual-1")
    }
    #expect(rig.card.liveBuffers == 0)
  }

  @Test func `new colors are shown without a modeset`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("Hello")
    let style = Style(foreground: .black, background: .white)
    await rig.director.apply(Settings(style: style, message: "Hello"))
    _ = try await rig.show("Hello, white")
    #expect(rig.card.glass("Virtual-1")?.pixels.first == Color.white.xrgb8888)
    #expect(rig.modesets.count == 1)
  }

  @Test func `a display is turned as its rule says, and turned anew by a reload, without a modeset`() async throws {
    var match = MonitorMatch()
    match.connector = "Virtual-1"
    let upright = Settings(message: "L", monitors: [MonitorRule(match: match, rotation: .quarter)])
    let rig = Rig(upright)
    await rig.start()
    try await rig.plug(320, 240)
    _ = try await rig.show("L")
    let turned = try #require(rig.card.glass("Virtual-1"))
    #expect(turned.size == Size(320, 240))
    #expect(try await rig.director.why("Virtual-1").reasons.contains { $0.contains("90 degrees") })
    for rotation in [Rotation.none, .threeQuarters, .half, .quarter] {
      await rig.director.apply(Settings(message: "L", rotation: rotation, glyphCache: 1 << 16))
      _ = try await rig.show("L")
      let glass = try #require(rig.card.glass("Virtual-1"))
      #expect((glass.pixels == turned.pixels) == (rotation == .quarter), "\(rotation)")
      // An L is taller than wide, and wider than tall on its side.
      #expect(spread(glass) == (rotation == .none || rotation == .half ? .tall : .wide), "\(rotation)")
    }
    #expect(rig.modesets.count == 1)
  }

  private enum Spread { case tall, wide }

  /// Whether what is not ground is taller than wide.
  private func spread(_ glass: (size: Size, pixels: [UInt32])) -> Spread {
    let stride = glass.pixels.count / glass.size.height
    let ink = glass.pixels.indices.filter {
      glass.pixels[$0] != Color.nightBlue.xrgb8888 && $0 % stride < glass.size.width
    }
    let (columns, rows) = (Set(ink.map { $0 % stride }).count, Set(ink.map { $0 / stride }).count)
    return rows > columns ? .tall : .wide
  }

  @Test func `new settings leave a message alone unless they name another one`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("Told by hand")
    await rig.director.apply(Settings(policy: .native, message: "Hello"))
    #expect(try await rig.director.message(nil).text == "Told by hand")
    await rig.director.apply(Settings(message: "From the file"))
    #expect(try await rig.director.message(nil).text == "From the file")
  }

  @Test func `what cannot be asked is refused with a sentence`() async throws {
    let rig = Rig()
    await rig.start()
    await #expect(throws: ControlError.self) { try await rig.show("Hi", on: "HDMI-A-9") }
    await #expect(throws: ControlError.self) { try await rig.director.plug(PlugRequest(width: 3, height: 3)) }
    await #expect(throws: ControlError.self) { try await rig.director.plug(PlugRequest(edid: "not base64!")) }
    await #expect(throws: ControlError.self) { try await rig.director.plug(PlugRequest(edid: "AAAA")) }
    await #expect(throws: ControlError.self) { try await rig.director.unplug("Virtual-5") }
    await #expect(throws: ControlError.self) { try await rig.director.screenshot("Virtual-1", ScreenshotRequest()) }
  }
}
