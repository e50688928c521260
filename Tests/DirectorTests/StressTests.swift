import Configuration
import Control
import Displays
import Geometry
import Glibc
import SeededRandom
import Testing
import VirtualDisplays
import Waiting

@testable import Director

/// Stress tests in memory: cards and monitors are added and removed while messages are shown.
///
/// `scripts/sanitize` checks them for leaks, so each test closes its director.
@Suite(.serialized) struct StressTests {
  @Test(.timeLimit(.minutes(10)))
  func `a stress test over three cards leaves each display in the right state and leaks nothing`() async throws {
    let count = Self.setting("PLACARD_STRESS") ?? 1000
    let seed = Self.setting("PLACARD_SEED") ?? UInt64.random(in: 0 ... .max)
    print("\(count) operations in memory, seed \(seed); repeat them with PLACARD_STRESS=\(count) PLACARD_SEED=\(seed)")
    var test = StressTest(seed: seed)
    await test.begin()
    for step in 1...count {
      await test.perform()
      if step.isMultiple(of: 50) { await test.check("seed \(seed), step \(step)") }
    }
    await test.check("seed \(seed), at the end")
    await test.end()
  }

  @Test func `a card that returns before its removal is reported leaks no buffer (21)`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(320, 240)
    _ = try await harness.show("Mine")
    let next = VirtualCard(keepsJournal: true, clock: Harness.now)
    _ = next.plug(Size(320, 240), into: "Virtual-1")
    await harness.director.start(VirtualSource(next))
    await harness.waitWhile { harness.card.liveBuffers > 0 }
    await harness.wait { await harness.display("Virtual-1")?.message == "Mine" }
    #expect(next.enabledCRTCs == 1)
    // The removal of the previous card must not affect the new one.
    harness.card.lose()
    #expect(try await harness.show("Next").shown.map(\.display) == ["Virtual-1"])
    await harness.director.close()
  }

  @Test func `a request to wake all displays also wakes an unplugged one`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(320, 240)
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    try await harness.director.unplug("Virtual-1")
    _ = try await harness.director.setAsleep(SleepRequest(asleep: false))
    try await harness.plug(320, 240)
    await harness.wait { await harness.display("Virtual-1")?.state == .lit }
    await harness.director.close()
  }

  private static func setting<Number: FixedWidthInteger>(_ name: String) -> Number? {
    unsafe getenv(name).flatMap { unsafe Number(String(cString: $0)) }
  }
}

/// Random operations, and the checks of the displays after them.
private struct StressTest {
  private enum Operation: CaseIterable {
    case plug, unplug, swap, replug, remove, add, replace, message, messageForOne, sleep, sleepOne, wake, hotplugEvents,
      fault
    case loseMaster, regainMaster, holdFlips, releaseFlips, report
  }

  private static let sizes = [Size(160, 120), Size(200, 150), Size(320, 240), Size(640, 360)]
  private static let paths = ["memory", "card1", "card2"]

  private let harness = Harness(crtcs: 3)
  private var random: SeededGenerator
  /// The present cards by path.
  private var cards: [String: VirtualCard] = [:]
  /// All cards whose buffers may still be allocated.
  private var all: [VirtualCard] = []
  /// The sizes of the monitors that are plugged in, by path and connector.
  private var plugged: [String: [String: Size]] = [:]
  private var faults: [(VirtualCard, VirtualFault)] = []
  /// The requests since the last check.
  private var asked: [Task<Void, Never>] = []
  private var serial: UInt64 = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func begin() async {
    await harness.start()
    cards["memory"] = harness.card
    all = [harness.card]
  }

  mutating func perform() async {
    let path = Self.paths.randomElement(using: &random) ?? "memory"
    // Connector names are unique across cards, as in the kernel.
    let number = Self.paths.firstIndex(of: path).map { $0 * 4 } ?? 0
    let connector = "Virtual-\(Int.random(in: 1...4, using: &random) + number)"
    let size = Self.sizes.randomElement(using: &random) ?? Size(160, 120)
    let operation = Operation.allCases.randomElement(using: &random) ?? .plug
    guard let card = cards[path] else { return await add(path) }
    switch operation {
    case .plug, .swap: plug(card, connector, size)
    case .unplug: unplug(card, connector)
    case .replug:
      unplug(card, connector)
      plug(card, connector, size)
    case .remove:
      cards[path] = nil
      plugged[path] = nil
      card.lose()
    case .add, .replace: await replace(path)
    case .hotplugEvents: for _ in 0..<10 { card.hint() }
    case .fault: injectFault(card)
    case .loseMaster: card.setMaster(false)
    case .regainMaster: card.setMaster(true)
    case .holdFlips: card.holdFlips()
    case .releaseFlips: card.releaseFlips()
    default:
      serial += 1
      let (director, serial) = (harness.director, serial)
      // A wake request returns after a flip, which may be held back. The next operation does not wait for it.
      asked.append(Task { await Self.ask(operation, connector, serial, of: director) })
      await harness.turns.flush()
    }
  }

