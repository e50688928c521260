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

/// Cards and monitors come and go while messages are shown, in memory: what years do to a machine, in seconds.
/// `scripts/sanitize` looks for leaks behind these, so each ends what it began.
@Suite(.serialized) struct StormTests {
  @Test(.timeLimit(.minutes(10)))
  func `a storm over three cards leaves each display as it should be, and nothing behind`() async throws {
    let count = Self.setting("PLACARD_STORM") ?? 1000
    let seed = Self.setting("PLACARD_SEED") ?? UInt64.random(in: 0 ... .max)
    print("\(count) deeds in memory, seed \(seed): PLACARD_STORM=\(count) PLACARD_SEED=\(seed) does the same again")
    var storm = MemoryStorm(seed: seed)
    await storm.begin()
    for step in 1...count {
      await storm.act()
      if step.isMultiple(of: 50) { await storm.check("seed \(seed), step \(step)") }
    }
    await storm.check("seed \(seed), in the end")
    await storm.end()
  }

  @Test func `a card that is back before its end was told leaves nothing behind (21)`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(320, 240)
    _ = try await rig.show("Mine")
    let next = VirtualCard(keepsJournal: true, clock: Rig.now)
    _ = next.plug(Size(320, 240), into: "Virtual-1")
    await rig.director.start(VirtualSource(next))
    await rig.waitWhile { rig.card.liveBuffers > 0 }
    await rig.wait { await rig.display("Virtual-1")?.message == "Mine" }
    #expect(next.enabledCRTCs == 1)
    // What the card that was there before says now is about nothing.
    rig.card.lose()
    #expect(try await rig.show("Next").shown.map(\.display) == ["Virtual-1"])
    await rig.director.close()
  }

  @Test func `whoever wakes all displays wakes those that are away, too`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(320, 240)
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    try await rig.director.unplug("Virtual-1")
    _ = try await rig.director.setAsleep(SleepRequest(asleep: false))
    try await rig.plug(320, 240)
    await rig.wait { await rig.display("Virtual-1")?.state == "lit" }
    await rig.director.close()
  }

  private static func setting<Number: FixedWidthInteger>(_ name: String) -> Number? {
    unsafe getenv(name).flatMap { unsafe Number(String(cString: $0)) }
  }
}

/// Deeds at random, and what must be seen after them.
private struct MemoryStorm {
  private enum Deed: CaseIterable {
    case plug, unplug, swap, blink, yank, comeBack, comeEarly, message, messageForOne, sleep, sleepOne, wake, hints,
      fault
    case otherMaster, masterAgain, holdFlips, releaseFlips, stranger
  }

  private static let sizes = [Size(160, 120), Size(200, 150), Size(320, 240), Size(640, 360)]
  private static let paths = ["memory", "card1", "card2"]

  private let rig = Rig(crtcs: 3)
  private var random: SeededGenerator
  /// The cards that are there, by their paths.
  private var cards: [String: VirtualCard] = [:]
  /// All that ever were.
  private var all: [VirtualCard] = []
  /// The sizes of the monitors that are plugged in, by path and connector.
  private var plugged: [String: [String: Size]] = [:]
  private var faults: [(VirtualCard, VirtualFault)] = []
  /// What was asked of the service since the last look.
  private var asked: [Task<Void, Never>] = []
  private var serial: UInt64 = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func begin() async {
    await rig.start()
    cards["memory"] = rig.card
    all = [rig.card]
  }

  mutating func act() async {
    let path = Self.paths.randomElement(using: &random) ?? "memory"
    // No two cards have connectors of one name, as the kernel has it.
    let number = Self.paths.firstIndex(of: path).map { $0 * 4 } ?? 0
    let connector = "Virtual-\(Int.random(in: 1...4, using: &random) + number)"
    let size = Self.sizes.randomElement(using: &random) ?? Size(160, 120)
    let deed = Deed.allCases.randomElement(using: &random) ?? .plug
    guard let card = cards[path] else { return await comeBack(path) }
    switch deed {
    case .plug, .swap: plug(card, connector, size)
    case .unplug: unplug(card, connector)
    case .blink:
      unplug(card, connector)
      plug(card, connector, size)
    case .yank:
      cards[path] = nil
      plugged[path] = nil
      card.lose()
    case .comeBack, .comeEarly: await comeEarly(path)
    case .hints: for _ in 0..<10 { card.hint() }
    case .fault: breakSomething(card)
    case .otherMaster: card.setMaster(false)
    case .masterAgain: card.setMaster(true)
    case .holdFlips: card.holdFlips()
    case .releaseFlips: card.releaseFlips()
    default:
      serial += 1
      let (director, serial) = (rig.director, serial)
      // To be woken is answered with a flip, which may be held back just now: the next deed does not wait for it.
      asked.append(Task { await Self.ask(deed, connector, serial, of: director) })
      await rig.turns.flush()
    }
  }

