import Control
import FakeServiceSupport
import FoundationEssentials
import JSON
import Testing

/// The commands for the library, schedules and backups.
@Suite struct LibraryCommandTests {
  /// Writes a file into a temporary directory and returns its path.
  private func write(_ text: String, _ name: String, in directory: String) throws -> String {
    let path = "\(directory)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test func `entries are listed with their uses, and by tag`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["library"])
      #expect(status == 0)
      let lines = console.text.split(separator: "\n")
      #expect(lines.count == 3 && lines[1].hasPrefix("menu  markdown  Menu of the day  food  session 2"))
      #expect(
        await running.placard(["library", "list", "--tag", "food"]).console.text.split(separator: "\n").count == 2)
      let none = await running.placard(["library", "list", "--tag", "none"]).console.text
      #expect(none.contains("`placard library add NAME FILE` adds an entry"))
    }
  }

  @Test func `an entry is added, edited, renamed, printed and removed`() async throws {
    try await withTemporaryDirectory { directory in
      let file = try write("# Soup", "menu.md", in: directory)
      try await Running.run { (running: Running) async throws in
        let added = await running.placard(["library", "add", "lunch", file, "--title", "Lunch", "--tag", "food"])
        #expect(added.status == 0 && added.console.text == "lunch: markdown, Soup\n")
        let twice = await running.placard(["library", "add", "menu", file])
        #expect(twice.status == 1 && twice.console.errors.contains("`placard library edit menu FILE` replaces"))
        #expect(await running.placard(["library", "edit", "menu", file]).status == 0)
        let stale = await running.placard(["library", "edit", "menu", file, "--if-revision", "old"])
        #expect(stale.status == 1 && stale.console.errors.contains("changed"))
        let nothing = await running.placard(["library", "edit", "menu"])
        #expect(nothing.status == 2 && nothing.console.errors.contains("Give a file, --title or --tag."))
        let renamed = await running.placard(["library", "rename", "menu", "lunch"])
        #expect(renamed.console.text == "lunch: markdown, Soup\n")
        let shown = await running.placard(["library", "show", "menu"])
        #expect(shown.console.errors == "placard: revision 7a1\n" || shown.console.errors == "revision 7a1\n")
        #expect(try JSONValue(parsing: shown.console.output) == ["kind": "markdown", "text": "# Soup"])
        let calendar = try write("BEGIN:VCALENDAR\nEND:VCALENDAR\n", "rooms.ics", in: directory)
        let imported = await running.placard(["library", "add", "rooms", calendar, "--title", "Rooms"])
        #expect(imported.status == 0 && imported.console.text == "rooms: calendar, Soup\n")
        let broken = try write("hello", "broken.ics", in: directory)
        let refused = await running.placard(["library", "edit", "rooms", broken])
        #expect(refused.status == 1 && refused.console.errors.contains("the file is not an iCalendar file (.ics)"))
        let used = await running.placard(["library", "remove", "menu"])
        #expect(used.status == 1 && used.console.errors.contains("is in use: session 2"))
        #expect(await running.placard(["library", "remove", "week"]).status == 0)
        let unknown = await running.placard(["library", "show", "no"])
        #expect(unknown.status == 1 && unknown.console.errors.contains("there is no library entry no"))
      }
    }
  }

  @Test func `an entry is opened and shown by its name`() async throws {
    try await Running.run { (running: Running) async throws in
      #expect(await running.placard(["open", "--entry", "menu", "HDMI-A-1"]).status == 0)
      #expect(await running.placard(["show", "--entry", "menu"]).status == 0)
      let both = await running.placard(["open", "--entry", "menu", "--card", "a", "--from", "1"])
      #expect(both.status == 2 && both.console.errors.contains("Give --card or --entry, not both."))
    }
  }

  @Test func `a schedule is printed for a display or for all`() async throws {
    try await Running.run { (running: Running) async throws in
      let one = await running.placard(["schedule", "--display", "DP-1", "--at", "2027-03-28T02:30"])
      #expect(one.status == 0)
      #expect(one.console.text.contains("markdown: Soup  session 2, the rule lunch of its schedule"))
      #expect(await running.placard(["schedule"]).console.text.split(separator: "\n").count > 1)
      #expect(await running.placard(["schedule", "--days", "99"]).status == 2)
      let wrong = await running.placard(["schedule", "--at", "2027-02-30"])
      #expect(wrong.status == 2 && wrong.console.errors.contains("there is no such day"))
    }
  }

  @Test func `a picture of a scene is written to a file`() async throws {
    try await withTemporaryDirectory { directory in
      let scene = try write("# Soup", "menu.md", in: directory)
      try await Running.run { (running: Running) async throws in
        let drawn = await running.placard(["render", scene, "\(directory)/a.png", "--size", "800x480"])
        #expect(drawn.status == 0 && drawn.console.text.isEmpty)
        #expect(try Data(contentsOf: URL(filePath: "\(directory)/a.png")) == Data([0x89, 0x50, 0x4e, 0x47]))
        let wrong = await running.placard(["render", scene, "-", "--size", "large"])
        #expect(wrong.status == 2 && wrong.console.errors.contains("--size is large: write a size like 1920x1080."))
        #expect(await running.placard(["render", scene, "-", "--size", "10x10"]).status == 1)
      }
    }
  }

  @Test func `a backup is one file with its images, and a damaged one is refused`() async throws {
    try await withTemporaryDirectory { directory in
      let file = "\(directory)/a.backup"
      try await Running.run { (running: Running) async throws in
        let saved = await running.placard(["backup", file])
        #expect(saved.status == 0 && saved.console.text.contains("1 object and 1 image"))
        let trial = await running.placard(["restore", "--dry-run", file])
        #expect(trial.status == 0)
        #expect(
          trial.console.text
            == "can be restored: 1 library entry, 0 sessions, 0 messages, 0 monitors; nothing was changed\n")
        let done = await running.placard(["restore", file])
        #expect(done.status == 0 && done.console.text.hasPrefix("restored: 1 library entry"))
        let damaged = try write("{\"backup\": {}", "b.backup", in: directory)
        let refused = await running.placard(["restore", damaged])
        #expect(refused.status == 1 && refused.console.errors.contains("is not a file of `placard backup`"))
        let newer = try write(
          #"{"backup": {"format": 2, "version": "9.0", "records": []}, "images": []}"#, "c.backup", in: directory)
        let late = await running.placard(["restore", newer])
        #expect(late.status == 1 && late.console.errors.contains("has format 2 of Placard 9.0"))
      }
    }
  }
}
