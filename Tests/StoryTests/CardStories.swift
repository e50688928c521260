import Control
import Displays
import Geometry
import Glibc
import Lab
import Testing

/// Cards that are added and removed, cards with 16-bit color, and cards in long use.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"))
struct CardStories {
  @Test func `a card is added, yanked while it flips, and lit again when it returns`() throws {
    let guest = try GuestFixture(processors: 2, ["--message", "Card"])
    let lab = guest.lab
    try lab.plug(0, width: 1024, height: 768)
    _ = try guest.see(0, try Expectation("Card", Size(1024, 768)))
    var texts = ["Card"]
    for round in 1...2 {
      let card = try lab.addCard()
      let report = try secondDisplay(guest)
      // The monitor that returns shows its session again, as it was acknowledged last.
      let text = try #require(report.message)
      #expect(texts.contains(text), "round \(round): \(texts)")
      let expected = try Expectation(text, Size(report.width, report.height), scale: report.scale)
      _ = try guest.see(0, card: card, expected)
      let flips = try guest.repeating("show --display \(report.name) Flip $i")
      try flips.waitForLine(containing: "done 1", within: .generous)
      try lab.removeCard(card)
      try guest.waitForLog("lost")
      try? flips.kill(SIGKILL)
      _ = try flips.wait(within: .generous)
      // The command that was killed may have been executed.
      let count = flips.lines.count
      texts = ["Flip \(count)", "Flip \(count + 1)"]
      #expect(guest.service.isRunning, "round \(round)")
      #expect(try guest.display("Virtual-1").state == .lit)
    }
    try guest.end()
  }

  /// Waits until a display is lit that is not the first card's.
  private func secondDisplay(_ guest: GuestFixture) throws -> DisplayReport {
    let isSecond = { (display: DisplayReport) in
      display.state == .lit && !(1...4).contains { display.name == "Virtual-\($0)" }
    }
    return try #require(guest.wait { $0.contains(where: isSecond) }.first(where: isSecond))
  }

  @Test func `a 16-bit card uses RGB565`() throws {
    var options = LabOptions()
    options.card = .cirrus
    let guest = try GuestFixture(options, ["--message", "Sixteen"])
    let report = try guest.wait(for: .lit, of: "VGA-1")
    let size = Size(report.width, report.height)
    let expected = try Expectation("Sixteen", size, scale: report.scale, format: .rgb565)
    _ = try guest.lab.waitForFrame(0, within: .generous) { expected.matches($0, tolerance: 8) }
    let state = try guest.file("/sys/kernel/debug/dri/0/state")
    #expect(state.contains("format=RG16"), "\(state)")
    try guest.placard("show", "Bits", "--wait")
    let next = try Expectation("Bits", size, scale: report.scale, format: .rgb565)
    _ = try guest.lab.waitForFrame(0, within: .generous) { next.matches($0, tolerance: 8) }
  }

  /// The number of cycles is PLACARD_CYCLES, or 60, which take half a minute.
  @Test func `hotplug cycles leak nothing`() throws {
    let count = GuestFixture.setting("PLACARD_CYCLES") ?? 60
    let guest = try GuestFixture(processors: 2, ["--message", "Again"])
    try cycles(20, guest)
    let before = try ResourceUsage(guest)
    try cycles(count, guest)
    let after = try ResourceUsage(guest)
    #expect(after.descriptors == before.descriptors)
    #expect(after.framebuffers == before.framebuffers)
    #expect(after.mappings == before.mappings)
    #expect(
      after.shared <= before.shared + 8192, "kernel memory of buffers, KiB: \(before.shared), then \(after.shared)")
    #expect(after.anonymous <= before.anonymous + 1024, "anonymous memory in KiB: \(before), then \(after)")
    print("\(count) cycles: before \(before), after \(after)")
  }

  private func cycles(_ count: Int, _ guest: GuestFixture) throws {
    for _ in 0..<count {
      try guest.lab.plug(0, width: 800, height: 600)
      // The driver clears the event of a second change that arrives while it handles the first.
      try guest.waitForLog("Virtual-1: lit at 800x600")
      try guest.lab.unplug(0)
      try guest.waitForLog("Virtual-1: disconnected")
    }
  }
}
