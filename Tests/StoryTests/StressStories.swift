import Control
import Geometry
import Lab
import SeededRandom
import Testing
import USBDisplays

/// Years of use in minutes: cards and monitors come and go while messages are shown.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"),
  .enabled(if: GuestFixture.hasUSBCards, "no USB cards; the reason is printed above"))
struct StressStories {
  @Test func `a stress test over three drivers leaves each display in the right state and leaks nothing`() throws {
    let count = GuestFixture.setting("PLACARD_STRESS") ?? 50
    let seed = GuestFixture.setting("PLACARD_SEED") ?? UInt64.random(in: 0 ... .max)
    print("\(count) deeds, seed \(seed): PLACARD_STRESS=\(count) PLACARD_SEED=\(seed) does the same again")
    let guest = try GuestFixture(processors: 2, ["--message", "StressTest"])
    let pid = try guest.pid()
    var stress = StressTest(guest, seed: seed)
    // Run each operation once first: initial loading and caching are not leaks.
    for operation in StressTest.Operation.allCases { try stress.act(operation) }
    try stress.calm()
    let before = try ResourceUsage(guest)
    for _ in 0..<count { try stress.act() }
    try stress.check()
    try stress.calm()
    let after = try ResourceUsage(guest)
    print("\(count) deeds: before \(before), after \(after)")
    #expect(try guest.pid() == pid)
    #expect(after.descriptors == before.descriptors && after.threads == before.threads)
    #expect(after.framebuffers == before.framebuffers && after.mappings == before.mappings)
    #expect(
      after.shared <= before.shared + 8192, "kernel memory of buffers, KiB: \(before.shared), then \(after.shared)")
    // VmRSS lags by up to 64 pages per thread (kernel: mm/memory.c, TASK_RSS_EVENTS_THRESH).
    let lag = after.threads * 64 * 4
    #expect(after.resident <= before.resident * 105 / 100 + lag, "KiB: \(before.resident), then \(after.resident)")
    try guest.end()
  }
}

/// Random operations, and the state that must follow.
private struct StressTest {
  /// Plugging a monitor into an occupied output swaps it.
  enum Operation: String, CaseIterable {
    case plug, addCard, plugUSB, message, sleep, messageForOne, wake, unplugUSB, yank, removeCard, blink, unplug
  }

  private static let sizes = [Size(640, 480), Size(800, 600), Size(1024, 768), Size(1280, 720), Size(1920, 1080)]

  private let guest: GuestFixture
  private var lab: Lab { guest.lab }
  private var random: SeededGenerator
  /// The sizes of the monitors on the first card's outputs.
  private var plugged: [Int: Size] = [:]
  private var usb: USBCard?
  private var usbSize: Size?
  /// The card that has its own monitor.
  private var third: String?
  private var done: [String] = []

  init(_ guest: GuestFixture, seed: UInt64) {
    self.guest = guest
    random = SeededGenerator(seed: seed)
  }

  mutating func act() throws { try act(Operation.allCases.randomElement(using: &random) ?? .plug) }

  /// Runs one operation without waiting for its result. Operations that are impossible now are skipped.
  mutating func act(_ operation: Operation) throws {
    done.append(operation.rawValue)
    do {
      try carryOut(operation)
    } catch {
      Issue.record(
        "after \(done.count) deeds, the last \(done.suffix(12)):\n\(guest.log(from: 0).suffix(60).joined(separator: "\n"))"
      )
      throw error
    }
  }

  private mutating func carryOut(_ operation: Operation) throws {
    let output = Int.random(in: 0..<2, using: &random)
    let size = Self.sizes.randomElement(using: &random) ?? Size(640, 480)
    switch operation {
    case .plug: try plug(size, into: output)
    case .unplug: try unplug(output)
    case .blink:
      try unplug(output)
      try plug(size, into: output)
    case .plugUSB: try plugUSB(size)
    case .unplugUSB:
      if let usb, usbSize != nil { try lab.unplug(0, of: usb) }
      usbSize = nil
    case .yank: try yank()
    case .addCard: if third == nil { third = try lab.addCard() }
    case .removeCard: try removeCard()
    case .message: try guest.placard("show", "News \(random.next() % 1000)")
    case .messageForOne:
      // The display may have disappeared meanwhile, which is a valid answer.
      _ = try guest.run(["show", "For one", "--display", "Virtual-\(output + 1)"])
    case .sleep: try guest.placard("sleep")
    case .wake: try guest.placard("wake")
    }
  }

