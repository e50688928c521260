import Configuration
import Control
import Displays
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// What is answered to somebody who waits for a scene to be on the glass.
struct DeliveryTests {
  private func rig() async throws -> Rig {
    let rig = Rig()
    await rig.start()
    try await rig.plug(320, 240)
    await rig.rest()
    return rig
  }

  private func open(_ text: String, on display: String, _ rig: Rig) async throws -> Delivery {
    let request = OpenRequest(scene: Scene.banner(text).document, display: display, wait: true)
    return try #require(try await rig.director.open(request).delivery)
  }

  @Test func `what is covered is not shown, and what covers it is named`() async throws {
    let rig = try await rig()
    let cover = try await rig.director.post(MessageRequest(text: "Above", priority: 1, wait: true))
    #expect(cover.shown.map(\.display) == ["Virtual-1"])
    let id = try #require(cover.id)
    let reason =
      "Virtual-1: message \(id) (\"Above\") covers it until it is withdrawn; `placard withdraw \(id)` ends it"
    #expect(try await rig.show("Below").notShown == [reason])
    #expect(try await rig.show("Below, too", on: "Virtual-1").notShown == [reason])
    let opened = try await open("Session", on: "Virtual-1", rig)
    #expect(opened.shown.isEmpty && opened.notShown == [reason] && opened.warnings.isEmpty)
  }

  @Test func `a cover is named with its text and its end`() async throws {
    let rig = try await rig()
    let timed = try #require(try await rig.director.post(MessageRequest(text: "Lunch", priority: 1, seconds: 600)).id)
    let report = try await rig.show("Below")
    let expires = await rig.director.liveMessage(timed)?.expires
    #expect(report.covers == [Cover(display: "Virtual-1", message: timed, summary: "Lunch", expires: expires)])
    let reason = try #require(report.notShown.first)
    #expect(reason.contains("(\"Lunch\") covers it until "))
    #expect(reason.contains(/until ([0-9]+ [A-Z][a-z]+ )?[0-2][0-9]:[0-5][0-9];/))
    try await rig.director.withdraw(timed)
    _ = try await rig.director.post(MessageRequest(text: "Fire", priority: 2, acknowledge: true))
    #expect(try await rig.show("Below").notShown.first?.contains("covers it until it is acknowledged;") == true)
    #expect(try await open("Session", on: "Virtual-1", rig).covers?.map(\.summary) == ["Fire"])
  }

  @Test func `a message with the same picture as before has the flip time of that picture`() async throws {
    let rig = try await rig()
    let first = try await rig.show("Same")
    let time = try #require(first.shown.first?.flipTime)
    let again = try await rig.director.post(MessageRequest(text: "Same", wait: true))
    #expect(again.shown == [.init(display: "Virtual-1", flipTime: time, milliseconds: 0)])
    #expect(again.notShown.isEmpty)
  }

  @Test func `what is covered before its flip came was never shown`() async throws {
    let rig = try await rig()
    rig.card.holdFlips()
    _ = try await rig.director.setMessage(MessageRequest(text: "On its way"))
    let flips = rig.card.journal.count
    await rig.waitWhile { rig.card.journal.count == flips && rig.card.journal.last != "flip Virtual-1" }
    async let below = rig.show("Below")
    await rig.waitWhile { director in director.waiting == 0 }
    let cover = try await rig.director.post(MessageRequest(text: "Above", priority: 1))
    rig.card.releaseFlips()
    let report = try await below
    #expect(report.shown.isEmpty)
    #expect(report.notShown.first?.contains("message \(try #require(cover.id)) (\"Above\") covers it") == true)
  }

  @Test func `a text that another one of its name takes the place of is not shown`() async throws {
    let rig = try await rig()
    rig.card.holdFlips()
    _ = try await rig.director.setMessage(MessageRequest(text: "On its way"))
    async let first = rig.director.post(MessageRequest(text: "First", name: "gate", wait: true))
    await rig.waitWhile { director in director.waiting == 0 }
    async let second = rig.director.post(MessageRequest(text: "Second", name: "gate", wait: true))
    await rig.waitWhile { director in director.waiting == 1 }
    rig.card.releaseFlips()
    let (one, other) = try await (first, second)
    #expect(one.id == other.id)
    #expect(one.shown.isEmpty && one.notShown == ["Virtual-1: something else came first"])
    #expect(other.shown.count == 1 && other.notShown.isEmpty)
  }

  @Test func `a session that another one takes the place of is not shown`() async throws {
    let rig = try await rig()
    rig.card.holdFlips()
    _ = try await rig.director.setMessage(MessageRequest(text: "On its way"))
    async let first = open("First", on: "Virtual-1", rig)
    await rig.waitWhile { director in director.waiting == 0 }
    _ = try await rig.director.open(OpenRequest(scene: Scene.banner("Second").document, display: "Virtual-1"))
    rig.card.releaseFlips()
    let delivery = try await first
    #expect(delivery.shown.isEmpty && delivery.notShown.count == 1)
  }

  @Test func `nobody waits for a display that goes, sleeps or cannot be lit`() async throws {
    let rig = try await rig()
    rig.card.holdFlips()
    async let gone = rig.show("Gone")
    await rig.waitWhile { director in director.waiting == 0 }
    try await rig.director.unplug("Virtual-1")
    #expect(try await gone.notShown == ["Virtual-1: the monitor was unplugged"])
    rig.card.releaseFlips()
    try await rig.plug(320, 240)
    await rig.rest()
    rig.card.holdFlips()
    async let asleep = rig.show("Asleep")
    await rig.waitWhile { director in director.waiting == 0 }
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    #expect(try await asleep.notShown == ["Virtual-1: asleep; `placard wake Virtual-1` lights it"])
    #expect(try await open("Still asleep", on: "Virtual-1", rig).notShown.count == 1)
    rig.card.inject(.failCommit(.refused))
    _ = try await rig.director.setAsleep(SleepRequest(asleep: false))
    let dark = try await rig.show("Dark")
    #expect(dark.notShown.first?.hasPrefix("Virtual-1: no mode could be set") == true)
    #expect(await rig.director.waiting == 0)
  }

  @Test func `a message that comes while a display is being lit is shown, and said to be`() async throws {
    let rig = Rig()
    await rig.start()
    let director = rig.director
    let posted = Counter()
    rig.card.during(.allocate) {
      if posted.next() == 1 { _ = try? await director.setMessage(MessageRequest(text: "During")) }
    }
    async let plugged = rig.plug(320, 240)
    await rig.waitWhile { director in director.display("Virtual-1") == nil }
    _ = try await plugged
    let report = try await rig.director.setMessage(MessageRequest(text: "During", wait: true))
    #expect(report.shown.map(\.display) == ["Virtual-1"] && report.notShown.isEmpty)
    #expect(await rig.display("Virtual-1")?.message == "During")
  }

  @Test func `why tells by which rules a display shows what it shows`() async throws {
    var match = MonitorMatch()
    match.connector = "Virtual-*"
    let wishes = DisplayRequests(scene: .banner("By rule"))
    let rig = Rig(Settings(monitors: [MonitorRule(match: match, wishes: wishes)]))
    await rig.start()
    try await rig.plug(320, 240)
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "By rule")
    let reasons = try await rig.director.why("Virtual-1").reasons
    #expect(reasons.contains { $0.contains("which sets scene") }, "\(reasons)")
  }
}
