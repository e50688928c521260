import Control
import ControlClient
import FastPath
import NIOPosix
import Testing

@testable import CommandLineTool

/// Tests that the small program behaves like the full one, or leaves the command to it.
@Suite struct FastPathTests {
  static let plain: [[String]] = [
    ["show", "Hello"], ["show", "Welcome,", "Ada!"], ["show", "--wait", "a"], ["show", "a", "-w", "b"],
    ["show", "-d", "HDMI-A-1", "a"], ["show", "a", "--display", "Größe/1", "--wait"], ["show", ""], ["show", "", "b"],
    ["show", "Grüße,\nAda \u{1}\u{8}\u{c}\r\t\"\\/ \u{7f}\u{2028}😀"], ["show", "help"], ["show", "a=b", "c-d"],
    ["show", "--clear"], ["clear"], ["clear", "-d", "A"], ["show", "-d", "Größe/1 ~%", "--clear"], ["displays"],
    ["health"], ["sleep"], ["wake"],
    ["sleep", "HDMI-A-1"], ["wake", "Größe \"1\""],
  ]

  static let other: [[String]] = [
    [], ["show"], ["show", "-"], ["show", "--", "a"], ["show", "--clear", "a"], ["show", "a", "--json"],
    ["show", "-wd", "A", "b"],
    ["show", "--display=A", "b"], ["show", "--display", "-w", "b"], ["show", "b", "-d"], ["show", "-d", "", "b"],
    ["show", "-w", "-w", "b"], ["show", "-d", "A", "-d", "B", "c"], ["show", "--tag", "lobby", "a"],
    ["show", "--help"], ["--version"], ["displays", "a"], ["--clear", "show"], ["show", "--clear", "-w"],
    ["show", "--clear", "--clear"], ["clear", "--all"], ["clear", "a"],
    ["displays", "--json"], ["displays", "-d", "A"], ["health", "--json"], ["health", "--ack"], ["sleep", "A", "B"],
    ["wake", ""],
    ["sleep", "-w"], ["status"], ["shwo", "a"], ["-w", "show", "a"], ["help", "show"],
    ["show", "--url", "http://a", "b"], ["show", "a", "--timeout", "0.01"], ["show", "a", "--timeout", "1e3"],
    ["show", "a", "--timeout", "5."], ["show", "a", "--timeout", ".5"], ["show", "a", "--timeout", "99999999"],
  ]

