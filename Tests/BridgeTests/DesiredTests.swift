import Control
import JSON
import MQTT
import Testing

@testable import Bridge

/// The desired state of a box.
struct DesiredTests {
  private static func state(_ version: Int, _ state: String) -> String {
    #"{"version":\#(version),"state":\#(state)}"#
  }

  @Test func `Each path is requested once, in order, and the version is reported`() throws {
    var harness = BridgeHarness()
    harness.connect()
    let document = Self.state(1, #"{"/v1/values/t":{"value":3},"/v1/message":{"text":"Hello"}}"#)
    let first = try #require(harness.receive("desired", document, isRetained: true).call)
    #expect(first.call == ServiceCall(method: "PUT", path: "/v1/message", body: Array(#"{"text":"Hello"}"#.utf8)))
    let second = try #require(harness.answer(first, 200).call)
    #expect(second.call.path == "/v1/values/t")
    // The broker repeats the retained message at each connection.
    #expect(harness.receive("desired", document, isRetained: true).call == nil)
    _ = harness.answer(second, 200)
    harness.handle(.broker(.ended(MQTTFault(.lost, "gone"))))
    harness.handle(.broker(.connected(hasSession: true)))
    harness.settle()
    #expect(harness.receive("desired", document, isRetained: true).isEmpty)
    #expect(harness.machine.desired.version == 1)
  }

  @Test func `A newer version requests only what has changed, and null removes`() throws {
    var harness = BridgeHarness()
    harness.connect()
    var call = try #require(
      harness.receive("desired", Self.state(1, #"{"/v1/message":{"text":"A"},"/v1/values/t":{"value":3}}"#)).call)
    call = try #require(harness.answer(call, 200).call)
    _ = harness.answer(call, 200)
    let change = harness.receive("desired", Self.state(2, #"{"/v1/message":{"text":"A"},"/v1/values/t":null}"#))
    call = try #require(change.call)
    #expect(call.call == ServiceCall(method: "DELETE", path: "/v1/values/t"))
    // What is removed already counts as removed.
    #expect(harness.answer(call, 404).call == nil)
    #expect(harness.machine.desired.refusals.isEmpty)
  }

  @Test func `A version that arrives during a request is applied after it`() throws {
    var harness = BridgeHarness()
    harness.connect()
    let first = try #require(
      harness.receive("desired", Self.state(1, #"{"/v1/message":{"text":"A"},"/v1/values/t":{"value":3}}"#)).call)
    let changed = #"{"/v1/message":{"text":"B"},"/v1/brightness":{"value":1},"/v1/values/t":{"value":3}}"#
    #expect(harness.receive("desired", Self.state(2, changed)).call == nil)
    var paths: [String] = []
    var next = harness.answer(first, 422, "{}").call
    while let call = next {
      paths.append("\(call.call.path) \(String(decoding: call.call.body ?? [], as: UTF8.self))")
      next = harness.answer(call, 200).call
    }
    #expect(
      paths == [
        #"/v1/brightness {"value":1}"#, #"/v1/message {"text":"B"}"#, #"/v1/values/t {"value":3}"#,
      ])
    #expect(harness.machine.desired.refusals.isEmpty, "the refusal was that of version 1")
  }

  @Test func `A version that is older, or the same with other content, is refused and answered`() throws {
    var harness = BridgeHarness()
    harness.connect()
    let call = try #require(harness.receive("desired", Self.state(5, #"{"/v1/message":{"text":"A"}}"#)).call)
    _ = harness.answer(call, 200)
    for document in [Self.state(4, #"{"/v1/message":{"text":"B"}}"#), Self.state(5, #"{"/v1/message":{"text":"B"}}"#)] {
      let effects = harness.receive("desired", document)
      #expect(effects.call == nil)
      #expect(effects.payload("reply/desired")?["status"] == 409)
    }
    #expect(harness.machine.desired.version == 5)
  }

  @Test(arguments: [
    "x", "{}", #"{"version":0,"state":{}}"#, #"{"version":1}"#, #"{"version":1,"state":{"message":{}}}"#,
    #"{"version":1,"state":{"/v1/events":{}}}"#,
  ])
  func `A malformed state is refused as a whole, with the reason`(document: String) {
    var harness = BridgeHarness()
    harness.connect()
    let effects = harness.receive("desired", document)
    #expect(effects.payload("reply/desired")?["status"] == 400)
    #expect(effects.warnings.count == 1)
    #expect(harness.machine.desired.version == nil)
  }

  @Test func `A path that the service refuses is reported with the reason, and the others are applied`() throws {
    var harness = BridgeHarness()
    harness.connect()
    var call = try #require(
      harness.receive("desired", Self.state(1, #"{"/v1/message":{"txt":"A"},"/v1/values/t":{"value":3}}"#)).call)
    call = try #require(
      harness.answer(call, 422, #"{"type":"t","title":"t","status":422,"detail":"no field txt"}"#).call)
    let refused = try #require(harness.machine.desired.refusals.first)
    #expect(refused == Desired.Refusal(path: "/v1/message", status: 422, detail: "no field txt"))
    _ = harness.answer(call, 200)
    // The next version tries it again.
    #expect(harness.receive("desired", Self.state(2, #"{"/v1/message":{"txt":"A"}}"#)).call?.call.path == "/v1/message")
  }

  @Test func `What a crash has interrupted is applied after the restart, and a lost service is waited for`() throws {
    var harness = BridgeHarness()
    harness.connect()
    let call = try #require(
      harness.receive("desired", Self.state(1, #"{"/v1/message":{"text":"A"},"/v1/values/t":{"value":3}}"#)).call)
    _ = harness.answer(call, 200)
    harness.start()
    harness.handle(.serviceOpened)
    let rest = try #require(harness.settle().call)
    #expect(rest.call.path == "/v1/values/t")
    #expect(harness.answer(rest, ServiceAnswer.lost).call == nil)
    harness.handle(.serviceClosed(reason: "it stopped"))
    harness.handle(.serviceOpened)
    #expect(harness.settle().call?.call.path == "/v1/values/t")
  }

  @Test func `A retained state that was removed changes nothing`() {
    var harness = BridgeHarness()
    harness.connect()
    #expect(harness.receive("desired", "", isRetained: true).isEmpty)
  }
}