  /// What somebody asks of the service. A refusal is an answer, too: the display may just have gone.
  private static func ask(_ deed: Deed, _ connector: String, _ serial: UInt64, of director: Director) async {
    switch deed {
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

  private mutating func comeBack(_ path: String) async {
    let card = VirtualCard(path: path, crtcs: 3, keepsJournal: true, clock: Rig.now)
    cards[path] = card
    all.append(card)
    plugged[path] = [:]
    await rig.director.start(VirtualSource(card))
    // The kernel tells of cards in order; here each has a source of its own.
    await rig.waitWhile { director in !director.knows(card) }
  }

  /// The next card is there before anybody was told that this one is gone.
  private mutating func comeEarly(_ path: String) async {
    let former = cards[path]
    await comeBack(path)
    former?.lose()
  }

  private mutating func breakSomething(_ card: VirtualCard) {
    let call = VirtualCall.allCases.randomElement(using: &random) ?? .flip
    let reason = CardError.Reason.allCases.filter { $0 != .gone }.randomElement(using: &random) ?? .refused
    let fault = VirtualFault.fail(call, reason)
    card.inject(fault, after: Int.random(in: 0..<3, using: &random), count: Int.random(in: 1...3, using: &random))
    faults.append((card, fault))
  }

  /// Sees that each display that can be is lit with the newest message, and that no other says it is.
  mutating func check(_ place: String) async {
    for (card, fault) in faults { card.inject(fault, count: 0) }
    faults = []
    for card in cards.values {
      card.setMaster(true)
      card.releaseFlips()
    }
    for task in asked { await task.value }
    asked = []
    let director = rig.director
    await director.lookAtAll()
    _ = try? await director.setAsleep(SleepRequest(asleep: false))
    await director.lookAtAll()
    await rig.rest()
    serial += 1
    let text = "Seen \(serial)"
    _ = try? await director.setMessage(MessageRequest(text: text, wait: true))
    var reports = await director.displays()
    for (path, connectors) in plugged {
      let here = reports.filter { $0.card == path && connectors.keys.contains($0.name) }
      #expect(here.count == connectors.count, "\(place): \(path) has \(here.map(\.name)), not \(connectors.keys)")
      let lit = here.filter { $0.state == "lit" && $0.message == text }
      // Three CRTCs drive three displays.
      #expect(
        lit.count == min(connectors.count, 3),
        "\(place): \(here.map { "\($0.name) \($0.state) \($0.reason ?? "") \($0.message ?? "-")" })")
      #expect(cards[path]?.enabledCRTCs == lit.count, "\(place): \(path)")
      for report in lit { #expect(connectors[report.name]?.width == report.width, "\(place): \(report.name)") }
    }
    reports.removeAll { plugged[$0.card]?[$0.name] != nil }
    #expect(reports.allSatisfy { $0.state != "lit" }, "\(place): \(reports.map { "\($0.name) \($0.state)" })")
    // Two buffers for each that is lit; those that went are let go of by and by.
    for card in all where cards[card.path] !== card { await rig.waitWhile { card.liveBuffers > 0 } }
    all = Array(cards.values)
    for card in cards.values { await rig.waitWhile { card.liveBuffers > 2 * card.enabledCRTCs } }
  }

  func end() async {
    await rig.director.close()
    for card in all { await rig.waitWhile { card.liveBuffers > 0 } }
    #expect(rig.openEntries.isEmpty)
  }
}

extension Director {
  /// Whether a card that was told of has arrived.
  fileprivate func knows(_ card: VirtualCard) -> Bool { desks[card.path]?.card as AnyObject === card }
}
