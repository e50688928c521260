import Control
import JSON
import Primitives

extension Endpoint {
  /// The endpoints for the library, schedules and backups.
  static let aboutLibrary = [
    Endpoint(
      "GET", "/v1/library", "library", "The library entries, without their scenes.", query: Page.fields,
      answer: .page("LibraryReport", "The entries in natural order of their names."),
      perform: { call in
        try await call.page(by: \.name) { await call.service.library(after: $0, most: $1) }
      }),
    Endpoint(
      "GET", "/v1/library/{entry}", "entry", "One library entry with its scene.",
      answer: .tagged("LibraryReport", "The entry."),
      perform: { .edited(try await $0.service.entry($0.name("entry")), \.revision) }),
    Endpoint(
      "PUT", "/v1/library/{entry}", "setEntry",
      "Adds a library entry or replaces it, and updates the displays that show it.", body: .json("LibraryRequest"),
      answer: .tagged("LibraryReport", "The entry."), problems: [409], isEditable: true,
      perform: { call in
        let name = call.name("entry")
        let revision = try await call.expected { try? await $0.service.entry(name).revision }
        return .edited(
          try await call.service.setEntry(name, try call.body(), expecting: revision), \.revision)
      }),
    Endpoint(
      "POST", "/v1/library/{entry}/events", "setEvents",
      "Replaces the events of a calendar in the library, or adds it, and updates the displays that show it.",
      body: .calendar, answer: .report("LibraryReport", "The entry."), problems: [409],
      perform: {
        guard !$0.request.body.bytes.isEmpty else {
          throw Problem.malformed("The body is empty: send an iCalendar file (.ics).")
        }
        return .json(try await $0.service.setEvents($0.name("entry"), $0.request.body.bytes))
      }),
    Endpoint(
      "DELETE", "/v1/library/{entry}", "removeEntry", "Removes a library entry that nothing refers to.",
      answer: .done("The entry was removed."), problems: [409],
      perform: {
        try await $0.service.removeEntry($0.name("entry"))
        return .nothing
      }),
    Endpoint(
      "POST", "/v1/library/{entry}/rename", "renameEntry", "Renames a library entry, and the references to it.",
      body: .json("RenameRequest"), answer: .report("LibraryReport", "The entry with its new name."), problems: [409],
      perform: { .json(try await $0.service.renameEntry($0.name("entry"), try $0.body())) }),
    Endpoint(
      "GET", "/v1/displays/{display}/schedule", "schedule",
      "What a display has by its schedules at a time, and for some days from then.", query: scheduleFields,
      answer: .list("ScheduleSlot", "The slots, the first of which contains the time."), problems: [409],
      perform: { call in
        let (most, times) = (ScheduleQuery.permittedDays, ScheduleQuery.permittedTimes)
        let days = try call.number("days", in: most, "a number of days, \(most.lowerBound) to \(most.upperBound)")
        let at = try call.number("at", in: times, "a time in milliseconds since 1970").map(Int64.init)
        return .json(try await call.service.schedule(call.display, ScheduleQuery(at: at, days: days)))
      }),
    Endpoint(
      "POST", "/v1/render", "render", "Draws a scene as a picture of any size, without showing it on a display.",
      body: .json("RenderRequest"), answer: .file(["image/png"], "The picture.", isCached: false),
      problems: [404, 409],
      perform: { .image(try await $0.service.render(try $0.body()), "image/png") }),
    Endpoint(
      "GET", "/v1/backup", "backup",
      "A backup of the library, the board, stored values, monitors, sessions and messages.",
      answer: .report("Backup", "The backup, without the files of images."),
      perform: { .json(try await $0.service.backup()) }),
    Endpoint(
      "POST", "/v1/restore", "restore",
      "Replaces the library, the board, stored values, monitors, sessions and messages by those of a backup.",
      query: [
        Field("dry-run", APISchema.flag, "Whether to check the backup only, and change nothing; false by default.")
      ], body: .largeJSON("Backup"),
      answer: .report("RestoreReport", "The content of the backup."), problems: [409],
      perform: { call in
        let isTrial = try call.flag("dry-run")
        return .json(try await call.service.restore(try call.request.body.document(), isTrial: isTrial))
      }),
  ]

  private static let scheduleFields = [
    Field(
      "at", APISchema.integer(ScheduleQuery.permittedTimes, example: 1_806_199_800_000),
      "The time, in milliseconds since 1970; now by default."),
    Field(
      "days", APISchema.integer(ScheduleQuery.permittedDays, example: 7),
      "The number of days; without it, the answer is the slot of the time alone."),
  ]
}
