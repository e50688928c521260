import CommandLineTool
import Control
import Testing

@Suite struct ExitStatusTests {
  @Test(
    "An invalid command line exits with 2 and prints the usage",
    arguments: [
      ["nothing"], ["show"], ["show", "--clear", "a"], ["show", "--clear", "--wait"], ["show", "--display"],
      ["why"], ["screenshot", "DP-1"], ["plug", "large"], ["plug", "a", "b", "1x1"], ["unplug"],
      ["plug", "--edid", "f", "a", "b"], ["edid"], ["edid", "--policy", "best", "f"], ["events", "--count", "0"],
      ["displays", "--color"], ["status", "now"], ["show", "a", "--card", "b"], ["show", "--content", "a", "b"],
      ["show", "--lines", "2", "-"],
      ["show", "--follow", "a"], ["show", "--markdown", "-", "--follow"], ["show", "-", "--follow", "--lines", "0"],
      ["show", "--role", "lobby", "a"],
      ["show", "--priority", "101", "a"], ["show", "--for", "10", "a"], ["show", "--clear", "--ack"],
      ["show", "--role", "external", "--display", "A", "a"], ["clear", "--all", "-d", "A"], ["undo", "1", "-d", "A"],
      ["show", "--tag", "t", "-d", "A", "a"],
      ["show", "--ack", "--tag", "t", "--display", "A", "a"],
      ["open"], ["open", "a.md", "A", "B"], ["open", "--card", "a"], ["open", "--from", "A", "a.md"], ["move", "1"],
      ["scroll", "1"], ["scroll", "1", "110%"], ["scroll", "1", "up"], ["scroll", "1", "#"], ["close"], ["refresh"],
      ["ack"], ["ack", "fire"], ["withdraw", "A"], ["history", "--since", "then"],
      ["history", "--until", "2026-02-30"],
      ["history", "--csv", "--json"], ["history", "--limit", "0"], ["mode"], ["mode", "A", "--keep"],
      [
        "mode",
        "A", "native", "--reset",
      ], ["mode", "A", "--rotate", "45"], ["identify", "--for", "11m"], ["watch"],
      ["watch", "A", "--as", "svg"], ["screenshot", "A", "f", "--width", "8"], ["board", "open"],
      [
        "images",
        "add",
      ], ["plug", "--choice", "1", "--edid", "f"], ["edit"], ["tail", "--count", "0"],
      [
        "status",
        "--socket", "/a", "--url", "http://b",
      ], ["doctor", "--timeout", "0"],
    ])
  func usage(arguments: [String]) async {
    let console = MemoryConsole()
    #expect(await PlacardTool.run(arguments, console: console) == 2)
    #expect(console.output.isEmpty && console.errors.contains("Usage: placard"))
  }

  @Test(
    "A mistyped command is answered with a suggestion",
    arguments: [
      (["shwo", "Hello"], "placard: unknown command 'shwo'. Did you mean `placard show`?"),
      (
        ["--socket", "/s", "--timeout", "2", "shwo", "a"],
        "placard: unknown command 'shwo'. Did you mean `placard show`?"
      ),
      (["dispalys"], "placard: unknown command 'dispalys'. Did you mean `placard displays`?"),
      (["frobnicate"], "placard: unknown command 'frobnicate'. `placard --help` lists the commands."),
      (["\u{1b}[2J"], "placard: unknown command ' [2J'. `placard --help` lists the commands."),
    ])
  func mistyped(arguments: [String], answer: String) async {
    let console = MemoryConsole()
    #expect(await PlacardTool.run(arguments, console: console) == 2)
    #expect(console.errors == answer + "\nUsage: placard [<options>] <subcommand>\n")
  }

