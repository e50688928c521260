import Configuration
import Control
import Geometry
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// What displays show that nothing was sent to.
struct FirstScreenTests {
  private func rig(_ settings: Settings = Settings(), into name: String? = nil) async throws -> Rig {
    let rig = Rig(settings, greeting: Scene(.start), host: "lobby-pi")
    await rig.start()
    try await rig.plug(640, 480, into: name)
    await rig.rest()
    return rig
  }

  @Test func `a display without a message shows the first screen, and everything names it so`() async throws {
    let rig = try await rig()
    let panel = try #require(await rig.director.panel(beside: "Virtual-1"))
    #expect(panel == ControllerPanel(host: "lobby-pi"))
    #expect(await rig.display("Virtual-1")?.message == "first screen")
    let entries = rig.keeper.steps.compactMap { step in if case .began(let entry) = step { entry } else { nil } }
    #expect(entries.map(\.what) == ["first screen"] && entries.map(\.kind) == ["start"])
    #expect(try await rig.director.message("Virtual-1").text == nil)
  }

  @Test func `the first screen has the address that other machines can reach, and never a loopback one`() async throws {
    let rig = try await rig()
    for address in [
      "http://127.0.0.1:8080/", "http://localhost:8080/", "http://LOCALHOST", "http://[::1]:8080/", "https://127.9.1.2",
      "http://page.localhost/", "http://[::ffff:127.0.0.1]:80/", "http://127.1:8080/", "http://[0:0:0:0:0:0:0:1]/",
      "http://[::ffff:7f00:1]/", "http://0.0.0.0:8080/", "http://[::]:8080/",
    ] {
      await rig.director.setAddress(address)
      #expect(await rig.director.panel(beside: "Virtual-1")?.address == nil, "\(address)")
      _ = try await rig.director.identify(IdentifyRequest())
      #expect(await rig.director.identity(on: "Virtual-1")?.address == nil, "\(address)")
      try await rig.director.withdraw(#require(await rig.director.messages().first).id)
    }
    for address in [
      "http://192.0.2.7:8080/", "http://[2001:db8::1]:8080/", "http://127.example", "https://sign.example",
    ] {
      await rig.director.setAddress(address)
      #expect(await rig.director.panel(beside: "Virtual-1")?.address == address)
    }
  }

  @Test func `a new address is on the first screen at once`() async throws {
    let rig = try await rig()
    let before = try #require(rig.card.glass("Virtual-1")?.pixels)
    await rig.director.setAddress("http://192.0.2.7:8080/")
    await rig.rest()
    #expect(rig.card.glass("Virtual-1")?.pixels != before)
  }

  @Test func `a message of the settings goes before the first screen`() async throws {
    let rig = try await rig(Settings(message: "Ours"))
    #expect(await rig.display("Virtual-1")?.message == "Ours")
  }

  @Test func `a built-in panel shows more than its ground, without a page as well`() async throws {
    let name = "eDP-1"
    let rig = try await rig(into: name)
    #expect(await rig.display(name)?.message == "controller screen")
    let ground = Color.nightBlue.xrgb8888
    let pixels = try #require(rig.card.glass(name)?.pixels)
    #expect(pixels.count { $0 != ground } > pixels.count / 50, "the command is drawn on \(name)")
    try await rig.plug(320, 240, into: "Virtual-1")
    await rig.rest()
    #expect(await rig.director.panel(beside: name)?.displays.map(\.name) == ["Virtual-1"])
    #expect(await rig.director.panel(beside: name)?.displays.first?.detail == "first screen")
    #expect(rig.card.glass(name)?.pixels != pixels, "the list of displays is drawn on \(name)")
  }
}
