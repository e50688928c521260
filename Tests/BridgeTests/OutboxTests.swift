import Archive
import Control
import JSON
import MQTT
import SeededRandom
import Testing

@testable import Bridge

/// The queue of messages that must reach the broker, and the proofs in it.
struct OutboxTests {
  private static func line(_ id: Int, _ began: Int64, ended: Int64? = nil) -> HistoryLine {
    HistoryLine(
      id: "\(id)", display: "HDMI-A-1", monitor: "DEL-1", kind: "banner", what: "Line \(id)",
      began: Timestamp(milliseconds: began), ended: ended.map(Timestamp.init))
  }

  private static func shown(_ id: UInt64, at time: Int64) -> BridgeEvent {
    let event = ControlEvent(
      id: id, kind: .messageShown, display: "HDMI-A-1", time: 0, date: Timestamp(milliseconds: time), detail: "x")
    return .notice(event, at: EventPlace(epoch: "e", id: id))
  }

  @Test func `A message is published after it was stored, and removed after its acknowledgment`() throws {
    var harness = BridgeHarness()
    harness.connect()
    harness.handle(.notice(ControlEvent(id: 1, kind: .connected, display: "HDMI-A-1", time: 0), at: nil))
    #expect(harness.effects.published.isEmpty, "it is not stored yet")
    let message = try #require(harness.settle().published.first { $0.topic == "evt/connected" })
    #expect(message.payload["sequence"] == 1)
    #expect(harness.disk.keys.filter { $0.hasPrefix("outbox/") }.count == 1)
    harness.handle(.broker(.published(message.number)))
    harness.settle()
    #expect(!harness.disk.keys.contains { $0.hasPrefix("outbox/") })
    // A second acknowledgment of the same number is ignored.
    harness.handle(.broker(.published(message.number)))
    #expect(harness.settle().isEmpty)
  }

  @Test func `At most 20 messages are unacknowledged, and each connection publishes all of them again`() throws {
    var harness = BridgeHarness()
    harness.connect()
    for id in 1...30 {
      harness.handle(.notice(ControlEvent(id: UInt64(id), kind: .connected, display: "A", time: 0), at: nil))
    }
    let first = harness.settle().published.filter { $0.topic == "evt/connected" }
    #expect(first.map(\.number) == Array(1...20))
    harness.handle(.broker(.published(1)))
    #expect(harness.settle().published.map(\.number) == [21])
    harness.handle(.broker(.ended(MQTTFault(.lost, "gone"))))
    #expect(harness.settle().published.isEmpty)
    harness.handle(.broker(.connected(hasSession: true)))
    let again = harness.settle().published.filter { $0.topic == "evt/connected" }
    #expect(again.map(\.number) == Array(2...21))
  }

  @Test func `A full queue drops its oldest messages and reports how many`() throws {
    var harness = BridgeHarness(queueLimit: 100)
    harness.start()
    harness.handle(.serviceOpened)
    for id in 1...130 {
      harness.handle(.notice(ControlEvent(id: UInt64(id), kind: .connected, display: "A", time: 0), at: nil))
      harness.settle()
    }
    #expect(harness.disk.keys.filter { $0.hasPrefix("outbox/") }.count == 100)
    harness.handle(.state(BoxState.ok))
    // The count survives a restart.
    harness.start()
    harness.handle(.serviceOpened)
    harness.handle(.broker(.connected(hasSession: false)))
    harness.handle(.state(BoxState.ok))
    let effects = harness.settle()
    #expect(effects.payload("reported")?["dropped"] == 30)
    #expect(effects.published.first { $0.topic == "evt/connected" }?.payload["sequence"] == 31)
  }

  @Test func `What an event shows is read from the history and sent once, with its end`() throws {
    var harness = BridgeHarness()
    harness.connect()
    harness.answerHistory([])
    harness.handle(Self.shown(1, at: 5000))
    let query = try #require(harness.settle().query)
    #expect(query == HistoryQuery(since: 4999, until: 5001, display: "HDMI-A-1"))
    harness.answerHistory([Self.line(1, 5000)])
    let begin = try #require(harness.settle().published.first)
    #expect(begin.topic == "proof/\(begin.number)")
    #expect(begin.payload["what"] == "Line 1" && begin.payload["ended"] == nil)
    harness.handle(Self.shown(2, at: 9000))
    harness.settle()
    harness.answerHistory([Self.line(2, 9000), Self.line(1, 5000, ended: 9000)])
    let proofs = harness.settle().published.map(\.payload)
    #expect(proofs.map { $0["what"] } == ["Line 1", "Line 2"])
    #expect(proofs[0]["ended"]?["milliseconds"] == 9000)
    // The whole history is read again after a gap.
    harness.handle(.gap)
    harness.settle()
    harness.answerHistory([Self.line(2, 9000), Self.line(1, 5000, ended: 9000)])
    #expect(harness.settle().published.isEmpty)
  }