  @Test func `A mistyped subcommand is answered with a suggestion`() async {
    let console = MemoryConsole()
    #expect(await PlacardTool.run(["board", "opne", "lift"], console: console) == 2)
    #expect(
      console.errors == "placard: unknown subcommand 'opne' of board. Did you mean `placard board open`?\n"
        + "Usage: placard board [<options>] <subcommand>\n")
  }

  @Test(
    "A command that finds no service exits with 3 and prints how to start it",
    arguments: [
      ["status"], ["show", "a"], ["displays"], ["displays", "--watch"], ["why", "A"], ["screenshot", "A", "-"],
      ["clear"], ["undo"], ["plug", "1x1"], ["unplug", "A"], ["events"], ["show", "--clear"], ["show", "-"],
      ["show", "--scene", "-"],
      ["show", "--ack", "a"], ["show", "--card", "a", "--display", "A"], ["open", "-"], ["sessions"], ["messages"],
      ["move", "1", "A"], ["close", "A"], ["scroll", "A", "next"], ["refresh", "1"], ["ack", "5"], ["withdraw", "5"],
      ["history"], ["history", "--csv"], ["open", "--card", "a", "--from", "1"], ["mode", "A"],
      ["mode", "A", "native"],
      ["identify"], ["watch", "A"], ["tail"], ["health"], ["health", "--ack"], ["virtual"], ["board"],
      ["board", "open", "a"], ["images"],
      ["edit", "1"], ["show", "--follow", "-"],
    ])
  func noService(arguments: [String]) async {
    let console = MemoryConsole()
    #expect(await PlacardTool.run(arguments + ["--socket", "/tmp/there/is/none"], console: console) == 3)
    #expect(console.output.isEmpty && console.errors.contains("/tmp/there/is/none"))
    #expect(console.errors.contains("systemctl start placard"))
    #expect(console.reads == 0)
  }

  @Test func `A URL without a service is reported with the system's error text`() async {
    let console = MemoryConsole()
    // Port 1 is privileged, so no program listens on it.
    #expect(await PlacardTool.run(["status", "--url", "http://127.0.0.1:1"], console: console) == 3)
    #expect(console.errors.contains("http://127.0.0.1:1: Connection refused."))
    #expect(await PlacardTool.run(["status", "--url", "ftp://a"], console: console) == 2)
  }

  @Test func `Every command that takes a display reports an unknown one with the same error`() async throws {
    try await Running.run { (running: Running) async throws in
      for arguments in [
        ["why", "X"], ["screenshot", "X", "-"], ["unplug", "X"], ["sleep", "X"], ["wake", "X"],
        ["show", "--display", "X", "a"], ["show", "--clear", "--display", "X"], ["clear", "-d", "X"],
        ["show", "--ack", "--display", "X", "a"],
        ["mode", "X"], ["mode", "X", "native"], ["mode", "X", "--confirm"], ["mode", "X", "--reset"],
        ["identify", "X"], ["watch", "X", "--once"], ["open", "-", "X"], ["open", "--card", "a", "--from", "X"],
        ["open", "--card", "a", "--from", "2", "X"], ["board", "open", "a", "X"], ["move", "2", "X"],
        ["move", "X", "DP-1"], ["close", "X"], ["scroll", "X", "next"], ["refresh", "X"], ["edit", "X"],
        ["history", "--display", "X"], ["history", "--csv", "--display", "X"],
      ] {
        let (status, console) = await running.placard(arguments, input: #"{"kind":"blank"}"#)
        #expect(status == 1, "\(arguments)")
        #expect(
          console.errors == "placard: there is no display X; the displays are DP-1, HDMI-A-1\n", "\(arguments)")
      }
    }
  }

  @Test func `Errors for unknown sessions, cards and displays without a session name the next step`() async throws {
    try await Running.run { (running: Running) async throws in
      for (arguments, words) in [
        (["edit", "9"], "there is no session 9; `placard sessions` lists them"),
        (["open", "--card", "a", "--from", "9"], "there is no session 9; `placard sessions` lists them"),
        (["close", "DP-1"], "DP-1 has no session; `placard open FILE DP-1` opens one"),
        (["board", "open", "z"], "there is no card z on the board; it has a, b"),
        (["board", "close", "z"], "the card z is not open on a display; `placard board` lists the cards"),
      ] {
        let (status, console) = await running.placard(arguments)
        #expect(status == 1 && console.errors == "placard: \(words)\n", "\(arguments)")
      }
    }
  }

  @Test func `Input that is not UTF-8 is refused`() async throws {
    try await Running.run { (running: Running) async throws in
      let console = MemoryConsole(input: [0x61, 0xff])
      let socket = "\(running.directory)/s"
      #expect(await PlacardTool.run(["show", "-", "--socket", socket], console: console) == 1)
      #expect(console.errors.contains("not UTF-8"))
    }
  }

  @Test(
    "Every command has help with an example",
    arguments: [
      [], ["show"], ["displays"], ["why"], ["screenshot"], ["plug"], ["unplug"], ["sleep"], ["wake"], ["sessions"],
      ["edid"], ["status"], ["open"], ["move"], ["close"], ["scroll"], ["refresh"], ["messages"], ["ack"],
      ["withdraw"], ["history"], ["mode"], ["identify"], ["watch"], ["tail"], ["health"], ["doctor"], ["virtual"],
      ["board"],
      ["images"], ["edit"], ["board", "open"], ["board", "close"], ["images", "add"], ["images", "get"],
      ["images", "remove"], ["images", "list"],
    ])
  func help(command: [String]) async {
    let console = MemoryConsole()
    #expect(await PlacardTool.run(command + ["--help"], console: console) == 0)
    let example = "  placard " + (command.isEmpty ? "show" : command.joined(separator: " "))
    #expect(console.text.contains("Example") && console.text.contains(example) && console.errors.isEmpty)
    #expect(console.text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func `The version is the same as the service's`() async {
    let console = MemoryConsole()
    #expect(await PlacardTool.run(["--version"], console: console) == 0)
    #expect(console.text == "\(PlacardVersion.current)\n")
  }
}
