import Control
import JSON
import MQTT
import Testing

@testable import Bridge

/// The commands that arrive from the broker.
struct CommandTests {
  private static let show = #"{"method":"PUT","path":"/v1/message","body":{"text":"Hello"}}"#

  @Test func `A command is sent to the service, and its answer is published below its key`() throws {
    var harness = BridgeHarness()
    harness.connect()
    let call = try #require(harness.receive("cmd/k1", Self.show).call)
    #expect(call.call == ServiceCall(method: "PUT", path: "/v1/message", body: Array(#"{"text":"Hello"}"#.utf8)))
    let effects = harness.answer(call, 200, #"{"id":7}"#)
    #expect(effects.payload("reply/k1") == ["key": "k1", "status": 200, "body": ["id": 7], "sequence": 1])
  }

  @Test func `A repeated command is answered again and not repeated, also after a restart`() throws {
    var harness = BridgeHarness()
    harness.connect()
    let call = try #require(harness.receive("cmd/k1", Self.show).call)
    // The broker may deliver it again while it runs.
    #expect(harness.receive("cmd/k1", Self.show).isEmpty)
    _ = harness.answer(call, 200, "{}")
    let again = harness.receive("cmd/k1", Self.show)
    #expect(again.call == nil)
    #expect(again.payload("reply/k1")?["status"] == 200)
    harness.connect()
    let later = harness.receive("cmd/k1", Self.show)
    #expect(later.call == nil)
    // The earlier replies wait for their acknowledgments, and are published first.
    #expect(later.published.last.map(\.topic) == "reply/k1")
  }

  @Test func `Commands run one after the other, in order`() throws {
    var harness = BridgeHarness()
    harness.connect()
    let first = try #require(harness.receive("cmd/a", Self.show).call)
    #expect(harness.receive("cmd/b", #"{"method":"DELETE","path":"/v1/message"}"#).call == nil)
    let second = try #require(harness.answer(first, 200).call)
    #expect(second.call == ServiceCall(method: "DELETE", path: "/v1/message"))
  }

  @Test func `A POST has its key, so that the service carries it out once`() throws {
    var harness = BridgeHarness()
    harness.connect()
    let call = try #require(
      harness.receive("cmd/k1", #"{"method":"POST","path":"/v1/messages","body":{"text":"Hello"}}"#).call)
    #expect(call.call.key == "mqtt-k1")
    // The service ends without an answer: the command runs again with the same key.
    #expect(harness.answer(call, ServiceAnswer.lost).call == nil)
    harness.handle(.serviceClosed(reason: "it stopped"))
    harness.handle(.serviceOpened)
    #expect(try #require(harness.settle().call).call.key == "mqtt-k1")
  }

  @Test func `A command without an answer is sent again as soon as the service answers`() throws {
    var harness = BridgeHarness()
    harness.connect()
    let call = try #require(harness.receive("cmd/k1", Self.show).call)
    harness.handle(.state(nil))
    #expect(harness.answer(call, ServiceAnswer.lost).call == nil)
    harness.now.monotonic += 5000
    harness.handle(.time)
    harness.settle()
    harness.handle(.state(BoxState.ok))
    #expect(try #require(harness.settle().call).call == call.call)
  }

  @Test func `A command waits for a service that is away`() throws {
    var harness = BridgeHarness()
    harness.start()
    harness.handle(.broker(.connected(hasSession: true)))
    #expect(harness.receive("cmd/k1", Self.show).call == nil)
    harness.handle(.serviceOpened)
    #expect(harness.settle().call?.call.path == "/v1/message")
  }

  @Test(arguments: [
    ("nonsense", 400, "not JSON"), ("[]", 400, "an array"), ("{}", 400, "`method`"),
    (#"{"method":"PUT"}"#, 400, "`path`"), (#"{"method":"TRACE","path":"/v1/message"}"#, 400, "`method`"),
    (#"{"method":"GET","path":"/etc/passwd"}"#, 400, "`path`"),
    (#"{"method":"GET","path":"/v1/events"}"#, 400, "`path`"),
    (#"{"method":"GET","path":"/v1/x y"}"#, 400, "`path`"),
    (#"{"method":"GET","path":"/v1/status","key":1}"#, 400, "\"key\""),
    (#"{"method":"GET","path":"/v1/status","expires":"soon"}"#, 400, "`expires`"),
    (#"{"method":"GET","path":"/v1/status","expires":"2020-01-01T00:00Z"}"#, 410, "valid until"),
    (#"{"method":"GET","path":"/v1/status","x":"\#(String(repeating: "x", count: 256 << 10))"}"#, 413, "256 KiB"),
  ])
  func `A malformed command is answered with the reason`(payload: String, status: Int, reason: String) throws {
    var harness = BridgeHarness()
    harness.connect()
    let effects = harness.receive("cmd/k1", payload)
    let reply = try #require(effects.payload("reply/k1"))
    #expect(reply["status"]?.integer == status)
    #expect(try #require(reply["body"]?["detail"]?.text).contains(reason))
    #expect(effects.call == nil)
  }

  @Test func `A command that is retained is refused, because a broker repeats it`() throws {
    var harness = BridgeHarness()
    harness.connect()
    let effects = harness.receive("cmd/k1", Self.show, isRetained: true)
    #expect(effects.payload("reply/k1")?["status"] == 400)
    #expect(effects.call == nil)
  }

  @Test(arguments: ["cmd/", "cmd/a b", "cmd/a/b", "cmd/\(String(repeating: "k", count: 65))", "cmd/é"])
  func `A command without a valid key is counted, and logged once`(topic: String) {
    var harness = BridgeHarness()
    harness.connect()
    #expect(harness.receive(topic, Self.show).warnings.count == 1)
    #expect(harness.receive(topic, Self.show).isEmpty)
    #expect(harness.machine.commands.ignored == 2)
  }

  @Test func `A message that was discarded because of its size is answered`() throws {
    var harness = BridgeHarness()
    harness.connect()
    harness.handle(.broker(.oversized(topic: harness.box.topic("cmd/k1"), bytes: 2_000_000)))
    #expect(harness.settle().payload("reply/k1")?["status"] == 413)
    harness.handle(.broker(.oversized(topic: harness.box.topic("desired"), bytes: 2_000_000)))
    #expect(harness.settle().warnings.count == 1)
  }

  @Test func `Subscriptions that a broker refuses are tried again, and logged once`() {
    var harness = BridgeHarness()
    harness.connect()
    for attempt in 1...3 {
      harness.handle(.broker(.subscribed(isAccepted: false)))
      #expect(harness.settle().warnings.count == (attempt == 1 ? 1 : 0))
      harness.now.monotonic += 4000
      harness.handle(.time)
      #expect(harness.settle().contains { if case .subscribe = $0 { true } else { false } })
    }
    harness.handle(.broker(.subscribed(isAccepted: true)))
    harness.now.monotonic += 60_000
    harness.handle(.time)
    #expect(!harness.settle().contains { if case .subscribe = $0 { true } else { false } })
  }

  @Test func `A broker's return is logged when commands can arrive again`() {
    var harness = BridgeHarness()
    harness.connect()
    harness.handle(.broker(.ended(MQTTFault(.unreachable, "Connection refused"))))
    harness.settle()
    harness.handle(.broker(.connected(hasSession: false)))
    #expect(!harness.settle().contains { if case .log = $0 { true } else { false } })
    for isFirst in [true, false] {
      harness.handle(.broker(.subscribed(isAccepted: true)))
      #expect(harness.settle() == (isFirst ? [.log("connected to the broker again", isWarning: false)] : []))
    }
  }

  @Test func `Each attempt to connect chooses the next broker of a cluster`() throws {
    var harness = BridgeHarness()
    harness.connect()
    var numbers: [Int] = []
    for _ in 0..<4 {
      harness.handle(.broker(.ended(MQTTFault(.unreachable, "Connection refused"))))
      harness.now.monotonic += 60_000
      harness.handle(.time)
      for case .connect(let number, _) in harness.settle() { numbers.append(number) }
    }
    let first = try #require(numbers.first)
    #expect(numbers == Array(first..<first + 4))
  }

  @Test func `After a message that memory cannot hold, the broker's session is discarded`() throws {
    var harness = BridgeHarness()
    harness.connect()
    harness.handle(.broker(.ended(MQTTFault(.outOfMemory, "too large"))))
    harness.now.monotonic += 60_000
    harness.settle()
    harness.handle(.time)
    let effects = harness.settle()
    guard case .connect(_, isClean: true) = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(effects.count == 1)
  }

  @Test func `At most 64 commands wait, and the others are refused`() throws {
    var harness = BridgeHarness()
    harness.start()
    harness.handle(.broker(.connected(hasSession: true)))
    harness.settle()
    for number in 0..<64 { #expect(harness.receive("cmd/k\(number)", Self.show).published.isEmpty) }
    #expect(harness.receive("cmd/last", Self.show).payload("reply/last")?["status"] == 503)
  }

  @Test func `An answer that is not text or is too large is left out of the reply`() throws {
    #expect(BridgeMachine.json([0xFF, 0xFE]) == .null)
    #expect(BridgeMachine.json(Array(repeating: UInt8(ascii: "1"), count: Commands.largest + 1)) == .null)
    #expect(BridgeMachine.json(Array("# Help".utf8)) == "# Help")
    #expect(BridgeMachine.json([]) == nil)
  }
}
