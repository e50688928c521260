import CommandLineTool
import Testing

@Suite struct ManualTests {
  private static func page(_ arguments: [String] = [], input: String = "") async -> (Int32, MemoryConsole) {
    let console = MemoryConsole(input: Array(input.utf8), environment: ["SOURCE_DATE_EPOCH": "86400"])
    return (await PlacardTool.run(["manual"] + arguments, console: console), console)
  }

  @Test func `The manual page names every command and option`() async {
    let (status, console) = await Self.page()
    #expect(status == 0)
    let lines = console.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(2) == [".Dd January 2, 1970", ".Dt PLACARD 1"])
    for wanted in [
      ".Ss placard show", ".Ss placard board open", ".It Fl \\-lines Ar number", ".Sh EXIT STATUS",
      ".Sh ENVIRONMENT", ".Op Fl \\-wait", ".It Fl \\-socket Ar path",
      "uptime | placard show \\-",
    ] {
      #expect(lines.contains { $0 == wanted }, "\(wanted)")
    }
    // The options of the service are listed only once.
    #expect(lines.filter { $0.hasPrefix(".It Fl \\-socket") }.count == 1)
    #expect(!console.text.contains("placard manual"))
  }

  @Test func `No line is longer than 100 columns, and no text line is a roff request`() async {
    let (_, console) = await Self.page()
    for line in console.text.split(separator: "\n") where !line.hasPrefix(".") {
      #expect(line.filter { $0 != "\\" }.count <= 100, "\(line)")
      #expect(!line.hasPrefix("'"))
    }
  }

  @Test func `A help text is converted to a page`() async {
    let help = """
      Lights every monitor.

      Usage: placardd [OPTION...]

      Options:
        --config <file>      The configuration file
                             (default: /etc/placard/placard.toml).
        --on-host-suspend
                             External displays sleep.
        -h, --help           Print this help.

      It runs until SIGTERM. SIGHUP makes it read
      its configuration again.

      Examples:
        placardd             all
      """
    let (status, console) = await Self.page(["--help-text", "-", "--name", "placardd", "--section", "8"], input: help)
    #expect(status == 0)
    #expect(
      console.text.hasSuffix(
        """
        .Sh NAME
        .Nm placardd
        .Nd lights every monitor
        .Sh SYNOPSIS
        .Nm placardd
        .Ar [OPTION...]
        .Sh DESCRIPTION
        Lights every monitor.
        .Pp
        It runs until SIGTERM.
        SIGHUP makes it read its configuration again.
        .Sh OPTIONS
        .Bl -tag -width Ds
        .It Fl \\-config Ar file
        The configuration file (default: /etc/placard/placard.toml).
        .It Fl \\-on\\-host\\-suspend
        External displays sleep.
        .It Fl h , Fl \\-help
        Print this help.
        .El
        .Sh EXAMPLES
        .Bd -literal -offset indent
        placardd             all
        .Ed

        """))
  }

  @Test func `Input that is neither a help text nor a description is refused`() async {
    for arguments in [["--dump", "-"], ["--help-text", "-"]] {
      let (status, console) = await Self.page(arguments, input: "{}")
      #expect(status == 1 && console.errors.hasPrefix("placard: The input is not a "))
    }
  }
}
