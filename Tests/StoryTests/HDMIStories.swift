import Control
import Displays
import Geometry
import Glibc
import Lab
import Testing
import USBDisplays

/// The main path on HDMI: USB graphics cards next to a virtio-gpu card.
///
/// This process emulates their monitors, so that it compares what arrived at the monitor.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"),
  .enabled(if: GuestFixture.hasUSBCards, "no USB cards; the reason is printed above"))
struct HDMIStories {
  /// One boot for all stories of this suite. Each starts without USB cards and monitors, and with a new daemon.
  private static let lab = Result { try GuestFixture.boot() }
  private static let lobby = MonitorEDID.hdmi(width: 1280, height: 720, name: "Lobby", serial: 11)
  private static let hall = MonitorEDID.hdmi(width: 1024, height: 768, name: "Hall", serial: 12)

  private func guest(_ arguments: String...) throws -> GuestFixture {
    let lab = try Self.lab.get()
    try lab.unplug(0)
    return try GuestFixture(lab: lab, ["--message", "Welcome"] + arguments)
  }

  @Test func `an HDMI monitor shows its message after a plug, a swap and an unplug, and its card can be yanked`() throws
  {
    let guest = try guest()
    let lab = guest.lab
    try lab.plug(0, width: 1920, height: 1080)
    _ = try guest.see(0, try Expectation("Welcome", Size(1920, 1080)))
    let beside = try Expectation("Welcome", Size(1920, 1080))
    let card = try lab.plugUSBCard([.hdmi])
    let name = card.connectorNames[0]
    #expect(name == "HDMI-A-1")

    try guest.see(0, of: card, "Welcome", Size(1280, 720)) { () throws(LabError) in
      try lab.plug(Self.lobby, into: 0, of: card)
    }
    #expect(try guest.display(name).monitor?.contains("Lobby") == true)
    let answer = try guest.placard("show", "Gate 7", "--display", name, "--wait")
    #expect(answer.contains("\(name): shown after"), "\(answer)")
    try guest.see(0, of: card, "Gate 7", Size(1280, 720))
    #expect(beside.matches(try lab.picture(0)), "the other card's monitor keeps its own message")

    try guest.see(0, of: card, "Welcome", Size(1024, 768)) { () throws(LabError) in
      try lab.plug(Self.hall, into: 0, of: card)
    }
    guest.skipLog()
    try lab.unplug(0, of: card)
    try guest.waitForLog("\(name): disconnected")
    #expect(try card.picture(0) == nil)
    // The monitor that was here before shows its own message again.
    try guest.see(0, of: card, "Gate 7", Size(1280, 720)) { () throws(LabError) in
      try lab.plug(Self.lobby, into: 0, of: card)
    }
    try lab.yank(card)
    try guest.waitForLog("lost")
    #expect(beside.matches(try lab.picture(0)))
    #expect(try guest.display("Virtual-1").state == .lit)

    let again = try lab.plugUSBCard([.hdmi], monitors: [0: Self.lobby])
    #expect(again.connectorNames == [name])
    try guest.see(0, of: again, "Gate 7", Size(1280, 720))
    try lab.yank(again)
    try guest.end()
  }

