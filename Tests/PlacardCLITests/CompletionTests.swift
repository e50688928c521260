import ArgumentParser
import Control
import ControlClient
import Glibc
import Testing

@testable import CommandLineTool

@Suite struct CompletionTests {
  /// Returns the completions for the word after these.
  private static func offers(
    _ running: Running, _ command: [String], _ argument: String, words: [String] = []
  ) async -> [Substring] {
    let console = MemoryConsole()
    let line = ["placard", "--socket", "\(running.directory)/s"] + command + words + [""]
    let arguments = ["---completion"] + command + ["--", argument, "\(line.count - 1)", "0"] + line
    // The machine is busy with other tests, so the limit only ends a hung run.
    let status = await Completions.$patience.withValue(600_000) { await PlacardTool.run(arguments, console: console) }
    #expect(status == 0, "\(console.errors)")
    // The parser keeps the shell of the last script in a global variable, and adds a blank word for zsh.
    return console.text.split(separator: "\n").filter { $0 != " " }
  }

  @Test func `Names from the service are offered as completions`() async throws {
    try await Running.run { (running: Running) async throws in
      #expect(await Self.offers(running, ["why"], "positional@0") == ["HDMI-A-1", "DP-1"])
      #expect(await Self.offers(running, ["show"], "--display") == ["HDMI-A-1", "DP-1"])
      #expect(await Self.offers(running, ["close"], "positional@0") == ["2", "HDMI-A-1", "DP-1", "1"])
      #expect(await Self.offers(running, ["ack"], "positional@0") == ["5"])
      #expect(await Self.offers(running, ["board", "open"], "positional@0") == ["a", "b"])
      #expect(
        await Self.offers(running, ["images", "get"], "positional@0") == ["9f86d081884c7d65.png", "poster.png"])
      #expect(
        await Self.offers(running, ["mode"], "positional@1", words: ["HDMI-A-1"])
          == ["legible", "native", "halve-above-1080p", "1920x1080@60", "1280x720@60"])
    }
  }

  @Test func `Without a service, nothing is offered or printed`() async {
    let console = MemoryConsole()
    let line = ["placard", "--socket=/tmp/there/is/none", "why", ""]
    #expect(
      await PlacardTool.run(["---completion", "why", "--", "positional@0", "3", "0"] + line, console: console) == 0)
    #expect(console.text.allSatisfy(\.isWhitespace) && console.errors.isEmpty, "\(console.text)")
  }

  @Test func `A hanging service does not block completion`() async {
    let (never, _) = AsyncStream.makeStream(of: Void.self)
    let names = await Completions.within(milliseconds: 1) {
      for await _ in never {}
      return ["late"]
    }
    #expect(names.isEmpty)
  }

  @Test func `The command line selects the service that completion queries`() {
    #expect(
      Completions.serviceOptions(in: ["placard", "--url", "'http://a:1'", "--token-file=\"/t\"", "why", "x"])
        == ["--url", "http://a:1", "--token-file=/t"])
    #expect(Completions.serviceOptions(in: ["placard", "--socket"]).isEmpty)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `A completion script exists for each shell`(shell: String) async {
    let console = MemoryConsole()
    #expect(await PlacardTool.run(["--generate-completion-script", shell], console: console) == 0)
    #expect(console.text.contains("---completion") && console.text.contains("identify"))
  }
}

@Suite struct ServiceOptionsTests {
  @Test(
    "Options select the service, otherwise the environment does",
    arguments: [
      (["--socket", "/a"], ["PLACARD_URL": "http://b:1"], "/a"), (["--url", "http://c:2"], [:], "http://c:2"),
      ([], ["PLACARD_URL": "http://b:1"], "http://b:1"),
      (["--url", "http://c"], ["PLACARD_SOCKET": "/d"], "http://c:80"),
    ] as [([String], [String: String], String)])
  func address(options: [String], environment: [String: String], expected: String) throws {
    let client = try ServiceOptions.parse(options).client(environment: { environment[$0] }, warn: { _ in })
    #expect("\(client.address)" == expected)
  }

  @Test func `A token is one line of a file`() async throws {
    try await withTemporaryDirectory { directory in
      let file = "\(directory)/file"
      let options = try ServiceOptions.parse(["--url", "http://a", "--token-file", file])
      try write(Array("secret\n".utf8), file)
      _ = try options.client(environment: { _ in nil }, warn: { _ in })
      for bad in ["", "\n", "two words"] {
        try write(Array(bad.utf8), file)
        #expect(throws: Failure.self) { try options.client(environment: { _ in nil }, warn: { _ in }) }
      }
    }
  }

  @Test(
    arguments: [(0o600, nil), (0o640, "0640"), (0o644, "0644"), (0o604, "0604"), (0o400, nil)] as [(UInt32, String?)])
  func `A token that others can read causes a warning with the command that protects it`(
    mode: UInt32, words: String?
  ) async throws {
    try await withTemporaryDirectory { directory in
      let file = "\(directory)/file"
      try write(Array("secret\n".utf8), file)
      #expect(unsafe chmod(file, mode) == 0)
      var warnings: [String] = []
      let options = try ServiceOptions.parse(["--url", "http://a", "--token-file", file])
      _ = try options.client(environment: { _ in nil }, warn: { warnings.append($0) })
      let expected = words.map { mode in
        "warning: \(file) has mode \(mode), so other users can read the token: chmod 600 \(file)"
      }
      #expect(warnings == [expected].compactMap(\.self))
    }
  }
}