  @Test func `A gap is filled from the history, also after a clock was set back by an hour`() throws {
    var harness = BridgeHarness()
    harness.connect()
    harness.answerHistory([])
    harness.handle(Self.shown(1, at: 10_000_000))
    harness.settle()
    harness.answerHistory([Self.line(1, 10_000_000)])
    harness.settle()
    harness.connect()
    // The first query after the restart.
    let since = try #require(harness.machine.proofs.queries.first?.since)
    #expect(since <= 10_000_000 - 3_600_000)
    harness.answerHistory([Self.line(1, 10_000_000), Self.line(9, 6_500_000)])
    #expect(harness.settle().published.filter { $0.topic.hasPrefix("proof/") }.map { $0.payload["id"] }.last == "9")
  }

  @Test func `A gap while the history is read loses nothing`() throws {
    var harness = BridgeHarness()
    harness.connect()
    harness.answerHistory([])
    harness.handle(Self.shown(1, at: 10_000_000))
    harness.settle()
    let first = try #require(harness.machine.proofs.reading)
    harness.handle(.gap)
    harness.handle(.history(first, [Self.line(1, 10_000_000)]))
    // The query for everything is still to be answered.
    #expect(harness.settle().query?.display == nil)
    harness.answerHistory([Self.line(2, 10_000_500), Self.line(1, 10_000_000, ended: 10_000_500)])
    let ids = harness.settle().published.compactMap { $0.topic.hasPrefix("proof/") ? $0.payload["id"] : nil }
    #expect(ids == ["1", "2"])
  }

  @Test func `After an hour without the broker, everything arrives once and in order`() throws {
    var harness = BridgeHarness()
    harness.connect()
    harness.answerHistory([])
    harness.handle(.broker(.ended(MQTTFault(.lost, "gone"))))
    harness.settle()
    let end = harness.now.monotonic + 3_600_000
    var (id, attempts) = (0, 0)
    while harness.now.monotonic < end {
      // A message each minute, and an attempt to connect whenever one is due.
      id += 1
      let began = Int64(id) * 60_000
      harness.handle(Self.shown(UInt64(id), at: began))
      harness.settle()
      harness.answerHistory(
        [Self.line(id, began), Self.line(id - 1, began - 60_000, ended: began)].filter { $0.id != "0" })
      harness.settle()
      let next = harness.now.monotonic + 60_000
      while case .waiting(let until) = harness.machine.broker, until < next {
        harness.now.monotonic = max(until, harness.now.monotonic)
        harness.handle(.time)
        attempts += harness.settle().count { if case .connect = $0 { true } else { false } }
        harness.handle(.broker(.ended(MQTTFault(.unreachable, "no route"))))
        harness.settle()
      }
      harness.now.monotonic = next
    }
    #expect(id == 60 && (60...140).contains(attempts), "\(attempts) attempts")
    harness.handle(.broker(.connected(hasSession: true)))
    var proofs: [JSONValue] = []
    while case let new = harness.settle().published.filter({ $0.topic.hasPrefix("proof/") }), !new.isEmpty {
      proofs += new.map(\.payload)
      for message in new { harness.handle(.broker(.published(message.number))) }
    }
    #expect(proofs.filter { $0["ended"] == nil }.map { $0["id"] } == (1...60).map { .string("\($0)") })
    #expect(proofs.map { $0["sequence"] } == (1...119).map { .number("\($0)") })
    #expect(!harness.disk.keys.contains { $0.hasPrefix("outbox/") })
  }

  @Test func `A broker that acknowledges nothing for a minute is left for the next one`() throws {
    var harness = BridgeHarness()
    harness.connect()
    for id in 1...3 {
      harness.handle(.notice(ControlEvent(id: UInt64(id), kind: .connected, display: "A", time: 0), at: nil))
    }
    let number = try #require(harness.settle().published.first { $0.topic == "evt/connected" }).number
    harness.now.monotonic += BridgeMachine.patience - 1
    harness.handle(.broker(.published(number)))
    harness.now.monotonic += BridgeMachine.patience - 1
    harness.handle(.time)
    #expect(harness.machine.broker == .connected, "each acknowledgment begins a new minute")
    harness.now.monotonic += 1
    #expect(harness.machine.due.map { $0 <= harness.now.monotonic } == true)
    harness.handle(.time)
    #expect(harness.settle().warnings.count == 1 && harness.machine.fault?.kind == .unavailable)
    harness.now.monotonic += 1000
    harness.handle(.time)
    harness.handle(.broker(.connected(hasSession: true)))
    let again = harness.settle().published.filter { $0.topic == "evt/connected" }.map(\.number)
    #expect(again == [number + 1, number + 2])
    again.forEach { harness.handle(.broker(.published($0))) }
    #expect(harness.machine.due == nil)
  }

