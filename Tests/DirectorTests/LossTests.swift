import Configuration
import Control
import Glibc
import Scenes
import Testing

@testable import Director

/// Losses, which are reasons of the health until a client acknowledges them or they are repaired.
struct LossTests {
  private static let bus = Loss(.missingBus, "the system bus is missing; start it")

  /// The stored losses.
  private func records(_ persistence: KeptRecords) -> [Record] { persistence.records.filter { $0.kind == "loss" } }

  @Test(arguments: [
    Loss.Cause.damagedDatabase, .droppedChanges, .unreadableRecord, .refusedReload, .missingBus,
  ])
  func `a loss is a reason in health and status until it is acknowledged`(cause: Loss.Cause) async throws {
    let harness = Harness()
    await harness.start()
    await harness.director.record(Loss(cause, of: "a", "a is lost; look for it"))
    let health = await harness.director.health()
    #expect(health.state == .degraded && health.reasons == ["a is lost; look for it"])
    let since = Timestamp(milliseconds: harness.clock.now)
    #expect(health.losses == [LossReport(id: 1, text: "a is lost; look for it", since: since)])
    #expect(await harness.director.status().problems == health.reasons)
    try await harness.director.acknowledgeLoss(1)
    #expect(await harness.director.health().state == .ok)
    #expect(await harness.director.status().problems.isEmpty)
    await #expect(throws: ControlError.unknownLoss(1)) { try await harness.director.acknowledgeLoss(1) }
  }

  @Test func `a repaired loss ends without an acknowledgement`() async {
    let harness = Harness()
    await harness.start()
    await harness.director.record(Self.bus)
    #expect(await harness.director.health().reasons == [Self.bus.text])
    await harness.director.resolve(.missingBus)
    #expect(await harness.director.health().state == .ok)
    #expect(records(harness.persistence).isEmpty)
  }

  @Test func `losses survive a restart until they are acknowledged`() async throws {
    let first = Harness()
    await first.start()
    await first.director.record(Loss(.damagedDatabase, "damaged"))
    await first.director.record(Self.bus)
    await first.director.close()
    let second = Harness(persistence: first.persistence)
    await second.start()
    let health = await second.director.health()
    #expect(health.losses.map(\.text) == ["damaged", Self.bus.text] && health.losses.map(\.id) == [1, 2])
    #expect(await second.director.acknowledgeLosses() == health.losses)
    #expect(await second.director.acknowledgeLosses().isEmpty)
    await second.director.record(Self.bus)
    #expect(await second.director.health().state == .ok, "the acknowledgement holds as long as the loss lasts")
    await second.director.close()
    let third = Harness(persistence: first.persistence)
    await third.start()
    #expect(await third.director.health().state == .ok)
    #expect(records(first.persistence).isEmpty)
    await third.director.record(Self.bus)
    #expect(await third.director.health().reasons == [Self.bus.text], "a restart checks the bus again")
  }

  @Test func `an unreadable session is a loss across restarts until it is acknowledged`() async throws {
    let broken = Record(kind: "session", key: "7", json: "{}")
    let persistence = KeptRecords([broken])
    let beginning = "the session 7 cannot be read and is left out: "
    for _ in 1...2 {
      let harness = Harness(persistence: persistence)
      await harness.start()
      let losses = await harness.director.health().losses
      #expect(losses.count == 1 && losses.first?.text.hasPrefix(beginning) == true, "\(losses)")
      await harness.director.close()
    }
    let acknowledging = Harness(persistence: persistence)
    await acknowledging.start()
    #expect(await acknowledging.director.acknowledgeLosses().count == 1)
    await acknowledging.director.close()
    let next = Harness(persistence: persistence)
    await next.start()
    #expect(await next.director.health().state == .ok, "a restart does not repair it")
    await next.director.close()
    #expect(persistence.records.contains(broken), "a newer version may read it")
    persistence.write([.remove(kind: "session", key: "7")])
    let repaired = Harness(persistence: persistence)
    await repaired.start()
    #expect(records(persistence).isEmpty)
    await repaired.director.close()
    persistence.write([.put(broken)])
    let again = Harness(persistence: persistence)
    await again.start()
    #expect(await again.director.health().losses.count == 1)
  }

