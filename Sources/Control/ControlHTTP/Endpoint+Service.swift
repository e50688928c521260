import Control
import JSON
import NIOHTTP1

extension Endpoint {
  /// All endpoints of the API.
  static let all =
    aboutService + aboutDisplays + aboutSessions + aboutMessages + aboutBoard + aboutLibrary + aboutValues + aboutImages
    + aboutVirtual + aboutBridges

  /// The endpoints for the daemon as a whole.
  static let aboutService = [
    Endpoint(
      "GET", "/v1/status", "status", "The status of the service.", answer: .report("ServiceStatus", "The status."),
      perform: { .json(await $0.status()) }),
    Endpoint(
      "GET", "/v1/health", "health", "The health of the service.",
      answer: .report("HealthReport", "The health of the service."),
      perform: { .json(try await $0.health()) }),
    Endpoint(
      "GET", "/v1/health/live", "live", "Whether the service answers.",
      answer: .report("Liveness", "The service answers."),
      perform: { _ in .json(Liveness()) }),
    Endpoint(
      "GET", "/v1/health/ready", "ready",
      "Whether the service has enabled all displays that it can; 503 while it starts.",
      answer: .report("HealthReport", "The service is ready."), perform: { try await $0.readiness() }),
    Endpoint(
      "PUT", "/v1/losses/acknowledgement", "acknowledgeLosses", "Acknowledges all losses that the health reports.",
      answer: .list("LossReport", "The acknowledged losses."),
      perform: { .json(await $0.service.acknowledgeLosses()) }),
    Endpoint(
      "PUT", "/v1/losses/{loss}/acknowledgement", "acknowledgeLoss",
      "Acknowledges a loss, which the health then no longer reports.", answer: .done("The loss was acknowledged."),
      perform: {
        try await $0.service.acknowledgeLoss($0.id("loss"))
        return .nothing
      }),
    Endpoint(
      "GET", "/v1/doctor", "doctor", "The findings of the service's checks of the machine.",
      answer: .report("DoctorReport", "The findings."), perform: { .json(try await $0.doctor()) }),
    Endpoint(
      "GET", "/v1/log", "log", "The newest lines of the service's log.",
      query: [
        Field("lines", APISchema.integer(1...LogReport.most), "The maximum number of lines; 50 by default.")
      ],
      answer: .report("LogReport", "The lines, oldest first."), perform: { .json(try await $0.log()) }),
    Endpoint(
      "GET", "/v1/history", "history", "The display history, newest first.", query: historyFields,
      answer: Outcome(
        status: 200, text: "A page of the list, or the whole table as CSV (RFC 4180).",
        content: [
          "application/json": APISchema.list(of: APISchema.ref("HistoryLine")),
          "text/csv": APISchema.text(),
        ], isPaged: true), problems: [404], perform: { try await $0.history() }),
    Endpoint(
      "GET", "/v1/events", "events",
      "The events, as server-sent events. After `gap`, some events were lost: read the state again.",
      query: [
        Field("after", OpenAPI.place, "The ID of the last event received, for clients that cannot send Last-Event-ID."),
        Field(
          "bridge", APISchema.text("mqtt"),
          "The name of the bridge that reads the events. The service reports it as ended when its last stream ends."),
      ],
      answer: Outcome(
        status: 200,
        text: "A stream of events whose data has the schema ControlEvent, until the client or the service ends it.",
        content: ["text/event-stream": APISchema.text()], isStream: true),
      perform: { call in
        let place = try call.place()
        let ended = try call.openBridge()
        return .events(await call.service.events(after: place), ended: ended)
      }),
    Endpoint(
      "GET", "/v1/openapi.json", "describe", "This document.", answer: .document(["type": "object"], "OpenAPI 3.1."),
      perform: { try $0.description() }),
    Endpoint(
      "GET", "/v1/scene.schema.json", "sceneSchema", "The schema of scenes.",
      answer: .document(["type": "object"], "JSON Schema 2020-12.", type: "application/schema+json"), problems: [404],
      perform: { try $0.sceneSchema() }),
  ]

  private static let time: JSONValue = [
    "anyOf": [
      APISchema.integer(Call.times), ["type": "string", "format": "date-time"],
    ]
  ]