  private mutating func plug(_ size: Size, into output: Int) throws {
    try lab.plug(output, edid: Self.monitor(size, UInt32(output + 1)))
    plugged[output] = size
  }

  private mutating func unplug(_ output: Int) throws {
    try lab.unplug(output)
    plugged[output] = nil
  }

  private mutating func plugUSB(_ size: Size) throws {
    if let usb {
      try lab.plug(Self.monitor(size, 9), into: 0, of: usb)
    } else {
      usb = try lab.plugUSBCard([.hdmi], monitors: [0: Self.monitor(size, 9)])
    }
    usbSize = size
  }

  private mutating func yank() throws {
    if let usb { try lab.yank(usb) }
    (usb, usbSize) = (nil, nil)
  }

  private mutating func removeCard() throws {
    if let third { try lab.removeCard(third) }
    third = nil
  }

  private static func monitor(_ size: Size, _ serial: UInt32) -> [UInt8] {
    MonitorEDID.hdmi(width: size.width, height: size.height, name: "StressTest", serial: serial)
  }

  /// Expects each connected display to be lit with the current message, and no other display to report that it is lit.
  mutating func check() throws {
    try guest.placard("wake")
    try refreshOutputs()
    var names = plugged.keys.map { "Virtual-\($0 + 1)" }
    if usbSize != nil, let usb { names.append(usb.connectorNames[0]) }
    let displays = try wait { displays in
      let lit = displays.filter { $0.state == .lit }.map(\.name)
      return Set(names).isSubset(of: lit) && lit.count == names.count + (third == nil ? 0 : 1)
    }
    for name in displays.filter({ $0.state == .lit }).map(\.name) {
      try guest.placard("show", "Calm", "--display", name, "--wait")
    }
    for (output, size) in plugged { _ = try guest.see(output, try Expectation("Calm", size)) }
    if let usb, let usbSize { try guest.see(0, of: usb, "Calm", usbSize) }
    guard let third, let report = displays.first(where: { $0.driver.hasPrefix("bochs") && $0.state == .lit }) else {
      return #expect(third == nil, "no lit display of \(third ?? "")")
    }
    let size = Size(report.width, report.height)
    _ = try guest.see(0, card: third, try Expectation("Calm", size, scale: report.scale))
  }

  /// Removes everything, and waits until the daemon has noticed.
  mutating func calm() throws {
    for output in 0..<2 { try unplug(output) }
    try yank()
    try removeCard()
    try guest.placard("wake")
    try refreshOutputs()
    _ = try wait { $0.allSatisfy { [.disconnected, .lost].contains($0.state) } }
  }

  /// Makes virtio-gpu read all outputs again, by changing an output that the stress test does not use.
  ///
  /// The driver clears the event of a second change that arrives while it handles the first, so the kernel may have
  /// missed the last change.
  private func refreshOutputs() throws {
    let isThird = { (state: DisplayReport.State) in
      { (displays: [DisplayReport]) in displays.contains { $0.name == "Virtual-3" && $0.state == state } }
    }
    try lab.plug(2, edid: Self.monitor(Size(640, 480), 3))
    _ = try wait(until: isThird(.lit))
    try lab.unplug(2)
    _ = try wait(until: isThird(.disconnected))
  }

  private func wait(until isSo: ([DisplayReport]) -> Bool) throws -> [DisplayReport] {
    let plan = "\(plugged), \(usbSize as Any), \(third ?? "-")"
    return try guest.wait(telling: "after \(done.suffix(12)): \(plan)", until: isSo)
  }
}
