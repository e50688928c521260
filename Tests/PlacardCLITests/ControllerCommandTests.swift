import Control
import FakeServiceSupport
import Glibc
import JSON
import Testing

@Suite struct ControllerCommandTests {
  @Test func `A display's modes are listed, and the current one is marked`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["mode", "HDMI-A-1"])
      #expect(status == 0)
      #expect(console.text == "HDMI-A-1: 1920x1080@60\n* 1920x1080@60\n  1280x720@60\n")
    }
  }

  @Test func `A mode is kept, confirmed and reset on request`() async throws {
    try await Running.run { (running: Running) async throws in
      for arguments in [
        ["native", "--rotate", "90", "--keep"], ["--confirm"], ["--reset"], ["--rotate", "180", "--json"],
      ] {
        #expect(await running.placard(["mode", "HDMI-A-1"] + arguments).status == 0)
      }
      #expect(
        running.service.calls == [
          .setMode("HDMI-A-1", ModeRequest(mode: "native", rotation: 90, keep: true)), .confirmMode("HDMI-A-1"),
          .resetMode("HDMI-A-1"), .setMode("HDMI-A-1", ModeRequest(rotation: 180)),
        ])
    }
  }

  @Test func `Without a terminal, a pending mode is reported with the command that confirms it`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["mode", "HDMI-A-1", "1280x720@60"])
      #expect(status == 0 && console.errors.contains("placard mode HDMI-A-1 --confirm"))
    }
  }

  @Test(
    "On a terminal, the user is asked whether to keep the mode, and the answer is applied",
    arguments: [
      ("y", .confirmMode("HDMI-A-1")), ("n", .resetMode("HDMI-A-1")), ("\r", .resetMode("HDMI-A-1")),
      ("xY", .confirmMode("HDMI-A-1")), ("\u{3}", .resetMode("HDMI-A-1")),
    ] as [(String, ServiceCall)])
  func question(keys: String, call: ServiceCall) async throws {
    try await Running.run { (running: Running) async throws in
      let terminal = MemoryTerminal()
      running.service.setPendingModeEnd(Timestamp(milliseconds: Int64(time(nil)) * 1000 + 60_000))
      async let ended = running.placard(["mode", "HDMI-A-1", "1280x720@60"], columns: 80, terminal: terminal)
      await terminal.wait(for: "Keep this mode? [y/N] 15 ")
      terminal.type(keys)
      let (status, console) = await ended
      #expect(status == 0 && running.service.calls.last == call)
      #expect(console.text.contains(call == .confirmMode("HDMI-A-1") ? "The mode is kept." : "Reverted: HDMI-A-1"))
      #expect(!terminal.isOpen && terminal.text.hasSuffix("\r\u{1b}[K"))
    }
  }

  @Test func `Without an answer, the mode is reverted`() async throws {
    try await Running.run { (running: Running) async throws in
      running.service.setPendingModeEnd(Timestamp(milliseconds: 0))
      let terminal = MemoryTerminal()
      let (status, console) = await running.placard(["mode", "HDMI-A-1", "native"], columns: 80, terminal: terminal)
      #expect(status == 0 && console.text.hasSuffix("No confirmation: the mode is reverted.\n"))
      #expect(running.service.calls.count == 1 && !terminal.isOpen)
    }
  }

  @Test func `Displays are identified for the given time`() async throws {
    try await Running.run { (running: Running) async throws in
      #expect(await running.placard(["identify"]).console.text.hasPrefix("DISPLAY "))
      #expect(await running.placard(["identify", "DP-1", "--for", "1m"]).status == 0)
      #expect(
        running.service.calls == [
          .identify(IdentifyRequest()), .identify(IdentifyRequest(display: "DP-1", seconds: 60)),
        ])
    }
  }

  @Test func `A scene is printed with its revision, and edited unless it has changed since`() async throws {
    try await Running.run { (running: Running) async throws in
      let (_, printed) = await running.placard(["edit", "HDMI-A-1"])
      let revision = Revision.of(FakeService.board)
      #expect(printed.errors == "revision \(revision)\n")
      #expect(try JSONValue(parsing: printed.output) == FakeService.board)
      let edited = await running.placard(["edit", "2", "-", "--if-revision", revision], input: #"{"kind":"blank"}"#)
      #expect(edited.status == 0 && edited.console.text == "session 2 on HDMI-A-1: board, First, Second\n")
      let late = await running.placard(["edit", "2", "-", "--if-revision", "0"], input: #"{"kind":"blank"}"#)
      #expect(late.status == 1 && late.console.errors.contains("Another client has changed session 2"))
      let blank = JSONValue.object(["kind": .string("blank")])
      #expect(running.service.calls.first == .edit(2, SceneEdit(scene: blank, expecting: revision)))
    }
  }

  @Test func `The board is printed, set, and its cards opened and closed`() async throws {
    try await Running.run { (running: Running) async throws in
      let (_, console) = await running.placard(["board"])
      #expect(
        console.text == """
          COLUMN  CARD  TITLE   OPEN ON
          -       a     First   -
          -       b     Second  HDMI-A-1

          """)
      let (_, json) = await running.placard(["board", "--json"])
      let revision = Revision.of(FakeService.board)
      let file = "\(running.directory)/file.json"
      try write(json.output, file)
      #expect(await running.placard(["board", file]).status == 0)
      #expect(running.service.calls == [.setBoard(SceneEdit(scene: FakeService.board, expecting: revision))])
      #expect(await running.placard(["board", "open", "a", "DP-1"]).status == 0)
      guard case .open(let request)? = running.service.calls.last else { throw Missing() }
      #expect(request.tag == "card:a" && request.display == "DP-1" && request.scene["kind"]?.text == "card")
      #expect(await running.placard(["board", "close", "b"]).status == 0)
      #expect(running.service.calls.last == .close(2))
      #expect(await running.placard(["board", "close", "a"]).console.errors.contains("is not open"))
      #expect(await running.placard(["board", "open", "c"]).console.errors.contains("it has a, b"))
    }
  }

  @Test func `Images are listed, added, saved and removed`() async throws {
    try await Running.run { (running: Running) async throws in
      let (_, list) = await running.placard(["images"])
      #expect(list.text.contains("9f86d081884c7d65.png  poster.png  20x10   3.4 KiB"))
      let (_, narrow) = await running.placard(["images"], columns: 60)
      #expect(narrow.text.contains("9f86d081884c7d65.png  poster.png  20x10   3.4 KiB\n"))
      let file = "\(running.directory)/file"
      try write([0x89, 0x50, 0x4e, 0x47, 5], file)
      let (_, added) = await running.placard(["images", "add", file])
      #expect(added.text == "9f86d081884c7d65.png  /p/9f86d081884c7d65.png\n")
      #expect(added.progress.first?.hasPrefix("Uploading ") == true && added.progress.last == "")
      #expect(await running.placard(["images", "get", "a.png", "-"]).console.output == [0x89, 1, 2])
      #expect(await running.placard(["images", "remove", "a.png"]).status == 0)
      #expect(running.service.calls == [.addImage([0x89, 0x50, 0x4e, 0x47, 5], "file"), .removeImage("a.png")])
    }
  }

  @Test func `Health sets the exit status and prints its reasons`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["health"])
      #expect(status == 1 && console.errors.isEmpty)
      #expect(
        console.text == """
          degraded, up for 1m 1s
            DP-1 is dark: no mode was taken.
            limit reached: request_rate, 3 times

          """)
      running.service.empty()
      let well = await running.placard(["health"])
      #expect(well.status == 0 && well.console.text == "ok, up for 1d 2h\n")
    }
  }

  @Test func `Losses are acknowledged and printed`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["health", "--ack"])
      #expect(status == 0 && console.text == "acknowledged: the reload was refused\n")
      let (_, json) = await running.placard(["health", "--ack", "--json"])
      #expect(try JSON.decode([LossReport].self, from: json.output).map(\.id) == [3])
      running.service.empty()
      let none = await running.placard(["health", "--ack"])
      #expect(none.status == 0 && none.console.text == "no losses to acknowledge\n")
      #expect(running.service.calls == [.acknowledgeLosses, .acknowledgeLosses, .acknowledgeLosses])
    }
  }

  @Test func `Virtual monitors are selected from a list`() async throws {
    try await Running.run { (running: Running) async throws in
      let (_, menu) = await running.placard(["virtual"])
      #expect(menu.text.contains("2  4K, 3840x2160  placard plug --choice 2\n"))
      #expect(await running.placard(["plug"]).console.text == menu.text)
      #expect(await running.placard(["plug", "--choice", "1", "Virtual-3"]).status == 0)
      #expect(await running.placard(["plug", "--choice", "4k, P"]).status == 0)
      #expect(
        running.service.plugs == [
          PlugRequest(display: "Virtual-3", width: 800, height: 480), PlugRequest(width: 2160, height: 3840),
        ])
      #expect(await running.placard(["plug", "--choice", "4K"]).console.errors.contains("more than one"))
      #expect(await running.placard(["plug", "--choice", "9"]).console.errors.contains("9 matches no virtual monitor"))
    }
  }

  @Test func `A screenshot with a width is a preview in the format of the file name`() async throws {
    try await Running.run { (running: Running) async throws in
      let file = "\(running.directory)/file.png"
      #expect(await running.placard(["screenshot", "HDMI-A-1", file, "--width", "64"]).status == 0)
      #expect(try contents(file).starts(with: [0x89, 0x50]))
      #expect(running.service.calls == [.preview("HDMI-A-1", PreviewRequest(width: 64, format: .png))])
    }
  }

  private struct Missing: Error {}
}
