import Control
import NIOHTTP1

extension Endpoint {
  /// All that there is, in the order of the document that describes it.
  static let all = aboutService + aboutDisplays + aboutSessions + aboutMessages + aboutBoard + aboutVirtual

  /// The service as a whole.
  static let aboutService = [
    Endpoint(method: "GET", path: "/v1/status") { .json(await $0.service.status()) },
    Endpoint(method: "GET", path: "/v1/health") { .json(try await $0.service.health()) },
    Endpoint(method: "GET", path: "/v1/health/live") { _ in .json(["live": true]) },
    Endpoint(method: "GET", path: "/v1/health/ready") { try await $0.readiness() },
    Endpoint(method: "GET", path: "/v1/history", query: ["since", "until", "display", "limit", "format"]) {
      try await $0.history()
    },
    Endpoint(method: "GET", path: "/v1/events", query: ["after"], isStream: true) {
      .events(await $0.service.events(after: try $0.place()))
    },
  ]
}

extension Call {
  fileprivate func readiness() async throws -> Answer {
    let health = try await service.health()
    guard health.ready else { throw Problem.notReady(health) }
    return .json(health)
  }

  /// Where a listener was: what its browser remembers goes before what its address says.
  fileprivate func place() throws(Problem) -> EventPlace? {
    let remembered = request.headers.first(name: "Last-Event-ID") ?? ""
    guard let text = remembered.isEmpty ? query["after"] : remembered else { return nil }
    if let place = EventPlace(text) { return place }
    throw .malformed("\(text) is no place in the events: send the id of the last event as it came, 4f1c09aa-17.")
  }

  fileprivate func history() async throws -> Answer {
    let wish = HistoryQuery(
      since: try time("since"), until: try time("until"), display: query["display"],
      limit: try number("limit", in: 1...Int.max, "a whole number of lines, from 1"))
    switch query["format"] ?? "json" {
    case "json": return .json(try await service.history(wish))
    case "csv": return .csv(HistoryTable.lines(try await service.history(wish)))
    case let format: throw Problem.malformed("The field format is \(format): it is json or csv.")
    }
  }

  private func time(_ field: String) throws(Problem) -> Int64? {
    guard let text = query[field] else { return nil }
    do throws(ControlError) {
      return try Timestamp(parsing: text).milliseconds
    } catch {
      throw .malformed("The field \(field): \(error.message)")
    }
  }

  /// A whole number of the query; nil where it is not there.
  func number(_ field: String, in range: ClosedRange<Int>, _ wanted: String) throws(Problem) -> Int? {
    guard let text = query[field] else { return nil }
    if let number = Int(text), range.contains(number) { return number }
    throw .malformed("The field \(field) is \(text): it is \(wanted).")
  }
}
