import Configuration
import Control
import ICalendar
import JSON
import Scenes

/// The library: its reports, and the meaning of requests for it.
extension ServiceState {
  /// Returns part of the list of library entries, without their scenes.
  func library(after place: ListPlace?, most: Int) -> ListPart<LibraryReport> {
    let uses = store.uses
    return store.entryNames.part(after: place, most: most, by: { $0 }) { name in
      guard let entry = store.library[name] else {
        return LibraryReport(name: name, kind: "", summary: "", revision: "", changed: Timestamp(milliseconds: 0))
      }
      var report = report(entry, uses[name] ?? [])
      report.scene = nil
      return report
    }
  }

  /// Returns the report of a library entry with its scene.
  func entry(_ name: String) throws(ControlError) -> LibraryReport {
    guard let entry = store.library[name] else { throw ControlError(.noEntry(name)) }
    var report = report(entry, store.uses[name] ?? [])
    report.warnings = entry.scene.tree.flatMap { zones.warnings(about: $0, at: now / 1000, store.library) }
    return report
  }

  private func report(_ entry: LibraryEntry, _ uses: [String]) -> LibraryReport {
    LibraryReport(
      name: entry.name, title: entry.title, tags: entry.tags, kind: entry.scene.kind, summary: entry.scene.summary,
      scene: entry.scene.document, revision: revision(of: entry),
      uses: uses + (isConfigured(entry.name) ? ["the configuration file"] : []),
      changed: Timestamp(milliseconds: entry.changed))
  }

  private func revision(of entry: LibraryEntry) -> String {
    Revision.of([
      "scene": entry.scene.document, "title": entry.title.map { .string($0) } ?? .null,
      "tags": .array(entry.tags.map { .string($0) }),
    ])
  }

  /// Returns the entry that a request describes.
  func entry(_ name: String, _ request: LibraryRequest) throws(ControlError) -> LibraryEntry {
    try mustBeName(name, field: "name", Name.refusal(of:))
    let tags = request.tags ?? []
    guard tags.count <= 20 else {
      throw ControlError(.invalid, "`tags` has \(tags.count) elements: it may have at most 20")
    }
    for tag in tags { try mustBeName(tag, field: "tags", Name.refusal(of:)) }
    if let title = request.title, title.utf8.count > 200 {
      throw ControlError(.invalid, "`title` has \(title.utf8.count) bytes: it may have at most 200")
    }
    return LibraryEntry(name, try scene(request.scene), title: request.title, tags: tags)
  }

  /// Returns the entry with a name whose events are replaced, or a new one.
  func entry(_ name: String, with events: [CalendarEvent]) throws(ControlError) -> LibraryEntry {
    try mustBeName(name, field: "name", Name.refusal(of:))
    guard var entry = store.library[name] else {
      return LibraryEntry(name, try scene(Scene(.calendar(EventCalendar(events))).document))
    }
    guard case .calendar(var calendar) = entry.scene.content else {
      throw ControlError(
        .conflict,
        "the library entry \(name) is a `\(entry.scene.kind)`, not a calendar; choose another name or remove it first")
    }
    calendar.events = events
    entry.scene = try scene(Scene(.calendar(calendar), style: entry.scene.style).document)
    return entry
  }

  /// Throws if a change is based on another revision of an entry than the current one.
  func mustExpect(_ revision: String?, of name: String) throws(ControlError) {
    guard let revision, revision != store.library[name].map(self.revision) else { return }
    throw ControlError(
      .changed,
      "the library entry \(name) was changed by another client since you read it; read it again, and repeat your change"
    )
  }

  /// Throws if the configuration file refers to an entry, because the service does not change that file.
  func mustNotBeConfigured(_ name: String) throws(ControlError) {
    guard isConfigured(name) else { return }
    throw ControlError(
      .conflict, "the library entry \(name) is in use: the configuration file; change the file and reload first")
  }

  private func isConfigured(_ name: String) -> Bool { settings.scenes.contains { $0.entries.contains(name) } }

  // MARK: Schedules

  /// The maximum number of slots in an answer.
  private static let mostSlots = 2000

  /// Returns what a display has by its schedules at the times of a query.
  func schedule(_ display: String, _ query: ScheduleQuery) throws(ControlError) -> [ScheduleSlot] {
    let output = try connected(display)
    var state = self
    state.now = query.at ?? now
    let end = query.days.map { state.now + Int64($0) * 86_400_000 }
    var slots: [ScheduleSlot] = []
    repeat {
      state.store.expire(at: state.now)
      let slot = state.slot(of: output)
      slots.append(slot)
      guard let end, let until = slot.until?.milliseconds, until < end, slots.count < Self.mostSlots else { break }
      state.now = until
    } while true
    return slots
  }

  /// Returns what an output has by its schedules at the current time.
  func slot(of output: OutputState) -> ScheduleSlot {
    let shown = shown(on: output)
    let planned = shown.scene.planned(at: now, zones, store.library)
    let ends = [planned.until, store.nextExpiry, nextHours(output)].compactMap(\.self).filter { $0 > now }
    return ScheduleSlot(
      display: output.name, from: Timestamp(milliseconds: now),
      until: ends.min().map { Timestamp(milliseconds: $0) }, asleep: isToSleep(output), kind: planned.scene.kind,
      summary: planned.scene.summary, because: [source(of: shown)] + planned.sources.map(\.description))
  }

  private func source(of shown: Shown) -> String {
    switch shown.source {
    case .message(let id): "message \(id)"
    case .session(let id): "session \(id)"
    case .fallback: "the scene of its role"
    }
  }

  /// Returns why an output has its content, in a sentence; nil if neither a schedule nor the library determines it.
  func contentReason(_ output: OutputState) -> String? {
    let shown = shown(on: output)
    let planned = shown.scene.planned(at: now, zones, store.library)
    guard !planned.sources.isEmpty else { return nil }
    let until = planned.until.map { ", until \(zones.clock($0, now: now))" } ?? ""
    let age =
      planned.calendar.flatMap { store.library[$0] }
      .map { "; \($0.name) was last changed \(zones.clock($0.changed, now: now))" } ?? ""
    let sources = ([source(of: shown)] + planned.sources.map(\.description)).joined(separator: ", ")
    return "it has \(planned.scene.summary) (\(planned.scene.kind)): \(sources)\(until)\(age)"
  }
}
