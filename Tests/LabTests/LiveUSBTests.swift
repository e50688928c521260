import Glibc
import Testing
import USBDisplays

@testable import Lab

/// Whether USB cards are available. If not, it prints the reason once. It is read only for tests that run, because it
/// builds the driver.
private enum USBCards {
  static let areThere: Bool = {
    guard let unavailableReason = Lab.usbUnavailableReason else { return true }
    print("Tests with USB cards are skipped: \(unavailableReason)")
    return false
  }()
}

/// USB cards on a real kernel, whose monitors this process emulates.
@Suite(
  .tags(.lab), .serialized, .needsLab,
  .enabled(if: USBCards.areThere, "no USB cards; the reason is printed above"),
  .timeLimit(.minutes(10)), Booted())
struct LiveUSBTests {
  private let lab: Lab

  init() throws {
    lab = try #require(Booted.lab)
  }

  private func place(_ card: USBCard, _ connector: Int) -> String {
    "/sys/class/drm/\(card.node)-\(card.connectorNames[connector])"
  }

  private func status(_ card: USBCard, _ connector: Int) throws -> String {
    try lab.text("\(place(card, connector))/status")
  }

  @Test func `a USB card with an HDMI monitor is plugged in, and the console is seen on it`() throws {
    let edid = MonitorEDID.hdmi(width: 1280, height: 720, name: "Lobby")
    let card = try lab.plugUSBCard([.hdmi, .displayPort], monitors: [0: edid])
    #expect(card.connectorNames == ["HDMI-A-1", "DP-1"])
    #expect(try status(card, 0) == "connected")
    #expect(try status(card, 1) == "disconnected")
    #expect(try lab.get(place(card, 0) + "/edid") == edid)
    #expect(try lab.text(place(card, 0) + "/modes").hasPrefix("1280x720"))
    // Either the console's cursor or its letters appear first, so wait for any pixel that is not black.
    let seen = try card.waitForFrame(0, within: .generous) { $0?.bytes.contains { $0 != 0 } == true }
    #expect(seen.picture?.width == 1280 && seen.picture?.height == 720)
    #expect(try card.picture(1) == nil)
    try lab.yank(card)
    #expect(!card.isPlugged)
    #expect(throws: LabError.self) { try lab.text(place(card, 0) + "/status") }
  }

  @Test func `plugging, swapping and unplugging a monitor each cause a uevent`() throws {
    let card = try lab.plugUSBCard([.hdmi])
    #expect(try status(card, 0) == "disconnected")
    var edids = [
      MonitorEDID.hdmi(width: 1024, height: 768, name: "One"), MonitorEDID.hdmi(width: 800, height: 600, name: "Two"),
    ]
    edids.append(edids[0])
    for edid in edids {
      let mark = try lab.ueventCount
      try lab.plug(edid, into: 0, of: card)
      _ = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug && $0.path.contains("/usb") }
      #expect(try lab.get(place(card, 0) + "/edid") == edid)
    }
    let mark = try lab.ueventCount
    try lab.unplug(0, of: card)
    _ = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug && $0.path.contains("/usb") }
    #expect(try status(card, 0) == "disconnected")
    try lab.yank(card)
  }

  @Test func `the kernel detects a change by polling if there is no event`() throws {
    let card = try lab.plugUSBCard([.hdmi])
    let mark = try lab.ueventCount
    try lab.plug(MonitorEDID.hdmi(width: 800, height: 600, name: "Late"), into: 0, of: card, isReported: false)
    _ = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug && $0.path.contains("/usb") }
    #expect(try status(card, 0) == "connected")
    try lab.yank(card)
  }

  /// Returns the output of `placard-lab plug`.
  private func plug(_ arguments: String...) throws -> String {
    let null = try Descriptor.open("/dev/null", O_RDONLY)
    let output = try makePipe()
    var plug = Spawn(arguments: [try LabPlan.agentProgram(nil), "plug", "--name", lab.name] + arguments)
    // QEMU accepts only one connection at a time.
    lab.letGo()
    plug.descriptors = [(null.number, 0), (output.write.number, 1)]
    #expect(waitForExit(try plug.start()) == .exited(0))
    return String(decoding: try output.read.readLine(until: Deadline(in: .seconds(5))), as: UTF8.self)
  }

  @Test func `a DisplayLink adapter of the command line also outlives the command`() throws {
    let answer = try plug("--displaylink", "640x480")
    #expect(answer.hasSuffix(": VGA-1"))
    #expect(try lab.text("/sys/class/drm/card1-VGA-1/status") == "connected")
    try lab.yank(card: String(answer.prefix { $0 != ":" }))
  }

  @Test func `a card of the command line outlives the command, and other programs use it`() throws {
    let answer = try plug("--hdmi", "640x480")
    #expect(answer.hasSuffix(": HDMI-A-1"))
    let card = String(answer.prefix { $0 != ":" })
    #expect(try lab.text("/sys/class/drm/card1-HDMI-A-1/status") == "connected")
    let edid = MonitorEDID.hdmi(width: 800, height: 600, name: "Other")
    try lab.plug(edid, into: 0, ofCard: card)
    #expect(try lab.get("/sys/class/drm/card1-HDMI-A-1/edid") == edid)
    try lab.unplug(0, ofCard: card)
    #expect(try lab.text("/sys/class/drm/card1-HDMI-A-1/status") == "disconnected")
    let dark = "the monitor of connector 0 of \(card) is dark, or there is none"
    #expect(throws: LabError(.refused, dark)) { try lab.screenshot(0, card: card, toFile: "/dev/null") }
    try lab.yank(card: card)
    #expect { try lab.yank(card: card) } throws: { "\($0)".hasPrefix("no program emulates a card \(card)") }
  }

  @Test func `several cards work at once, and each is yanked separately`() throws {
    let cards = try (0..<3).map { _ in
      try lab.plugUSBCard([.hdmi], monitors: [0: MonitorEDID.hdmi(width: 640, height: 480, name: "Wall")])
    }
    #expect(Set(cards.map(\.node)).count == 3)
    try lab.yank(cards[1])
    for card in [cards[0], cards[2]] { #expect(try status(card, 0) == "connected") }
    #expect(throws: LabError.self) { try lab.plug([], into: 4, of: cards[0]) }
    #expect(throws: LabError.self) { try lab.plug([1, 2, 3], into: 0, of: cards[0]) }
    for card in [cards[0], cards[2]] { try lab.yank(card) }
  }
}
