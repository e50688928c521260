import Control
import JSON
import MQTT
import Testing

@testable import Bridge

/// The devices of Home Assistant.
struct HomeAssistantTests {
  private static func display(_ name: String, _ identity: String?, _ state: DisplayReport.State = .lit) -> DisplayReport
  {
    DisplayReport(
      name: name, state: state, reason: nil, role: .external, card: "memory", driver: "virtual", monitor: "DEL U2720Q",
      identity: identity, mode: "1920x1080@60", width: 1920, height: 1080, scale: 1, message: "Hello")
  }

  private static func state(_ displays: [DisplayReport], entries: [String] = []) -> BoxState {
    var state = BoxState.ok
    state.displays = displays
    state.library = entries.map { name in
      LibraryReport(
        name: name, kind: "banner", summary: name, revision: "1", changed: Timestamp(milliseconds: 0))
    }
    return state
  }

  /// Returns a harness with discovery whose state was read once, and the effects of that.
  private static func harness(_ state: BoxState) -> (BridgeHarness, [BridgeEffect]) {
    var harness = BridgeHarness(discovery: "homeassistant")
    harness.connect()
    harness.handle(.state(state))
    let effects = harness.settle()
    return (harness, effects)
  }

  private static func message(_ effects: [BridgeEffect], _ topic: String) -> JSONValue? {
    for case .publish(let message, _) in effects where message.topic == topic {
      return try? JSONValue(parsing: message.payload)
    }
    return nil
  }

  @Test func `A monitor that left while the bridge was not connected becomes unavailable`() {
    var harness = BridgeHarness(discovery: "homeassistant")
    harness.connect()
    harness.handle(.state(BoxState.ok))
    harness.settle()
    let topic = "display/placard-gone/availability"
    let offline = MQTTMessage(topic: harness.box.topic(topic), payload: Array("offline".utf8), isRetained: true)
    #expect(harness.receive(topic, "online", isRetained: true).contains(.publish(offline, number: 0)))
    // The bridge also receives its own message.
    #expect(harness.receive(topic, "offline").isEmpty)
  }

  @Test func `An identifier has the characters that Home Assistant accepts, and differs between equal monitors`() {
    #expect(HomeAssistantDevice.identifier("DEL-a.b/c é") == "DEL-a_b_c___")
    let displays = [
      Self.display("HDMI-A-1", "GSM-1"), Self.display("HDMI-A-2", "GSM-1"), Self.display("DP-1", "DEL-2"),
      Self.display("DP-2", nil), Self.display("DP-3", "ACR-3", .disconnected),
    ]
    let ids = HomeAssistantDevice.identifiers(of: displays).map(\.id)
    #expect(ids == ["placard-GSM-1-HDMI-A-1", "placard-GSM-1-HDMI-A-2", "placard-DEL-2"])
  }