  /// Sends a request. A refusal is valid, because the display may have disappeared.
  private static func ask(_ operation: Operation, _ connector: String, _ serial: UInt64, of director: Director) async {
    switch operation {
    case .message: _ = try? await director.setMessage(MessageRequest(text: "News \(serial)"))
    case .messageForOne: _ = try? await director.setMessage(MessageRequest(text: "One \(serial)", display: connector))
    case .sleep: _ = try? await director.setAsleep(SleepRequest(asleep: true))
    case .sleepOne: _ = try? await director.setAsleep(SleepRequest(asleep: true, display: connector))
    case .wake: _ = try? await director.setAsleep(SleepRequest(asleep: false))
    default: _ = await director.displays()
    }
  }

  private mutating func plug(_ card: VirtualCard, _ connector: String, _ size: Size) {
    card.plug(VirtualMonitor(size: size, name: "\(size)"), into: connector)
    plugged[card.path, default: [:]][connector] = size
  }

  private mutating func unplug(_ card: VirtualCard, _ connector: String) {
    card.unplug(connector)
    plugged[card.path]?[connector] = nil
  }

  private mutating func add(_ path: String) async {
    let card = VirtualCard(path: path, crtcs: 3, keepsJournal: true, clock: Harness.now)
    cards[path] = card
    all.append(card)
    plugged[path] = [:]
    await harness.director.start(VirtualSource(card))
    // The kernel reports cards in order; here each has its own source.
    await harness.waitWhile { director in !director.knows(card) }
  }

  /// Adds the next card before the removal of the previous one is reported.
  private mutating func replace(_ path: String) async {
    let former = cards[path]
    await add(path)
    former?.lose()
  }

  private mutating func injectFault(_ card: VirtualCard) {
    let call = VirtualCall.allCases.randomElement(using: &random) ?? .flip
    let reason = CardError.Reason.allCases.filter { $0 != .gone }.randomElement(using: &random) ?? .refused
    let fault = VirtualFault.fail(call, reason)
    card.inject(fault, after: Int.random(in: 0..<3, using: &random), count: Int.random(in: 1...3, using: &random))
    faults.append((card, fault))
  }

  /// Checks that each display with a CRTC is lit with the newest message, and that no other is reported as lit.
  mutating func check(_ place: String) async {
    for (card, fault) in faults { card.inject(fault, count: 0) }
    faults = []
    for card in cards.values {
      card.setMaster(true)
      card.releaseFlips()
    }
    for task in asked { await task.value }
    asked = []
    let director = harness.director
    await director.probeAll()
    _ = try? await director.setAsleep(SleepRequest(asleep: false))
    await director.probeAll()
    await harness.rest()
    serial += 1
    let text = "Seen \(serial)"
    _ = try? await director.setMessage(MessageRequest(text: text, wait: true))
    var reports = await director.displays()
    for (path, connectors) in plugged {
      let here = reports.filter { $0.card == path && connectors.keys.contains($0.name) }
      #expect(here.count == connectors.count, "\(place): \(path) has \(here.map(\.name)), not \(connectors.keys)")
      let lit = here.filter { $0.state == .lit && $0.message == text }
      // Three CRTCs drive three displays.
      #expect(
        lit.count == min(connectors.count, 3),
        "\(place): \(here.map { "\($0.name) \($0.state) \($0.reason ?? "") \($0.message ?? "-")" })")
      #expect(cards[path]?.enabledCRTCs == lit.count, "\(place): \(path)")
      for report in lit { #expect(connectors[report.name]?.width == report.width, "\(place): \(report.name)") }
    }
    reports.removeAll { plugged[$0.card]?[$0.name] != nil }
    #expect(reports.allSatisfy { $0.state != .lit }, "\(place): \(reports.map { "\($0.name) \($0.state)" })")
    // Each lit display has two buffers. Those of removed cards are freed later.
    for card in all where cards[card.path] !== card { await harness.waitWhile { card.liveBuffers > 0 } }
    all = Array(cards.values)
    for card in cards.values { await harness.waitWhile { card.liveBuffers > 2 * card.enabledCRTCs } }
  }

  func end() async {
    await harness.director.close()
    for card in all { await harness.waitWhile { card.liveBuffers > 0 } }
    #expect(harness.openEntries.isEmpty)
  }
}

extension Director {
  /// Returns whether the director manages a card.
  fileprivate func knows(_ card: VirtualCard) -> Bool { presentCards.contains { $0.card === card } }
}