  @Test func `The delays between attempts double up to a minute and differ between boxes`() {
    let delays = (1...10).map { BridgeMachine.delay(after: $0, seed: "placard/berlin/lobby/") }
    for (delay, longest) in zip(delays, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]) {
      #expect((Int64(longest) * 500...Int64(longest) * 1000).contains(delay))
    }
    let firsts = Set((0..<1000).map { BridgeMachine.delay(after: 7, seed: "placard/berlin/box\($0)/") })
    #expect(firsts.count > 900)
  }

  @Test func `A broker that ends each connection at once is tried less and less often`() throws {
    var harness = BridgeHarness()
    harness.start()
    var delays: [Int64] = []
    func attempt(lasting time: Int64) {
      harness.handle(.broker(.connected(hasSession: false)))
      harness.now.monotonic += time
      harness.handle(.broker(.ended(MQTTFault(.refusedClient, "another client"))))
      guard case .waiting(let until) = harness.machine.broker else { return }
      delays.append(until - harness.now.monotonic)
      harness.now.monotonic = until
      harness.handle(.time)
      harness.settle()
    }
    for _ in 0..<8 { attempt(lasting: 100) }
    #expect(delays[0] <= 1000 && delays[7] >= 30_000)
    attempt(lasting: 100_000)
    #expect(try #require(delays.last) <= 1000)
  }

  @Test func `After any crashes and losses, each message arrives, in order and with one content per sequence`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for run in 0..<200 {
      try Self.checkDelivery(&random, "seed \(seed), run \(run)")
    }
  }

  /// Sends events through a bridge that crashes and loses its connections at random, and checks what the broker gets.
  private static func checkDelivery(_ random: inout SeededGenerator, _ hint: String) throws {
    var harness = BridgeHarness()
    var (accepted, received): ([Int], [Int: JSONValue]) = ([], [:])
    var (pending, order): ([Int], [Int]) = ([], [])
    var sent: UInt64 = 0
    /// Carries out the first effects; a crash loses the rest.
    func carryOut(_ count: Int) {
      for _ in 0..<count where !harness.effects.isEmpty {
        switch harness.effects.removeFirst() {
        case .store(let number, let changes):
          harness.write(changes)
          harness.handle(.stored(number))
        case .publish(let message, let number) where message.topic.contains("/evt/"):
          let payload = (try? JSONValue(parsing: message.payload)) ?? .null
          #expect(received[number] == nil || received[number] == payload, "\(hint)")
          if received.updateValue(payload, forKey: number) == nil { order.append(number) }
          pending.append(number)
        default: break
        }
      }
    }
    harness.connect()
    for _ in 0..<60 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        pending = []
        harness.start()
        if Bool.random(using: &random) { harness.handle(.broker(.connected(hasSession: true))) }
        harness.handle(.serviceOpened)
      case 1:
        pending = []
        harness.handle(.broker(.ended(MQTTFault(.lost, "gone"))))
        harness.handle(.broker(.connected(hasSession: true)))
      case 2...4:
        sent += 1
        let event = ControlEvent(id: sent, kind: .connected, display: "A", time: sent)
        harness.handle(.notice(event, at: EventPlace(epoch: "e", id: sent)))
        // A stored event counts as accepted; one that a crash loses is sent again by the service.
        harness.settleStores()
        accepted.append(Int(sent))
      case 5...6: if !pending.isEmpty { harness.handle(.broker(.published(pending.removeFirst()))) }
      default: carryOut(Int.random(in: 1...5, using: &random))
      }
    }
    pending = []
    harness.start()
    harness.handle(.serviceOpened)
    harness.handle(.broker(.connected(hasSession: true)))
    for _ in 0..<200 {
      carryOut(harness.effects.count)
      if !pending.isEmpty { harness.handle(.broker(.published(pending.removeFirst()))) }
    }
    #expect(order == order.sorted(), "\(hint)")
    let times = order.compactMap { received[$0]?["id"]?.integer }
    #expect(times == accepted, "\(hint)")
  }
}

extension BridgeHarness {
  /// Writes what is to be stored, and keeps the other effects.
  mutating func settleStores() {
    for effect in effects {
      if case .store(let number, let changes) = effect {
        write(changes)
        handle(.stored(number))
      }
    }
    effects.removeAll { if case .store = $0 { true } else { false } }
  }
}

extension [BridgeEffect] {
  /// The only query of the history.
  fileprivate var query: HistoryQuery? {
    let queries = compactMap { effect in if case .readHistory(let query) = effect { query } else { nil } }
    return queries.count == 1 ? queries[0] : nil
  }
}

extension BoxState {
  /// A service without displays and problems.
  static var ok: BoxState {
    BoxState(
      status: ServiceStatus(version: "0.1.0", backend: .virtual, pid: 1, lit: 0, connected: 0, problems: []),
      health: HealthReport(state: .ok, ready: true, reasons: [], uptime: 1), displays: [])
  }
}
