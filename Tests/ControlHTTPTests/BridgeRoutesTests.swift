import Control
import Foundation
import JSON
import Testing

@testable import ControlHTTP

/// The states that bridges report.
struct BridgeRoutesTests {
  private static func body(_ answer: String) throws -> JSONValue {
    let start = try #require(answer.range(of: "\r\n\r\n")).upperBound
    return try JSONValue(parsing: answer[start...].utf8)
  }

  private static func state(_ state: String, _ detail: String) -> String {
    #"{"state":"\#(state)","detail":"\#(detail)"}"#
  }

  @Test func `A bridge that is not connected is in the status, a problem of the health and a finding`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      #expect(try Self.body(try await serving.request("GET", "/v1/status"))["bridges"] == nil)
      let waiting = Self.state("waiting", "the certificate has expired; renew it")
      let first = try Self.body(try await serving.request("PUT", "/v1/bridges/mqtt", body: waiting))
      #expect(first["name"] == "mqtt" && first["state"] == "waiting")
      let status = try Self.body(try await serving.request("GET", "/v1/status"))
      #expect(status["bridges"] == [first])
      let health = try await serving.request("GET", "/v1/health")
      #expect(health.contains("the bridge mqtt is not connected: the certificate has expired; renew it"))
      #expect(health.contains("\"degraded\""))
      #expect(try await serving.request("GET", "/v1/doctor").contains("\"bridge-waiting\""))

      let connected = Self.state("connected", "mqtts://broker.example:8883")
      _ = try await serving.request("PUT", "/v1/bridges/mqtt", body: connected)
      #expect(!(try await serving.request("GET", "/v1/health")).contains("the bridge mqtt"))
      #expect(try await serving.request("DELETE", "/v1/bridges/mqtt").hasPrefix("HTTP/1.1 204 "))
      #expect(try await serving.request("DELETE", "/v1/bridges/mqtt").hasPrefix("HTTP/1.1 404 "))
      #expect(try Self.body(try await serving.request("GET", "/v1/status"))["bridges"] == nil)
    }
  }

  @Test func `Names and texts have limits, and so has the number of bridges`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let body = Self.state("connected", "x")
      for name in ["MQTT", "a_b", String(repeating: "a", count: 33)] {
        #expect(try await serving.request("PUT", "/v1/bridges/\(name)", body: body).hasPrefix("HTTP/1.1 422 "))
      }
      #expect(try await serving.request("GET", "/v1/events?bridge=MQTT").hasPrefix("HTTP/1.1 400 "))
      let long = Self.state("waiting", String(repeating: "x", count: 501))
      #expect(try await serving.request("PUT", "/v1/bridges/mqtt", body: long).hasPrefix("HTTP/1.1 422 "))
      for number in 1...16 {
        #expect(try await serving.request("PUT", "/v1/bridges/b\(number)", body: body).hasPrefix("HTTP/1.1 200 "))
      }
      #expect(try await serving.request("PUT", "/v1/bridges/b17", body: body).hasPrefix("HTTP/1.1 409 "))
      #expect(try await serving.request("PUT", "/v1/bridges/b1", body: body).hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func `The time of a state is that of its beginning`() throws {
    let states = BridgeStates()
    let request = BridgeRequest(state: .waiting, detail: "a")
    let times = (1...3).map { Timestamp(milliseconds: Int64($0)) }
    #expect(try states.set("mqtt", request, at: times[0]).since == times[0])
    #expect(try states.set("mqtt", BridgeRequest(state: .waiting, detail: "b"), at: times[1]).since == times[0])
    #expect(try states.set("mqtt", BridgeRequest(state: .connected, detail: "c"), at: times[2]).since == times[2])
  }

  @Test func `A bridge has ended when the last of its streams has`() throws {
    let states = BridgeStates()
    try states.open("mqtt")()
    #expect(states.all.isEmpty, "this bridge has not reported anything")
    let (old, new) = (try states.open("mqtt"), try states.open("mqtt"))
    let request = BridgeRequest(state: .connected, detail: "mqtt://broker.example")
    let report = try states.set("mqtt", request, at: Timestamp(milliseconds: 1))
    old()
    #expect(states.all == [report] && states.problems.isEmpty)
    new()
    #expect(states.all.map(\.state) == [.waiting])
    #expect(
      states.problems == [
        "the bridge mqtt is not connected: it has ended; `journalctl -u placard-mqtt` has the reason"
      ])
    #expect(throws: ControlError.self) { try states.open("MQTT") }
  }
}