  private static let historyFields = [
    Field("since", time, "Only entries that were still shown after this time: ISO 8601, or milliseconds since 1970."),
    Field("until", time, "Only entries that began before this time."),
    Field("display", APISchema.text("Virtual-1", least: 1), "Only entries of this display."),
    Field(
      "limit", APISchema.integer(Call.historyLimits),
      "The maximum number of lines. A list has at most \(Page.limits.upperBound), by default the newest 100; a table has all."
    ),
    Field(
      "after", APISchema.text("4611686018427387904", pattern: "^[0-9]{1,19}$"),
      "The ID of an entry; only older entries are returned."),
    Field("format", APISchema.word(["json", "csv"]), "A list of objects, or a table."),
  ]
}

extension Call {
  /// Returns the daemon's health, including the server's rejection counters and the problems of bridges.
  fileprivate func health() async throws(ControlError) -> HealthReport {
    var health = try await service.health()
    health.rejections.merge(rejections.counts) { $0 + $1 }
    health.reasons += bridges.problems
    if health.state == .ok, !bridges.problems.isEmpty { health.state = .degraded }
    return health
  }

  /// Returns the newest lines of the log, as many as the query requests, by default 50.
  fileprivate func log() async throws(Problem) -> LogReport {
    let limits = 1...LogReport.most
    let count = try number("lines", in: limits, "a number of lines, from 1 to \(LogReport.most)") ?? 50
    return LogReport(lines: Array(await service.log().lines.suffix(count)))
  }

  fileprivate func readiness() async throws -> Answer {
    let health = try await health()
    guard health.ready else { throw Problem.notReady(health) }
    return .json(health)
  }

  /// Returns the client's place in the events; the `Last-Event-ID` header takes precedence over the query.
  fileprivate func place() throws(Problem) -> EventPlace? {
    let remembered = request.headers.first(name: "Last-Event-ID") ?? ""
    guard let text = remembered.isEmpty ? query["after"] : remembered else { return nil }
    if let place = EventPlace(text) { return place }
    throw .malformed("\(text) is not the ID of an event: send the ID of the last event as received, as in 4f1c09aa-17.")
  }

  /// Notes the bridge that reads the events, if the query names one; returns the function to call after their end.
  fileprivate func openBridge() throws(Problem) -> (@Sendable () -> Void)? {
    guard let name = query["bridge"] else { return nil }
    do throws(ControlError) {
      return try bridges.open(name)
    } catch {
      throw .malformed("\(error.message).")
    }
  }

  /// The times that a query may contain, in milliseconds since 1970: the years 1 to 9999.
  static let times = -62_135_596_800_000...253_402_300_799_999

  private static let scenes = "/v1/scene.schema.json"

  fileprivate func description() throws(Problem) -> Answer {
    let scenes = documents(Self.scenes).flatMap { try? JSONValue(parsing: $0.bytes) }
    let bytes = OpenAPI.document(scenes: scenes).encoded
    return .file(bytes, "application/json", tag: .of(bytes), known: try tags("If-None-Match"))
  }

  fileprivate func sceneSchema() throws(Problem) -> Answer {
    guard let schema = documents(Self.scenes) else {
      throw .notFound("This service has no schema of scenes; it is in the source, scripts/scene.schema.json.")
    }
    return .file(schema.bytes, schema.type, tag: .of(schema.bytes), known: try tags("If-None-Match"))
  }

  func time(_ field: String) throws(Problem) -> Int64? {
    guard let text = query[field] else { return nil }
    let time: Int64
    do throws(ControlError) {
      time = try Timestamp(parsing: text).milliseconds
    } catch {
      throw .malformed("The field \(field): \(error.message)")
    }
    if Self.times.contains(Int(time)) { return time }
    throw .malformed("The field \(field) is \(text): it must be in the years 1 to 9999.")
  }

  /// Returns a truth value from the query, or false if the field is missing.
  func flag(_ field: String) throws(Problem) -> Bool {
    guard let text = query[field] else { return false }
    if let flag = Bool(text) { return flag }
    throw .malformed("The field \(field) is \(text): it must be true or false.")
  }

  /// Returns a whole number from the query, or nil if the field is missing.
  func number(_ field: String, in range: ClosedRange<Int>, _ wanted: String) throws(Problem) -> Int? {
    guard let text = query[field] else { return nil }
    if let number = Int(text), range.contains(number), "\(number)" == text { return number }
    throw .malformed("The field \(field) is \(text): it must be \(wanted).")
  }
}
