import Configuration
import Control
import Displays
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// The answers to requests that wait until a scene is presented.
struct DeliveryTests {
  private func harness() async throws -> Harness {
    let harness = Harness()
    await harness.start()
    try await harness.plug(320, 240)
    await harness.rest()
    return harness
  }

  private func open(_ text: String, on display: String, _ harness: Harness) async throws -> Delivery {
    let request = OpenRequest(scene: Scene.banner(text).document, display: display, wait: true)
    return try #require(try await harness.director.open(request).delivery)
  }

  @Test func `a covered message or session is reported as not shown, with the message that covers it`() async throws {
    let harness = try await harness()
    let cover = try await harness.director.post(MessageRequest(text: "Above", priority: 1, wait: true))
    #expect(cover.shown.map(\.display) == ["Virtual-1"])
    let id = try #require(cover.id)
    let reason =
      "Virtual-1: message \(id) (\"Above\") covers it until it is withdrawn; `placard withdraw \(id)` ends it"
    #expect(try await harness.show("Below").notShown == [reason])
    #expect(try await harness.show("Below again", on: "Virtual-1").notShown == [reason])
    let opened = try await open("Session", on: "Virtual-1", harness)
    #expect(opened.shown.isEmpty && opened.notShown == [reason] && opened.warnings.isEmpty)
  }

  @Test func `a covering message is reported with its text and its end`() async throws {
    let harness = try await harness()
    let timed = try #require(
      try await harness.director.post(MessageRequest(text: "Lunch", priority: 1, seconds: 600)).id)
    let report = try await harness.show("Below")
    let expires = await harness.director.liveMessage(timed)?.expires
    #expect(report.covers == [Cover(display: "Virtual-1", message: timed, summary: "Lunch", expires: expires)])
    let reason = try #require(report.notShown.first)
    #expect(reason.contains("(\"Lunch\") covers it until "))
    #expect(reason.contains(/until ([0-9]+ [A-Z][a-z]+ )?[0-2][0-9]:[0-5][0-9];/))
    try await harness.director.withdraw(timed)
    _ = try await harness.director.post(MessageRequest(text: "Fire", priority: 2, acknowledge: true))
    #expect(try await harness.show("Below").notShown.first?.contains("covers it until it is acknowledged;") == true)
    #expect(try await open("Session", on: "Virtual-1", harness).covers?.map(\.summary) == ["Fire"])
  }

  @Test func `a message that leaves the frame unchanged has the flip time of that frame`() async throws {
    let harness = try await harness()
    let first = try await harness.show("Same")
    let time = try #require(first.shown.first?.flipTime)
    let again = try await harness.director.post(MessageRequest(text: "Same", wait: true))
    #expect(again.shown == [.init(display: "Virtual-1", flipTime: time, milliseconds: 0)])
    #expect(again.notShown.isEmpty)
  }

  @Test func `a message that is covered before its flip is reported as not shown`() async throws {
    let harness = try await harness()
    harness.card.holdFlips()
    _ = try await harness.director.setMessage(MessageRequest(text: "On its way"))
    let flips = harness.card.journal.count
    await harness.waitWhile { harness.card.journal.count == flips && harness.card.journal.last != "flip Virtual-1" }
    async let below = harness.show("Below")
    await harness.waitWhile { director in director.waiting == 0 }
    let cover = try await harness.director.post(MessageRequest(text: "Above", priority: 1))
    harness.card.releaseFlips()
    let report = try await below
    #expect(report.shown.isEmpty)
    #expect(report.notShown.first?.contains("message \(try #require(cover.id)) (\"Above\") covers it") == true)
  }

  @Test func `a message that is replaced under its name before its flip is not shown`() async throws {
    let harness = try await harness()
    harness.card.holdFlips()
    _ = try await harness.director.setMessage(MessageRequest(text: "On its way"))
    async let first = harness.director.post(MessageRequest(text: "First", name: "gate", wait: true))
    await harness.waitWhile { director in director.waiting == 0 }
    async let second = harness.director.post(MessageRequest(text: "Second", name: "gate", wait: true))
    await harness.waitWhile { director in director.waiting == 1 }
    harness.card.releaseFlips()
    let (one, other) = try await (first, second)
    #expect(one.id == other.id)
    #expect(one.shown.isEmpty && one.notShown == ["Virtual-1: something else came first"])
    #expect(other.shown.count == 1 && other.notShown.isEmpty)
  }

  @Test func `a session that is replaced before its flip is not shown`() async throws {
    let harness = try await harness()
    harness.card.holdFlips()
    _ = try await harness.director.setMessage(MessageRequest(text: "On its way"))
    async let first = open("First", on: "Virtual-1", harness)
    await harness.waitWhile { director in director.waiting == 0 }
    _ = try await harness.director.open(OpenRequest(scene: Scene.banner("Second").document, display: "Virtual-1"))
    harness.card.releaseFlips()
    let delivery = try await first
    #expect(delivery.shown.isEmpty && delivery.notShown.count == 1)
  }

  @Test func `a request does not wait for a display that is unplugged, asleep or dark`() async throws {
    let harness = try await harness()
    harness.card.holdFlips()
    async let gone = harness.show("Gone")
    await harness.waitWhile { director in director.waiting == 0 }
    try await harness.director.unplug("Virtual-1")
    #expect(try await gone.notShown == ["Virtual-1: the monitor was unplugged"])
    harness.card.releaseFlips()
    try await harness.plug(320, 240)
    await harness.rest()
    harness.card.holdFlips()
    async let asleep = harness.show("Asleep")
    await harness.waitWhile { director in director.waiting == 0 }
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    #expect(try await asleep.notShown == ["Virtual-1: asleep; `placard wake Virtual-1` lights it"])
    #expect(try await open("Still asleep", on: "Virtual-1", harness).notShown.count == 1)
    harness.card.inject(.failCommit(.refused))
    _ = try await harness.director.setAsleep(SleepRequest(asleep: false))
    let dark = try await harness.show("Dark")
    #expect(dark.notShown.first?.hasPrefix("Virtual-1: no mode could be set") == true)
    #expect(await harness.director.waiting == 0)
  }

  @Test func `a message that arrives while a display is being enabled is shown and reported as shown`() async throws {
    let harness = Harness()
    await harness.start()
    let director = harness.director
    let posted = Counter()
    harness.card.during(.allocate) {
      if posted.next() == 1 { _ = try? await director.setMessage(MessageRequest(text: "During")) }
    }
    async let plugged = harness.plug(320, 240)
    await harness.waitWhile { director in director.display("Virtual-1") == nil }
    _ = try await plugged
    let report = try await harness.director.setMessage(MessageRequest(text: "During", wait: true))
    #expect(report.shown.map(\.display) == ["Virtual-1"] && report.notShown.isEmpty)
    #expect(await harness.display("Virtual-1")?.message == "During")
  }

  @Test func `the reasons of why name the rule that sets a display's scene`() async throws {
    var match = MonitorMatch()
    match.connector = "Virtual-*"
    let wishes = DisplayRequests(scene: .banner("By rule"))
    let harness = Harness(Settings(monitors: [MonitorRule(match: match, wishes: wishes)]))
    await harness.start()
    try await harness.plug(320, 240)
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "By rule")
    let reasons = try await harness.director.why("Virtual-1").reasons
    #expect(reasons.contains { $0.contains("which sets scene") }, "\(reasons)")
  }
}