  @Test func `Without discovery, nothing is sent to Home Assistant`() {
    var harness = BridgeHarness()
    harness.connect()
    harness.handle(.state(Self.state([Self.display("HDMI-A-1", "DEL-1")])))
    #expect(
      harness.settle().allSatisfy { effect in
        if case .publish(let message, _) = effect { message.topic == harness.box.topic("reported") } else { true }
      })
  }

  @Test func `A monitor that leaves is unavailable, and its device stays for the next box`() throws {
    var (harness, effects) = Self.harness(Self.state([Self.display("HDMI-A-1", "DEL-1")]))
    let configuration = try #require(Self.message(effects, "homeassistant/device/placard-DEL-1/config"))
    #expect(configuration["dev"]?["via_device"] == "placard-box-berlin-lobby")
    #expect(configuration["cmps"]?["scene"] == nil, "a list without options is refused")
    harness.now.monotonic += 2000
    harness.handle(.gap)
    harness.settle()
    harness.handle(.state(Self.state([Self.display("HDMI-A-1", nil, .disconnected)])))
    effects = harness.settle()
    let topics = effects.compactMap { effect -> String? in
      if case .publish(let message, _) = effect { message.topic } else { nil }
    }
    #expect(topics.contains(harness.box.topic("display/placard-DEL-1/availability")))
    #expect(!topics.contains { $0.hasPrefix("homeassistant/device/placard-DEL-1/") })
  }

  @Test func `Only what has changed is published, and everything again after Home Assistant has started`() throws {
    let state = Self.state([Self.display("HDMI-A-1", "DEL-1")], entries: ["menu"])
    var (harness, effects) = Self.harness(state)
    #expect(
      Self.message(effects, "homeassistant/device/placard-DEL-1/config")?["cmps"]?["scene"]?["options"] == ["menu"])
    harness.handle(.gap)
    harness.now.monotonic += 2000
    harness.handle(.time)
    harness.settle()
    harness.handle(.state(state))
    #expect(harness.settle().published.isEmpty)
    let birth = MQTTMessage(topic: "homeassistant/status", payload: Array("online".utf8))
    harness.handle(.broker(.message(birth)))
    #expect(harness.settle().isEmpty)
    let due = try #require(harness.machine.due)
    #expect((harness.now.monotonic...harness.now.monotonic + 5000).contains(due))
    harness.now.monotonic = due
    harness.handle(.time)
    effects = harness.settle()
    #expect(Self.message(effects, "homeassistant/device/placard-DEL-1/config") != nil)
    #expect(Self.message(effects, harness.box.topic("display/placard-DEL-1/state"))?["power"] == "ON")
  }

  @Test func `Commands become requests for the port at which the monitor is`() throws {
    var (harness, _) = Self.harness(Self.state([Self.display("DP-1", "DEL-1")]))
    for (name, payload, method, path) in [
      ("message", "Hi", "PUT", "/v1/message"), ("text", "", "DELETE", "/v1/displays/DP-1/message"),
      ("clear", "PRESS", "DELETE", "/v1/displays/DP-1/message"), ("power", "OFF", "PUT", "/v1/sleep"),
      ("wake", "PRESS", "PUT", "/v1/sleep"), ("identify", "PRESS", "POST", "/v1/identify"),
      ("scene", "menu", "POST", "/v1/sessions"),
    ] {
      let call = try #require(harness.receive("display/placard-DEL-1/\(name)/set", payload).call, "\(name)")
      #expect((call.call.method, call.call.path) == (method, path))
      if method != "DELETE" {
        #expect(String(decoding: call.call.body ?? [], as: UTF8.self).contains(#""display":"DP-1""#), "\(name)")
      }
      _ = harness.answer(call, 200, "{}")
    }
    #expect(harness.receive("display/placard-DEL-1/power/set", "OFF", isRetained: true).call == nil)
    #expect(harness.receive("display/placard-DEL-1/volume/set", "11").call == nil)
    #expect(harness.receive("display/placard-GONE/power/set", "OFF").isEmpty)
  }

  @Test func `A refused command is logged, because it has no reply`() throws {
    var (harness, _) = Self.harness(Self.state([Self.display("DP-1", "DEL-1")]))
    let call = try #require(harness.receive("display/placard-DEL-1/scene/set", "gone").call)
    let effects = harness.answer(
      call, 404, #"{"type":"t","title":"t","status":404,"detail":"the library has no gone"}"#)
    #expect(effects.warnings.count == 1 && effects.warnings[0].contains("the library has no gone"))
    #expect(effects.published.isEmpty)
  }

  @Test func `A picture is read after a change, at most once a minute`() throws {
    var (harness, _) = Self.harness(Self.state([Self.display("DP-1", "DEL-1")]))
    func shown(_ id: UInt64) -> BridgeEvent {
      let event = ControlEvent(
        id: id, kind: .messageShown, display: "DP-1", time: 0, date: Timestamp(milliseconds: Int64(id)))
      return .notice(event, at: nil)
    }
    harness.handle(shown(1))
    harness.settle()
    harness.handle(.time)
    let call = try #require(harness.settle().call)
    #expect(call.call.path == "/v1/displays/DP-1/screenshot?format=jpeg")
    harness.handle(.answer(call.number, ServiceAnswer(status: 200, body: [0xFF, 0xD8])))
    let picture = harness.settle().contains { effect in
      if case .publish(let message, _) = effect {
        message.payload == [0xFF, 0xD8] && !message.isRetained
      } else {
        false
      }
    }
    #expect(picture)
    harness.handle(shown(2))
    harness.settle()
    harness.handle(.time)
    #expect(harness.settle().call == nil)
    harness.now.monotonic += 60_000
    #expect(try #require(harness.machine.due) <= harness.now.monotonic)
    harness.handle(.time)
    #expect(harness.settle().call != nil)
  }
}
