import Control
import JSON
import SeededRandom
import Testing

@testable import Bridge

/// Messages that a broker delivers more than once, or in another order than they were sent.
struct DeliveryTests {
  /// A service that answers requests in any order.
  private struct Service {
    var harness = BridgeHarness()
    var open: [(number: Int, call: ServiceCall)] = []
    /// The paths and bodies of the requests, in order.
    var requests: [(path: String, body: String)] = []

    init() { harness.connect() }

    mutating func note(_ effects: [BridgeEffect]) {
      for case .call(let number, let call) in effects {
        open.append((number, call))
        requests.append((call.path, String(decoding: call.body ?? [], as: UTF8.self)))
      }
    }

    /// Answers a request; returns whether there was one.
    mutating func answer(_ random: inout SeededGenerator) -> Bool {
      guard let place = open.indices.randomElement(using: &random) else { return false }
      note(harness.answer(open.remove(at: place), 200, "{}"))
      return true
    }
  }

  @Test func `Each command is carried out once, and the newest desired state stays, in any order of delivery`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for run in 0..<300 { try Self.check(&random, "seed \(seed), run \(run)") }
  }

  private static func check(_ random: inout SeededGenerator, _ hint: Comment) throws {
    let commands = (0..<12).map { number in
      ("cmd/k\(number)", #"{"method":"PUT","path":"/v1/values/v\#(number)","body":{"value":\#(number)}}"#)
    }
    let states = (1...6).map { version in
      ("desired", #"{"version":\#(version),"state":{"/v1/message":{"text":"\#(version)"}}}"#)
    }
    let deliveries = (commands + states).flatMap { one in
      Array(repeating: one, count: Int.random(in: 1...3, using: &random))
    }
    var service = Service()
    for (topic, payload) in deliveries.shuffled(using: &random) {
      service.note(service.harness.receive(topic, payload, isRetained: topic == "desired"))
      if Bool.random(using: &random) { _ = service.answer(&random) }
      if service.open.isEmpty, Int.random(in: 0..<5, using: &random) == 0 { service.harness.connect() }
    }
    while service.answer(&random) {}

    let values = service.requests.filter { $0.path != "/v1/message" }.map(\.path)
    #expect(values.sorted() == (0..<12).map { "/v1/values/v\($0)" }.sorted(), hint)
    let messages = service.requests.filter { $0.path == "/v1/message" }.map(\.body)
    #expect(messages == Set(messages).sorted(), "versions only increase; \(hint)")
    #expect(messages.last == #"{"text":"6"}"#, hint)
    #expect(service.harness.machine.desired.version == 6, hint)
  }
}
