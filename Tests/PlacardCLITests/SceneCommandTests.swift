import Control
import FakeServiceSupport
import Glibc
import JSON
import Testing

@testable import CommandLineTool

@Suite struct SceneCommandTests {
  private static let blank = JSONValue.object(["kind": .string("blank")])

  private static func card(_ title: String, _ fields: [String: JSONValue] = [:]) -> JSONValue {
    .object(fields.merging(["kind": .string("card"), "title": .string(title)]) { $1 })
  }

  @Test(
    "Options for messages add the content as a message alongside others",
    arguments: [
      (["--priority", "-50", "a"], .post(MessageRequest(text: "a", priority: -50, wait: false))),
      (
        ["--priority", "50", "--for", "1h30m", "--ack", "Fire", "drill"],
        .post(MessageRequest(text: "Fire drill", priority: 50, seconds: 5400, acknowledge: true, wait: false))
      ),
      (
        ["--priority", "-10", "By", "the", "way"],
        .post(MessageRequest(text: "By the way", priority: -10, wait: false))
      ),
      (["--role", "external", "a"], .post(MessageRequest(text: "a", role: .external, wait: false))),
      (["--tag", "lobby", "a"], .post(MessageRequest(text: "a", tag: "lobby", wait: false))),
      (
        ["--name", "fire", "-d", "DP-1", "a", "--wait"],
        .post(MessageRequest(text: "a", display: "DP-1", name: "fire", wait: true))
      ),
      (["--scene", "-", "--ack"], .post(MessageRequest(scene: blank, acknowledge: true, wait: false))),
    ] as [([String], ServiceCall)])
  func show(arguments: [String], expected: ServiceCall) async throws {
    try await Running.run { (running: Running) async throws in
      let (status, console) = await running.placard(["show"] + arguments, input: "{\"kind\":\"blank\"}")
      #expect(status == 0 && console.errors.isEmpty)
      #expect(running.service.calls == [expected] && running.service.messages.isEmpty)
      if case .post = expected { #expect(console.text.hasPrefix("message 5\n")) }
    }
  }

  @Test(arguments: [
    (["--card", "Lift"], MessageRequest(scene: card("Lift"), wait: false)),
    (["--scene", "-", "-d", "DP-1"], MessageRequest(scene: blank, display: "DP-1", wait: false)),
    (
      ["--card", "Lift", "--content", "c", "--footer", "f", "--accent", "#d03030", "--display", "DP-1"],
      MessageRequest(
        scene: card("Lift", ["content": .string("c"), "footer": .string("f"), "accent": .string("#d03030")]),
        display: "DP-1", wait: false)
    ),
    (
      ["--markdown", "-", "-d", "DP-1"],
      MessageRequest(
        scene: .object(["kind": .string("markdown"), "text": .string("{\"kind\":\"blank\"}")]), display: "DP-1",
        wait: false)
    ),
  ])
  func `A scene replaces the message for all displays or for its display`(
    arguments: [String], expected: MessageRequest
  ) async throws {
    try await Running.run { (running: Running) async throws in
      #expect(await running.placard(["show"] + arguments, input: "{\"kind\":\"blank\"}").status == 0)
      #expect(running.service.messages == [expected] && running.service.calls.isEmpty)
    }
  }

  @Test func `A message with --wait prints its time and its warnings`() async throws {
    try await Running.run { (running: Running) async throws in
      let waited = await running.placard(["show", "--card", "a", "-d", "DP-1", "--wait"])
      #expect(waited.status == 0 && waited.console.text == "HDMI-A-1: shown after 12.3 ms\n")
      running.service.willWarn(["DP-1: cut"])
      #expect(await running.placard(["show", "--card", "a", "-d", "DP-1"]).console.errors == "warning: DP-1: cut\n")
    }
  }

  @Test func `The extension of a file selects the kind of scene`() async throws {
    try await Running.run { (running: Running) async throws in
      for (name, scene) in [
        ("file.json", Self.blank), ("file.png", .object(["kind": .string("image"), "path": .null])),
        ("file.md", .object(["kind": .string("markdown"), "text": .string("{\"kind\":\"blank\"}")])),
      ] as [(String, JSONValue)] {
        let path = "\(running.directory)/\(name)"
        try write(Array("{\"kind\":\"blank\"}".utf8), path)
        let (status, console) = await running.placard(["open", path, "DP-1", "--tag", "t"])
        #expect(status == 0 && console.text == "session 3 on DP-1: card, A card\n")
        let shown = name == "file.png" ? "/p/9f86d081884c7d65.png" : path
        let expected = OpenRequest(
          scene: scene.with("path", shown).with("folder", running.directory), display: "DP-1", tag: "t", wait: false)
        #expect(running.service.calls.last == .open(expected))
      }
      #expect(running.service.calls.contains(.addImage(Array("{\"kind\":\"blank\"}".utf8), "file.png")))
      let unknown = await running.placard(["open", "\(running.directory)/file"])
      #expect(unknown.status == 1 && unknown.console.errors.contains(".json, .md, .png or .jpg"))
      let missing = await running.placard(["open", "\(running.directory)/no.png"])
      #expect(missing.status == 1 && missing.console.errors.contains("No such file"))
      let broken = await running.placard(["open", "-"], input: "{")
      #expect(broken.status == 1 && broken.console.errors.contains("Standard input is not JSON: "))
    }
  }

  @Test func `A card of a board is opened on its own display in the board's style`() async throws {
    try await Running.run { (running: Running) async throws in
      #expect(await running.placard(["open", "--card", "b", "--from", "HDMI-A-1", "DP-1"]).status == 0)
      let style = JSONValue.object(["accent": .string("#ff0000")])
      let card = Self.card("Second", ["id": .string("b"), "content": .string("2"), "style": style])
      #expect(running.service.calls == [.open(OpenRequest(scene: card, display: "DP-1", wait: false))])
      let other = await running.placard(["open", "--card", "c", "--from", "2"])
      #expect(other.status == 1)
      #expect(other.console.errors == "placard: there is no card c on 2; it has a, b\n")
    }
  }

  @Test func `Sessions are selected by ID or by display`() async throws {
    try await Running.run { (running: Running) async throws in
      for arguments in [
        ["move", "2", "DP-1"], ["move", "HDMI-A-1", "DP-1"], ["close", "7"], ["close", "HDMI-A-1"],
        ["refresh", "HDMI-A-1"], ["scroll", "HDMI-A-1", "next"], ["scroll", "2", "back"], ["scroll", "2", "top"],
        ["scroll", "2", "end"], ["scroll", "2", "40%"], ["scroll", "2", "0.25"], ["scroll", "2", "#first-steps"],
      ] {
        let (status, console) = await running.placard(arguments)
        #expect(status == 0 && console.errors.isEmpty)
      }
      #expect(
        running.service.calls == [
          .move(2, "DP-1"), .move(2, "DP-1"), .close(7), .close(2), .refresh(2), .scroll(2, .page(1)),
          .scroll(2, .page(-1)), .scroll(2, .position(0)), .scroll(2, .position(1)), .scroll(2, .position(0.4)),
          .scroll(2, .position(0.25)), .scroll(2, .heading("first-steps")),
        ])
      let role = await running.placard(["close", "DP-1"])
      #expect(role.status == 1 && role.console.errors.contains("DP-1 has no session; `placard open FILE DP-1`"))
      let unknown = await running.placard(["close", "X"])
      #expect(
        unknown.status == 1 && unknown.console.errors.contains("there is no display X; the displays are DP-1, HDMI-A-1")
      )
    }
  }

  @Test func `A followed file is shown again after another file is renamed over it`() async throws {
    try await Running.run { (running: Running) async throws in
      let path = "\(running.directory)/file.md"
      try write(Array("# 1".utf8), path)
      let name = try SceneFile.followedName(of: path)
      #expect(name.hasPrefix("file.md-") && Completions.isOffered(name))
      async let status = running.placard(["show", "--markdown", path, "--follow", "-d", "DP-1"])
      await running.service.readers.wait()
      await running.service.waitForMessage()
      try write(Array("# 2".utf8), "\(running.directory)/new")
      #expect(unsafe rename("\(running.directory)/new", path) == 0)
      await running.service.waitForMessage()
      running.service.readers.end()
      let (code, console) = await status
      #expect(code == 3 && console.errors.contains("The service has stopped"))
      let requests = ["# 1", "# 2"].map { text in
        let scene = JSONValue.object([
          "kind": .string("markdown"), "text": .string(text), "folder": .string(running.directory),
        ])
        return MessageRequest(scene: scene, display: "DP-1", wait: false)
      }
      // A child process of another test can have the new file open until execve(2), whose close counts as a save.
      let shown = running.service.messages.reduce(into: [MessageRequest]()) { if $0.last != $1 { $0.append($1) } }
      #expect(shown == requests)
    }
  }
}

extension JSONValue {
  /// Returns the object with another text in a field, if it has that field or is Markdown without it.
  fileprivate func with(_ field: String, _ text: String) -> JSONValue {
    guard case .object(var members) = self else { return self }
    guard members[field] != nil || field == "folder" && self["kind"]?.text == "markdown" else { return self }
    members[field] = .string(text)
    return .object(members)
  }
}