  @Test(arguments: plain)
  func `Both programs send the same request for a plain command`(words: [String]) async throws {
    try await withTemporaryDirectory { directory in
      let reports = ["displays": "[]", "sleep": "[]", "wake": "[]", "health": FastReportTests.healthy]
      let stub = CannedService(Self.answer(reports[words[0]] ?? #"{"notShown":[],"shown":[],"warnings":[]}"#))
      try await stub.serve(at: "\(directory)/s") {
        let socket = ["--socket", "\(directory)/s"]
        for line in [socket + words, words + ["--timeout", "9.5"] + socket] {
          let command = try #require(FastCommand.parse(line))
          _ = await PlacardTool.run(line, console: MemoryConsole())
          #expect(stub.requests.last == String(decoding: command.request, as: UTF8.self))
        }
        #expect(stub.requests.count == 2)
      }
    }
  }

  @Test(arguments: other)
  func `Other commands, other spellings and mistakes are left to the full program`(words: [String]) {
    let command = FastCommand.parse(words)
    #expect(command == nil)
  }

  @Test(arguments: [
    (false, 200, #"{"id":7,"notShown":[],"shown":[],"text":"a \"b\\","warnings":[]}"#, true),
    (true, 200, #"{"notShown":[],"shown":[{"display":"A","flipTime":1,"milliseconds":0.25}],"warnings":[]}"#, true),
    (
      true, 200,
      #"{"notShown":[],"shown":[{"display":"A","flipTime":1,"milliseconds":12},"#
        + #"{"display":"B","flipTime":1,"milliseconds":1234.96}],"text":"a","warnings":[]}"#, true
    ),
    (
      true, 200,
      #"{"legibility":[{"display":"A","letterHeight":64.26,"readableDistance":10.75},"#
        + #"{"display":"B","distance":2.5,"letterHeight":4,"readableDistance":0.05}],"#
        + #""notShown":[],"shown":[{"display":"A","flipTime":1,"milliseconds":1}],"warnings":[]}"#, true
    ),
    (
      false, 200,
      #"{"legibility":[{"display":"A","letterHeight":3.04,"readableDistance":1e1}],"#
        + #""notShown":[],"shown":[],"warnings":[]}"#, true
    ),
    (
      false, 200, #"{"legibility":[{"display":"A","letterHeight":"3"}],"notShown":[],"shown":[],"warnings":[]}"#,
      false
    ),
    (true, 200, #"{"notShown":[],"shown":[],"warnings":[]}"#, false),
    (true, 200, #"{"notShown":["A: dark"],"shown":[],"warnings":[]}"#, false),
    (false, 200, #"{"notShown":[],"shown":[],"warnings":["A: text is cut"]}"#, false),
    (false, 200, #"{"notShown":[],"shown":[],"unseen":"no monitor is connected","warnings":[]}"#, false),
    (true, 200, #"{"notShown":[],"shown":[{"display":"\u001b","flipTime":1,"milliseconds":1}],"warnings":[]}"#, false),
    (true, 200, #"{"notShown":[],"shown":[{"display":"A","flipTime":1,"milliseconds":-1}],"warnings":[]}"#, false),
    (false, 404, #"{"detail":"There is no display A.","status":404,"title":"","type":""}"#, false),
    (false, 401, "{}", false), (false, 200, "", false), (false, 200, "[", false), (false, 200, #"{"shown":["#, false),
    (false, 200, #"{"notShown":[],"shown":[],"warnings":[]}}"#, false), (false, 200, #"{"text":"\"#, false),
  ])
  func `An answer is printed like in the full program, or left to it`(
    waits: Bool, status: Int, body: String, isPlain: Bool
  ) async throws {
    let answer = Self.answer(body, status: status)
    let command = try #require(FastCommand.parse(["show", "a"] + (waits ? ["--wait"] : [])))
    let output = FastReply(Array(answer.utf8)).output(of: command, now: 0)
    #expect((output != nil) == isPlain)
    guard let output else { return }
    try await withTemporaryDirectory { directory in
      try await CannedService(answer).serve(at: "\(directory)/s") {
        let console = MemoryConsole()
        let words = ["show", "a", "--socket", "\(directory)/s"] + (waits ? ["--wait"] : [])
        #expect(await PlacardTool.run(words, console: console) == 0)
        #expect(console.output == output.text && console.errors.isEmpty)
      }
    }
  }

  @Test func `Both programs report a missing answer with the same text`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      try await CannedService(nil).serve(at: path) {
        let console = MemoryConsole()
        let words = ["show", "a", "--socket", path, "--timeout", "0.1"]
        #expect(await PlacardTool.run(words, console: console) == 3)
        let service = try #require(FastPathTests.service(words, [:]))
        #expect(String(decoding: service.timeoutMessage, as: UTF8.self) == console.errors)
        let outcome = try await NIOThreadPool.singleton.runIfActive { FastExchange.run([65], service) {} }
        if case .late = outcome {} else { Issue.record("\(outcome)") }
        let run = await runProgram("\(builtPrograms)/placard", words)
        #expect(run.status == 3 && run.output.isEmpty)
      }
    }
  }

  @Test(arguments: [[:], ["PLACARD_SOCKET": "/a/s"], ["XDG_RUNTIME_DIR": "/run/user/7"], ["XDG_RUNTIME_DIR": "tmp"]])
  func `Both programs use the same socket path`(environment: [String: String]) throws {
    for (user, isServiceUser, isThere) in [(0, false, false), (7, false, false), (7, true, false), (7, false, true)] {
      let path = SocketPath.choose(
        environment: { environment[$0] }, user: UInt32(user), isServiceUser: { isServiceUser }, isThere: isThere)
      let service = try #require(
        Self.service(["show", "a"], environment, UInt32(user), isServiceUser: isServiceUser, isThere: isThere))
      #expect(service.socket == Array(path.utf8) && service.timeout == 5000)
    }
  }

  @Test func `A URL and values that need validation are left to the full program`() {
    #expect(Self.service(["show", "a"], ["PLACARD_URL": "http://a"]) == nil)
    let both = ["PLACARD_URL": "http://a", "PLACARD_SOCKET": "/s"]
    #expect(Self.service(["show", "a"], both)?.socket == Array("/s".utf8))
    #expect(Self.service(["show", "a"], ["PLACARD_TIMEOUT": "soon"]) == nil)
    #expect(Self.service(["show", "a"], ["PLACARD_TIMEOUT": "2.25"])?.timeout == 2250)
    #expect(Self.service(["show", "-w", "a"], ["PLACARD_TIMEOUT": ""])?.timeout == 65_000)
    #expect(Self.service(["wake"], [:])?.timeout == 65_000 && Self.service(["sleep"], [:])?.timeout == 5000)
    #expect(Self.service(["show", "a"], ["PLACARD_SOCKET": String(repeating: "a", count: 108)]) == nil)
  }

  @Test func `A text is shown once, regardless of which program reports the answer`() async throws {
    try await Running.run { (running: Running) async throws in
      let socket = ["--socket", "\(running.directory)/s", "--timeout", "600"]
      let plain = await runProgram("\(builtPrograms)/placard", ["show", "-w", "a"] + socket)
      #expect(plain.status == 0 && plain.output == "HDMI-A-1: shown after 12.3 ms\n")
      running.service.willShow(on: ["A", "B"], not: ["C: dark"])
      let partly = await runProgram("\(builtPrograms)/placard", ["show", "-w", "b"] + socket)
      #expect(partly.status == 1 && partly.output == "A: shown after 0.1 ms\nB: shown after 0.1 ms\n")
      running.service.willShow(on: ["A"], not: [], after: 0)
      let already = await runProgram("\(builtPrograms)/placard", ["show", "-w", "b"] + socket)
      #expect(already.status == 0 && already.output == "A: already shown\n")
      let refused = await runProgram("\(builtPrograms)/placard", ["show", "-d", "X", "c"] + socket)
      #expect(refused.status == 1 && refused.output.isEmpty)
      let listed = await runProgram("\(builtPrograms)/placard", ["displays"] + socket)
      #expect(listed.status == 0 && listed.output.hasPrefix("DISPLAY"))
      let slept = await runProgram("\(builtPrograms)/placard", ["sleep", "HDMI-A-1"] + socket)
      #expect(slept.status == 0 && slept.output.hasPrefix("DISPLAY") && running.service.sleeps.count == 1)
      let cleared = await runProgram("\(builtPrograms)/placard", ["show", "--clear", "-d", "DP-1"] + socket)
      #expect(cleared.status == 0 && cleared.output == "`placard show` has no message on DP-1\n")
      #expect(running.service.removed == ["DP-1"])
      #expect(running.service.messages.map(\.text) == ["a", "b", "b"])
    }
  }

  private static func service(
    _ words: [String], _ environment: [String: String], _ user: UInt32 = 7, isServiceUser: Bool = false,
    isThere: Bool = false
  ) -> FastService? {
    FastCommand.parse(words).flatMap { command in
      FastService.choose(
        for: command, environment: { environment[$0].map { Array($0.utf8) } }, user: user,
        isServiceUser: { isServiceUser }, isThere: { isThere })
    }
  }

  static func answer(_ body: String, status: Int = 200) -> String {
    let head = "HTTP/1.1 \(status) Whatever\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    return "\(head)connection: close\r\n\r\n\(body)"
  }
}
