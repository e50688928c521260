import Control
import FakeServiceSupport
import Testing

@Suite struct CommandTests {
  @Test(
    "A text is sent unchanged",
    arguments: [
      (["show", "Welcome,", "Ada!"], "", MessageRequest(text: "Welcome, Ada!", wait: false)),
      (["show", "-d", "DP-1", "a  b"], "", MessageRequest(text: "a  b", display: "DP-1", wait: false)),
      (["show", "--", "-5", "degrees"], "", MessageRequest(text: "-5 degrees", wait: false)),
      (["show", ""], "", MessageRequest(text: "", wait: false)),
      (["show", "-"], "Grüße\n\n", MessageRequest(text: "Grüße\n", wait: false)),
      (["show", "-"], "a\r\n", MessageRequest(text: "a", wait: false)),
      (["show", "a", "-"], "unread", MessageRequest(text: "a -", wait: false)),
    ])
  func show(arguments: [String], input: String, expected: MessageRequest) async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(arguments, input: input)
      #expect(status == 0 && console.output.isEmpty && console.errors.isEmpty)
      #expect(running.service.messages == [expected])
    }
  }

  @Test func `Warnings of the service about a text go to standard error`() async throws {
    try await Running.run { (running: Running) async throws in
      running.service.willWarn(["DP-1: no installed font has U+0E01: install the package fonts-noto-core"])
      let (status, console) = await running.placard(["show", "ก"])
      #expect(status == 0 && console.output.isEmpty)
      #expect(
        console.errors == "warning: DP-1: no installed font has U+0E01: install the package fonts-noto-core\n")
    }
  }

  @Test func `Waiting prints the time that each display took`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["show", "--wait", "a"])
      #expect(status == 0)
      #expect(console.text == "HDMI-A-1: shown after 12.3 ms\n")
      #expect(running.service.messages == [MessageRequest(text: "a", wait: true)])
      running.service.willShow(on: ["HDMI-A-1"], not: [], after: 0)
      #expect(await running.placard(["show", "--wait", "a"]).console.text == "HDMI-A-1: already shown\n")
    }
  }

  @Test func `Waiting for a frame that is not presented fails and names the display`() async throws {
    try await Running.run { (running: Running) async throws in
      running.service.willShow(on: ["HDMI-A-1"], not: ["DP-1: its flip never came"])
      let (status, console) = await running.placard(["show", "--wait", "a"])
      #expect(status == 1)
      #expect(console.text == "HDMI-A-1: shown after 0.1 ms\n")
      #expect(console.errors == "placard: not shown on DP-1: its flip never came\n")
      running.service.willShow(on: [], not: [])
      let (second, other) = await running.placard(["show", "--wait", "a"])
      #expect(second == 1 && other.errors.contains("no display shows it: see placard displays"))
    }
  }

  @Test(arguments: [["show", "a"], ["show", "--tag", "nope", "a"], ["board", "open", "a", "DP-1"]])
  func `Content that no display shows is reported with the reason, and fails if the command waits`(
    arguments: [String]
  ) async throws {
    try await Running.run { (running: Running) async throws in
      running.service.willBeUnseen(because: "no monitor is connected")
      let (status, console) = await running.placard(arguments)
      #expect(status == 0 && console.errors == "no display shows it: no monitor is connected\n")
      let (waited, other) = await running.placard(arguments + ["--wait"])
      #expect(waited == 1)
      #expect(other.errors.hasSuffix("placard: no display shows it: no monitor is connected\n"), "\(other.errors)")
    }
  }

  @Test func `Displays are a table without control characters from untrusted names`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["displays"])
      #expect(status == 0)
      #expect(
        console.text == """
          DISPLAY   STATE  SINCE  MODE          SCALE  MONITOR     SHOWS
          HDMI-A-1  lit    -      1920x1080@60  1      DEL U2720Q  Grüße, Ada  [2J
          DP-1      dark   -      -             1      -           no mode was taken

          """)
    }
  }

  @Test func `The table fits the terminal`() async throws {
    try await Running.run { (running: Running) async throws in
      let (_, console) = await running.placard(["displays"], columns: 60)
      #expect(console.text.split(separator: "\n").allSatisfy { $0.count <= 60 })
      #expect(console.text.contains("HDMI-A-1  lit    1920x1080@60  DEL"))
    }
  }

  @Test func `The JSON of displays can be decoded`() async throws {
    try await Running.run { (running: Running) async throws in
      let (_, console) = await running.placard(["displays", "--json"])
      #expect(try decode([DisplayReport].self, console.output) == (await running.service.displays()))
    }
  }

  @Test func `Watching lists the displays again after each event`() async throws {
    try await Running.run { (running: Running) async throws in
      let events = [1, 2].map { ControlEvent(id: $0, kind: .connected, display: "DP-1", time: 0) }
      async let sent: Void = running.service.readers.sendToNextReader(events)
      let (status, console) = await running.placard(["displays", "--watch"])
      await sent
      #expect(status == 0)
      #expect(console.text.split(separator: "DISPLAY ").count == 3)
    }
  }

  @Test func `Watching on a terminal replaces the last list`() async throws {
    try await Running.run { (running: Running) async throws in
      async let sent: Void = running.service.readers.sendToNextReader([])
      let (_, console) = await running.placard(["displays", "--watch"], columns: 80)
      await sent
      #expect(console.text.hasPrefix("\u{1b}[H\u{1b}[2JDISPLAY "))
    }
  }

  @Test func `Why prints the chosen mode, its reasons and the rejected modes`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["why", "HDMI-A-1"])
      #expect(status == 0)
      #expect(
        console.text == """
          HDMI-A-1: 1920x1080@60, scale 1 (policy legible)
            half of 3840x2160
          Tried on the hardware:
            1920x1080@60: taken
          Rejected:
            3840x2160@60  text would be too small
            640x480@60    smaller

          """)
      let (_, json) = await running.placard(["why", "HDMI-A-1", "--json"])
      #expect(try decode(WhyReport.self, json.output) == (await running.service.why("HDMI-A-1")))
    }
  }

  @Test func `A screenshot is written to standard output or to a file`() async throws {
    try await Running.run { (running: Running) async throws in
      #expect(await running.placard(["screenshot", "DP-1", "-"]).console.output == [0x89, 0x50, 0, 255, 10])
      let file = "\(running.directory)/file"
      #expect(await running.placard(["screenshot", "DP-1", file]).status == 0)
      #expect(try contents(file) == [0x89, 0x50, 0, 255, 10])
      let jpeg = "\(running.directory)/FILE.JPG"
      #expect(await running.placard(["screenshot", "DP-1", jpeg]).status == 0)
      #expect(try contents(jpeg) == [0xFF, 0xD8, 0])
      #expect(await running.placard(["screenshot", "DP-1", jpeg, "--as-scanned-out"]).status == 0)
      #expect(try contents(jpeg) == [0xFF, 0xD8, 1])
      #expect(await running.placard(["screenshot", "DP-1", jpeg, "--as-scanned-out", "--width", "64"]).status == 2)
      let (refused, complaint) = await running.placard(["screenshot", "DP-1", "now.webp"])
      #expect(refused == 2 && complaint.errors.contains("now.webp: frames are saved as .png, .jpg or .jpeg."))
      let (status, console) = await running.placard(["screenshot", "DP-1", "\(running.directory)/no/file"])
      #expect(status == 1 && console.errors == "placard: \(running.directory)/no/file: No such file or directory.\n")
    }
  }

  @Test func `Displays are put to sleep and woken`() async throws {
    try await Running.run { (running: Running) async throws in
      #expect(await running.placard(["sleep"]).status == 0)
      let woken = await running.placard(["wake", "DP-1"])
      #expect(woken.status == 0 && woken.console.text.contains("DISPLAY"))
      #expect(running.service.sleeps == [SleepRequest(asleep: true), SleepRequest(asleep: false, display: "DP-1")])
    }
  }

  @Test func `Sessions are listed, including those that wait for their monitor`() async throws {
    try await Running.run { (running: Running) async throws in
      let table = await running.placard(["sessions"])
      #expect(table.status == 0)
      #expect(table.console.text.contains("(was on DP-1)") && table.console.text.contains("asleep"))
      let (_, json) = await running.placard(["sessions", "--json"])
      #expect(try decode([SessionReport].self, json.output) == (await running.service.sessions()))
    }
  }

  @Test func `Virtual monitors are plugged by size or EDID, and unplugged`() async throws {
    try await Running.run { (running: Running) async throws in
      let file = "\(running.directory)/file"
      try write([0, 255], file)
      for arguments in [["800x480"], ["Virtual-2", "3840x2160"], ["--edid", file], ["--edid", file, "Virtual-3"]] {
        let (status, console) = await running.placard(["plug"] + arguments)
        #expect(status == 0 && console.text.hasPrefix("DISPLAY "))
      }
      #expect(
        running.service.plugs == [
          PlugRequest(width: 800, height: 480), PlugRequest(display: "Virtual-2", width: 3840, height: 2160),
          PlugRequest(edid: "AP8="), PlugRequest(display: "Virtual-3", edid: "AP8="),
        ])
      #expect(await running.placard(["unplug", "DP-1"]).status == 0)
      #expect(running.service.unplugged == ["DP-1"])
    }
  }

  @Test func `The status has a line for each problem`() async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["status"])
      #expect(status == 0)
      #expect(
        console.text == """
          placardd 0.1.0, process 7, backend virtual
          2 connected, 1 lit
          page: none; `listen` in the configuration gives it an address
          problem: DP-1: no mode was taken.

          """)
      let (_, json) = await running.placard(["status", "--json"])
      #expect(try decode(ServiceStatus.self, json.output) == (await running.service.status()))
    }
  }

  @Test func `Each event is printed on one line, until the count is reached`() async throws {
    let events = [
      ControlEvent(id: 1, kind: .connected, display: "DP-1", time: 12_003_004_999),
      ControlEvent(id: 2, kind: .messageShown, display: "DP-1", time: 13_000_000_000, detail: "a\nb", message: 7),
    ]
    try await Running.run { (running: Running) async throws in
      async let sent: Void = running.service.readers.sendToNextReader(events)
      let (status, console) = await running.placard(["events", "--count", "2"])
      await sent
      #expect(status == 0)
      #expect(console.text == "connected  DP-1\nmessageShown  DP-1  message 7  a b\n")
    }
    try await Running.run { (running: Running) async throws in
      async let sent: Void = running.service.readers.sendToNextReader(events)
      let (status, console) = await running.placard(["events", "--json", "--count", "1"])
      await sent
      #expect(status == 0)
      #expect(try decode(ControlEvent.self, console.output) == events[0])
    }
  }
}
