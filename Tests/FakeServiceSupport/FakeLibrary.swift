package import Control
package import JSON

/// A library of two entries, which no request changes, for fake services.
package protocol FakeLibrary: LibraryService {}

extension FakeLibrary {
  private var entries: [LibraryReport] {
    [
      LibraryReport(
        name: "menu", title: "Menu of the day", tags: ["food"], kind: "markdown", summary: "Soup",
        scene: ["kind": "markdown", "text": "# Soup"], revision: "7a1", uses: ["session 2"],
        changed: Timestamp(milliseconds: 0)),
      LibraryReport(
        name: "week", kind: "schedule", summary: "1 rule", scene: ["kind": "schedule", "rules": []], revision: "7a2",
        changed: Timestamp(milliseconds: 0), warnings: ["rule 1 never applies"]),
    ]
  }

  private var liveValues: [ValueReport] {
    [
      ValueReport(
        name: "temperature", value: .number("21.5"), unit: "°C", maxAge: 600, updated: Timestamp(milliseconds: 0),
        isOld: true, displays: ["HDMI-A-1"]),
      ValueReport(name: "doctor", value: .string("in"), updated: Timestamp(milliseconds: 0)),
    ]
  }

  package func values(after place: ListPlace?, most: Int) async -> ListPart<ValueReport> {
    liveValues.part(after: place, most: most, by: \.name) { $0 }
  }

  package func value(_ name: String) async throws(ControlError) -> ValueReport {
    if let value = liveValues.first(where: { $0.name == name }) { return value }
    throw ControlError(.notFound, "there is no value \(name); `placard values` lists them")
  }

  package func setValue(_ name: String, _ request: ValueRequest) async throws(ControlError) -> ValueReport {
    ValueReport(
      name: name, value: request.value, unit: request.unit, maxAge: request.maxAge, updated: Timestamp(milliseconds: 0))
  }

  package func removeValue(_ name: String) async throws(ControlError) { _ = try await value(name) }

  package func library(after place: ListPlace?, most: Int) async -> ListPart<LibraryReport> {
    entries.part(after: place, most: most, by: \.name) { $0 }
  }

  package func entry(_ name: String) async throws(ControlError) -> LibraryReport {
    if let entry = entries.first(where: { $0.name == name }) { return entry }
    throw ControlError(.notFound, "there is no library entry \(name); `placard library` lists them")
  }

  package func setEntry(
    _ name: String, _ request: LibraryRequest, expecting revision: String?
  ) async throws(ControlError) -> LibraryReport {
    if let revision, revision != entries[0].revision { throw ControlError(.changed, "it was changed") }
    return LibraryReport(
      name: name, title: request.title, tags: request.tags ?? [], kind: request.scene["kind"]?.text ?? "",
      summary: "Soup", scene: request.scene, revision: "7a3", changed: Timestamp(milliseconds: 0))
  }

  package func setEvents(_ name: String, _ file: [UInt8]) async throws(ControlError) -> LibraryReport {
    guard file.starts(with: Array("BEGIN:VCALENDAR".utf8)) else {
      throw ControlError(.invalid, "the calendar cannot be used: the file is not an iCalendar file (.ics)")
    }
    return LibraryReport(
      name: name, kind: "calendar", summary: "0 events", scene: ["kind": "calendar", "events": []], revision: "7a1",
      changed: Timestamp(milliseconds: 0))
  }

  package func removeEntry(_ name: String) async throws(ControlError) {
    let entry = try await entry(name)
    if !entry.uses.isEmpty { throw ControlError(.conflict, "the library entry \(name) is in use: session 2") }
  }

  package func renameEntry(_ name: String, _ request: RenameRequest) async throws(ControlError) -> LibraryReport {
    var entry = try await entry(name)
    entry.name = request.name
    return entry
  }

  package func schedule(_ display: String, _ query: ScheduleQuery) async throws(ControlError) -> [ScheduleSlot] {
    [
      ScheduleSlot(
        display: display, from: Timestamp(milliseconds: 0), until: Timestamp(milliseconds: 3_600_000), asleep: false,
        kind: "markdown", summary: "Soup", because: ["session 2", "the rule lunch of its schedule"])
    ]
  }

  package func render(_ request: RenderRequest) async throws(ControlError) -> [UInt8] {
    try request.check()
    return [0x89, 0x50, 0x4e, 0x47]
  }

  package func backup() async throws(ControlError) -> Backup {
    Backup(
      version: "0.1.0", host: "lobby", made: Timestamp(milliseconds: 0),
      records: [Backup.Record(kind: "entry", key: "menu", json: "{}")],
      images: [Backup.Image(name: "9f86d081884c7d65.png", path: "/p/9f86d081884c7d65.png")])
  }

  package func restore(_ document: JSONValue, isTrial: Bool) async throws(ControlError) -> RestoreReport {
    _ = try Backup(reading: document)
    return RestoreReport(
      restored: !isTrial, entries: 1, sessions: 0, messages: 0, monitors: 0, missingImages: ["9f86d081884c7d65.png"])
  }
}
