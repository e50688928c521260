import Control
import JSON
import Testing

@testable import CommandLineTool

/// Tests that texts of the service cannot control the terminal.
struct HostileServiceTests {
  private static let hostile = "\u{1b}]0;pwned\u{07}\u{9b}31m\u{202e}\u{7f}\n\u{1b}[31mpwned"

  private static let commands = [
    ["status"], ["health"], ["displays"], ["displays", "--verbose"], ["why", "DP-1"], ["mode", "DP-1"],
    ["mode", "DP-1", "native"], ["mode", "DP-1", "--confirm"], ["mode", "DP-1", "--reset"], ["sessions"], ["messages"],
    ["board"], ["board", "open", "x"], ["board", "open", hostile], ["board", "close", "x"], ["board", "FILE"],
    ["edit", "1"], ["edit", "1", "FILE"], ["edit", hostile], ["open", "FILE"], ["open", "--wait", "FILE"],
    ["move", "1", "DP-1"], ["refresh", "1"], ["scroll", "1", "next"], ["close", "1"], ["images"],
    ["images", "add", "FILE"], ["images", "remove", "x"], ["history"], ["history", "--csv"], ["virtual"],
    ["plug"], ["plug", "800x480"], ["plug", "--choice", "9"], ["unplug", "x"], ["identify"], ["sleep"], ["wake"],
    ["show", "a"], ["show", "--wait", "a"], ["show", "--priority", "5", "a"], ["show", "--clear"], ["ack", "5"],
    ["withdraw", "5"], ["tail", "--count", "1"], ["doctor"],
  ]

  /// Returns the characters of an output that a terminal acts on.
  private static func obeyed(_ text: String, keepsColors: Bool) -> [Unicode.Scalar] {
    var text = text
    if keepsColors {
      for ink in ["0", "1", "2", "31", "32", "33"] { text = text.replacing("\u{1b}[\(ink)m", with: "") }
    }
    return text.unicodeScalars.filter { scalar in
      scalar != "\n" && scalar != "\r" && SafeText.mayControlTerminal(scalar)
    }
  }

  private static func run(
    _ manner: HostileStub.Manner, columns: Int?, _ check: ([String], MemoryConsole, Int32) -> Void
  ) async throws {
    let stub = try await HostileStub([hostile], manner)
    try await withTemporaryDirectory { directory in
      try write(Array(#"{"kind": "banner", "text": "x"}"#.utf8), "\(directory)/file.json")
      try await stub.serve(at: "\(directory)/s") {
        for command in commands {
          let words = command.map { $0 == "FILE" ? "\(directory)/file.json" : $0 }
          for words in [words, words + ["--json"]] {
            let console = MemoryConsole(columns: columns, environment: ["TERM": "xterm"])
            check(words, console, await PlacardTool.run(["--socket", "\(directory)/s"] + words, console: console))
          }
        }
      }
    }
  }

  @Test(arguments: [HostileStub.Manner.reports, .problems])
  func `No command prints a character that a terminal acts on`(manner: HostileStub.Manner) async throws {
    var (heard, jsons) = (0, 0)
    try await Self.run(manner, columns: nil) { words, console, status in
      #expect(Self.obeyed(console.text, keepsColors: false).isEmpty, "\(words): \(console.text.debugDescription)")
      #expect(Self.obeyed(console.errors, keepsColors: false).isEmpty, "\(words): \(console.errors.debugDescription)")
      // A text at the start of a line could be mistaken for a text of placard.
      let isForged = ["\n" + console.text, "\n" + console.errors].contains { $0.contains("\n [31m") }
      #expect(!isForged || words.contains("--csv"), "\(words): \(console.text)\(console.errors)")
      if (console.text + console.errors).contains("pwned") { heard += 1 }
      guard status == 0, words.last == "--json", !console.text.isEmpty else { return }
      jsons += 1
      #expect((try? JSONValue(parsing: console.output)) != nil, "\(words): \(console.text)")
    }
    #expect(heard > (manner == .reports ? 40 : 70), "\(heard) outputs contained a text of the service")
    #expect(jsons > 20 || manner == .problems, "\(jsons) outputs were JSON")
  }

  @Test func `On a terminal with colors, the only control sequences are colors`() async throws {
    try await Self.run(.reports, columns: 60) { words, console, _ in
      #expect(Self.obeyed(console.text, keepsColors: true).isEmpty, "\(words): \(console.text.debugDescription)")
      #expect(Self.obeyed(console.errors, keepsColors: false).isEmpty, "\(words): \(console.errors.debugDescription)")
    }
  }

  @Test func `JSON escapes preserve each character`() throws {
    let text = "a\u{1b}\u{7f}\u{9b}\u{202e}\u{2028}é🎉\n"
    let json = try JSONText.line([text])
    #expect(json == #"["a\u001b\u007f\u009b\u202e\u2028é🎉\n"]"#)
    #expect(try JSONValue(parsing: json.utf8) == [.string(text)])
  }

  @Test(
    "Formulas in an unquoted CSV of the service are quoted for spreadsheets, and the fields are preserved",
    arguments: [
      ("a,=1,\"=1\",\"+\"\"\",b\r\n@x,-1\r\n", "a,'=1,\"'=1\",\"'+\"\"\",b\r\n'@x,'-1\r\n"),
      ("\"a\n=1\",\"a,=1\",1=1\r\n", "\"a\n=1\",\"a,=1\",1=1\r\n"), ("'=1,\"'=1\"\r\n", "'=1,\"'=1\"\r\n"),
      ("\t=1,\u{1b}[2J\r\n", "' =1, [2J\r\n"), ("\"\",\"\",=\r\n", "\"\",\"\",'=\r\n"),
      ("\"\r=1\"", "\"'\r=1\""), ("", ""),
    ])
  func spreadsheet(table: String, safe: String) {
    #expect(String(decoding: SafeCSV.table(Array(table.utf8)), as: UTF8.self) == safe)
  }
}