  @Test func `a missing font is a loss until it is installed and the settings are reloaded`() async throws {
    let font = "/tmp/placard-font-\(getpid())-\(UInt32.random(in: .min ... .max)).ttf"
    defer { unsafe unlink(font) }
    let settings = Settings(style: Style(font: font), message: "Hello")
    let harness = Harness(settings)
    await harness.start()
    await harness.wait { await !harness.director.health().losses.isEmpty }
    let loss = try #require(await harness.director.health().losses.first)
    #expect(loss.text.hasPrefix("font \(font) cannot be used"), "\(loss.text)")
    #expect(loss.text.hasSuffix("; install it, then reload (systemctl reload placard)"))
    try await harness.director.acknowledgeLoss(loss.id)
    await harness.director.apply(settings)
    #expect(await harness.director.health().state == .ok, "the acknowledgement holds as long as the font is missing")
    #expect(records(harness.persistence).count == 1)
    let isThere = unsafe symlink("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", font) == 0
    try #require(isThere)
    await harness.director.apply(settings)
    #expect(records(harness.persistence).isEmpty)
    await harness.director.apply(Settings(style: Style(font: "No Such Family 7"), message: "Hello"))
    #expect(await harness.director.health().reasons.first?.hasPrefix("font No Such Family 7 is not installed") == true)
    await harness.director.apply(Settings(message: "Hello"))
    #expect(await harness.director.health().state == .ok, "the settings no longer name it")
  }

  @Test func `a loss and its acknowledgement are events`() async throws {
    let harness = Harness()
    await harness.start()
    var events = await harness.director.events().makeAsyncIterator()
    await harness.director.record(Self.bus)
    _ = await harness.director.acknowledgeLosses()
    for detail in [Self.bus.text, nil] {
      let event = try #require(await events.next())
      #expect(event.kind == .healthChanged && event.display.isEmpty && event.detail == detail)
    }
  }

  @Test func `an acknowledged loss is reported again only after it was repaired in between`() {
    var losses = Losses()
    losses.record(Self.bus, at: 1)
    losses.record(Loss(.missingBus, "other words"), at: 2)
    #expect(losses.open.map(\.text) == ["other words"] && losses.open.map(\.since) == [1])
    #expect(losses.acknowledge(1)?.text == "other words")
    losses.record(Self.bus, at: 3)
    #expect(losses.open.isEmpty)
    losses.resolve(.missingBus, of: "")
    losses.record(Self.bus, at: 4)
    #expect(losses.open.map(\.since) == [4] && losses.open.map(\.id) == [2])
  }

  @Test func `a refused reload replaces the previous one, and is a new loss once acknowledged`() {
    var losses = Losses()
    losses.record(Loss(.refusedReload, "line 1"), at: 1)
    losses.record(Loss(.refusedReload, "line 2"), at: 2)
    #expect(losses.open.map(\.text) == ["line 2"] && losses.open.map(\.since) == [2])
    #expect(losses.acknowledge(1) == nil, "the new one is not acknowledged")
    #expect(losses.acknowledge(2) != nil && losses.all.isEmpty)
    losses.record(Loss(.refusedReload, "line 2"), at: 3)
    #expect(losses.open.count == 1)
  }

  @Test func `above the limit, acknowledged losses are removed first, then the oldest`() {
    var losses = Losses()
    for number in 1...Losses.most { losses.record(Loss(.missingFont, of: "\(number)", ""), at: 1) }
    _ = losses.acknowledge(9)
    losses.record(Self.bus, at: 2)
    #expect(losses.all.count == Losses.most && !losses.all.contains { $0.id == 9 })
    losses.record(Loss(.refusedReload, ""), at: 3)
    #expect(losses.all.count == Losses.most && losses.all.first?.id == 2)
  }

  @Test func `stored losses are read as they were written, and invalid records are skipped`() {
    var losses = Losses()
    losses.record(Loss(.missingFont, of: "Größe \"1\"", "a\nb"), at: -1)
    losses.record(Self.bus, at: 1_795_262_430_000)
    _ = losses.acknowledge(2)
    let written = Losses.changes(from: Losses(), to: losses).compactMap { change -> Record? in
      if case .put(let record) = change { record } else { nil }
    }
    #expect(Losses(written.reversed()) == losses)
    #expect(Losses.changes(from: losses, to: Losses(written)).isEmpty)
    let id = #""id":9223372036854775807,"object":"","since":1,"text":"""#
    let texts = ["", "{}", #"{"v":2}"#, #"{"v":1,"cause":"other",\#(id)}"#, #"{"v":1,"cause":"missingBus",\#(id)}"#]
    #expect(Losses(texts.map { Record(kind: "loss", key: "missingBus", json: $0) }).all.isEmpty)
    #expect(Losses(written + written).all.map(\.id) == [1, 2, 3, 4], "each loss has its own ID")
  }
}
