package import Control
import ICalendar
import Scenes

extension Director {
  package func library(after place: ListPlace?, most: Int) async -> ListPart<LibraryReport> {
    state.library(after: place, most: most)
  }

  package func entry(_ name: String) async throws(ControlError) -> LibraryReport { try state.entry(name) }

  package func setEntry(
    _ name: String, _ request: LibraryRequest, expecting revision: String?
  ) async throws(ControlError) -> LibraryReport {
    let entry = try state.entry(name, request)
    try state.mustExpect(revision, of: name)
    // There is no suspension point between the check and the change, so that no other request comes in between.
    try attempt { store, now throws(SessionModelError) in try store.setEntry(entry, at: now) }
    let report = try state.entry(name)
    await persistence.settled()
    return report
  }

  package func setEvents(_ name: String, _ file: [UInt8]) async throws(ControlError) -> LibraryReport {
    let events: [CalendarEvent]
    do throws(CalendarError) { events = try await imageEncoder.events(in: file, at: state.now / 1000) } catch {
      throw ControlError(error == .noLibrary ? .failed : .invalid, "the calendar cannot be used: \(error)")
    }
    // The times are found before the displays need them, because that takes long as well.
    if case .calendar(let calendar) = try state.entry(name, with: events).scene.content {
      core.zones.events.put(await imageEncoder.times(of: calendar, at: state.now / 1000))
    }
    // The entry is made again: others may have changed it in the meantime.
    let entry = try state.entry(name, with: events)
    try attempt { store, now throws(SessionModelError) in try store.setEntry(entry, at: now) }
    let report = try state.entry(name)
    await persistence.settled()
    return report
  }

  package func removeEntry(_ name: String) async throws(ControlError) {
    try state.mustNotBeConfigured(name)
    try attempt { store, _ throws(SessionModelError) in try store.removeEntry(name) }
    await persistence.settled()
  }

  package func renameEntry(_ name: String, _ request: RenameRequest) async throws(ControlError) -> LibraryReport {
    try state.mustBeName(request.name, field: "name", Name.refusal(of:))
    try state.mustNotBeConfigured(name)
    try attempt { store, now throws(SessionModelError) in try store.renameEntry(name, to: request.name, at: now) }
    let report = try state.entry(request.name)
    await persistence.settled()
    return report
  }

  package func schedule(_ display: String, _ query: ScheduleQuery) async throws(ControlError) -> [ScheduleSlot] {
    try state.schedule(display, query)
  }
}