  @Test func `a change that the kernel detects by itself is on screen after its uevent`() throws {
    let guest = try guest()
    let lab = guest.lab
    let card = try lab.plugUSBCard([.displayPort])
    let events = try Watch(guest)
    let mark = try lab.ueventCount
    // The kernel polls the connectors of such a card every 10 seconds.
    try guest.see(0, of: card, "Welcome", Size(1280, 720)) { () throws(LabError) in
      try lab.plug(Self.lobby, into: 0, of: card, isReported: false)
    }
    let uevent = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug && $0.path.contains("/usb") }
    let shown = try events.wait(for: .messageShown, on: card.connectorNames[0])
    let waited = Int64(shown.time) - Int64(uevent.nanoseconds)
    #expect(waited > 0, "presented \(waited / 1_000_000) ms after the uevent")
    print("A monitor that the kernel found out about was shown \(waited / 1_000_000) ms after its uevent")
    try lab.yank(card)
    try guest.end()
  }

  @Test func `a late EDID, and a new EDID under an unchanged status, are found at the kernel's next poll`()
    throws
  {
    let guest = try guest()
    let lab = guest.lab
    let card = try lab.plugUSBCard([.hdmi])
    let name = card.connectorNames[0]
    try lab.plug([], into: 0, of: card)
    try guest.waitForLog("\(name): lit")
    #expect(try guest.display(name).identity?.contains("Lobby") != true)
    try guest.see(0, of: card, "Welcome", Size(1280, 720)) { () throws(LabError) in
      try lab.plug(Self.lobby, into: 0, of: card, isReported: false)
    }
    try guest.placard("show", "For the lobby", "--display", name, "--wait")
    // There is no unplug in between: the status is unchanged, but the monitor is another one.
    try guest.see(0, of: card, "Welcome", Size(1024, 768)) { () throws(LabError) in
      try lab.plug(Self.hall, into: 0, of: card, isReported: false)
    }
    try guest.see(0, of: card, "For the lobby", Size(1280, 720)) { () throws(LabError) in
      try lab.plug(Self.lobby, into: 0, of: card, isReported: false)
    }
    try lab.yank(card)
    try guest.end()
  }

  @Test func `a refused mode next to a lit monitor falls back to a smaller one, and the lit one does not blink`() throws
  {
    let guest = try guest()
    let lab = guest.lab
    let first = try lab.plugUSBCard([.hdmi], monitors: [0: Self.lobby])
    try guest.see(0, of: first, "Welcome", Size(1280, 720))
    // The frame appears before the two log lines that report it, whose order is not defined.
    for line in ["lit at", "1280x720@60, scale 1: "] {
      try guest.service.waitForLine(containing: "\(first.connectorNames[0]): \(line)", within: .generous)
    }
    let (sent, mark) = (first.pixelBytes, guest.service.lines.count)
    let wall = MonitorEDID.hdmi(width: 1920, height: 1080, name: "Wall", serial: 13, also: (1024, 768))
    let second = try lab.plugUSBCard([.hdmi], monitors: [0: wall], refusing: (1920, 1080))
    try guest.see(0, of: second, "Welcome", Size(1024, 768))
    let name = second.connectorNames[0]
    #expect(try guest.display(name).mode?.hasPrefix("1024x768") == true)
    let reasons = try guest.placard("why", name)
    #expect(reasons.contains("1920x1080@59.99: ") && reasons.contains("Invalid argument"), "\(reasons)")
    #expect(first.pixelBytes == sent, "nothing was sent to the first monitor")
    let said = guest.log(from: mark).filter { $0.contains("\(first.connectorNames[0]): ") }
    #expect(said == [], "the log does not mention the first monitor")
    try lab.yank(second)
    try lab.yank(first)
    try guest.end()
  }

  @Test func `consecutive messages are exact on screen, and only changed areas are sent`() throws {
    let guest = try guest()
    let card = try guest.lab.plugUSBCard([.hdmi], monitors: [0: Self.lobby])
    try guest.see(0, of: card, "Welcome", Size(1280, 720))
    var sent = 0
    for number in 1...6 {
      sent = card.pixelBytes
      try guest.placard("show", "Gate \(number)", "--wait")
      try guest.see(0, of: card, "Gate \(number)", Size(1280, 720))
      sent = card.pixelBytes - sent
    }
    print("From Gate 5 to Gate 6 \(sent) of \(1280 * 720 * 4) bytes were sent to the monitor")
    #expect(sent < 1280 * 720 * 4 / 2)
    try guest.lab.yank(card)
    try guest.end()
  }

  @Test func `a 16-bit card on HDMI uses RGB565`() throws {
    let guest = try guest()
    let card = try guest.lab.plugUSBCard([.hdmi], monitors: [0: Self.lobby], formats: [.rgb565, .xrgb8888])
    let expected = try Expectation("Welcome", Size(1280, 720), format: .rgb565)
    _ = try card.waitForFrame(0, within: .generous) { $0.map { expected.matches($0, tolerance: 8) } ?? false }
    let place = card.node.dropFirst("card".count)
    #expect(try guest.file("/sys/kernel/debug/dri/\(place)/state").contains("format=RG16"))
    try guest.lab.yank(card)
    try guest.end()
  }

  @Test func `a DisplayLink adapter shows the message in 16 bits, and another monitor's message after a swap`() throws {
    let guest = try guest()
    let card = try guest.lab.plugDisplayLink(monitor: Self.lobby)
    let expected = try Expectation("Welcome", Size(1280, 720), format: .rgb565)
    _ = try card.waitForFrame(0, within: .generous) { $0.map { expected.matches($0, tolerance: 8) } ?? false }
    try guest.placard("show", "Gate 7", "--display", card.connectorNames[0], "--wait")
    let next = try Expectation("Gate 7", Size(1280, 720), format: .rgb565)
    _ = try card.waitForFrame(0, within: .generous) { $0.map { next.matches($0, tolerance: 8) } ?? false }
    let other = try Expectation("Welcome", Size(1024, 768), format: .rgb565)
    _ = try card.waitForFrame(0, within: .generous) { () throws(LabError) in
      try guest.lab.plug(Self.hall, into: 0, of: card)
    } until: {
      $0.map { other.matches($0, tolerance: 8) } ?? false
    }
    try guest.lab.yank(card)
    try guest.waitForLog("lost")
    try guest.end()
  }

  @Test func `three cards work at once, and one is yanked while it shows messages`() throws {
    let guest = try guest()
    let lab = guest.lab
    let sizes = [Size(640, 480), Size(800, 600), Size(1024, 768)]
    var cards: [USBCard] = []
    for size in sizes {
      let edid = MonitorEDID.hdmi(width: size.width, height: size.height, name: "Wall", serial: UInt32(size.width))
      let card = try lab.plugUSBCard([.hdmi], monitors: [0: edid])
      try guest.see(0, of: card, "Welcome", size)
      cards.append(card)
    }
    let messages = try lab.start([
      "/bin/bash", "-c",
      "n=0; while \(GuestFixture.programs)/placard show --timeout 600 --socket \(GuestFixture.socket) Flip $n; do n=$((n+1)); echo at $n; done",
    ])
    try messages.waitForLine(containing: "at 2", within: .generous)
    try lab.yank(cards[1])
    try guest.waitForLog("lost")
    try messages.kill(SIGKILL)
    #expect(guest.service.isRunning)
    try guest.placard("show", "Calm", "--wait")
    for number in [0, 2] {
      try guest.see(0, of: cards[number], "Calm", sizes[number])
      try lab.yank(cards[number])
    }
    try guest.end()
  }

  @Test func `a second monitor on a card with one CRTC is dark with a reason, until the first is unplugged`() throws {
    let guest = try guest()
    let lab = guest.lab
    let card = try lab.plugUSBCard([.hdmi, .displayPort], monitors: [0: Self.lobby])
    let names = card.connectorNames
    try guest.see(0, of: card, "Welcome", Size(1280, 720))
    guest.skipLog()
    try lab.plug(Self.hall, into: 1, of: card)
    try guest.waitForLog("\(names[1]): connected")
    let dark = try guest.wait(for: .dark, of: names[1])
    #expect(dark.reason?.isEmpty == false, "\(dark)")
    print("The second monitor of a card with one controller: \(dark.reason ?? "")")
    #expect(try card.picture(0) != nil && card.picture(1) == nil)
    try guest.see(1, of: card, "Welcome", Size(1024, 768)) { () throws(LabError) in try lab.unplug(0, of: card) }
    try lab.yank(card)
    try guest.end()
  }
}

extension GuestFixture {
  /// Whether USB cards are available. If not, it prints the reason once. The first access builds their driver.
  static let hasUSBCards: Bool = {
    guard let unavailableReason = Lab.usbUnavailableReason else { return true }
    print("Stories on HDMI are skipped: \(unavailableReason)")
    return false
  }()

  /// Waits until the monitor of a USB connector has received exactly the frame of a message in its size.
  func see(
    _ connector: Int, of card: USBCard, _ message: String, _ size: Size, within: Duration = .generous,
    after act: () throws(LabError) -> Void = {}
  ) throws {
    let expected = try Expectation(message, size)
    do {
      _ = try card.waitForFrame(connector, within: within, after: act) { $0.map { expected.matches($0) } ?? false }
    } catch {
      Issue.record("the service's log:\n\(log(from: 0).joined(separator: "\n"))")
      throw error
    }
  }
}
