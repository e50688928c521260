import Configuration
import Control
import Geometry
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// The first screen, which displays show until a client sends something.
struct FirstScreenTests {
  private func harness(_ settings: Settings = Settings(), into name: String? = nil) async throws -> Harness {
    let harness = Harness(settings, greeting: Scene(.start), host: "lobby-pi")
    await harness.start()
    try await harness.plug(640, 480, into: name)
    await harness.rest()
    return harness
  }

  @Test func `a display without a message shows the first screen, and the history names it`() async throws {
    let harness = try await harness()
    let panel = try #require(await harness.director.panel(beside: "Virtual-1"))
    #expect(panel == ControllerPanel(host: "lobby-pi"))
    #expect(await harness.display("Virtual-1")?.message == "first screen")
    let entries = harness.persistence.steps.compactMap { step in if case .began(let entry) = step { entry } else { nil }
    }
    #expect(entries.map(\.what) == ["first screen"] && entries.map(\.kind) == ["start"])
    #expect(try await harness.director.message("Virtual-1").text == nil)
  }

  @Test func `the first and identify screens show only an address that other machines can reach`() async throws {
    let harness = try await harness()
    for address in [
      "http://127.0.0.1:8080/", "http://localhost:8080/", "http://LOCALHOST", "http://[::1]:8080/", "https://127.9.1.2",
      "http://page.localhost/", "http://[::ffff:127.0.0.1]:80/", "http://127.1:8080/", "http://[0:0:0:0:0:0:0:1]/",
      "http://[::ffff:7f00:1]/", "http://0.0.0.0:8080/", "http://[::]:8080/",
    ] {
      await harness.director.setAddress(address)
      #expect(await harness.director.panel(beside: "Virtual-1")?.address == nil, "\(address)")
      _ = try await harness.director.identify(IdentifyRequest())
      #expect(await harness.director.identity(on: "Virtual-1")?.address == nil, "\(address)")
      try await harness.director.withdraw(#require(await harness.director.messages().first).id)
    }
    for address in [
      "http://192.0.2.7:8080/", "http://[2001:db8::1]:8080/", "http://127.example", "https://sign.example",
    ] {
      await harness.director.setAddress(address)
      #expect(await harness.director.panel(beside: "Virtual-1")?.address == address)
    }
  }

  @Test func `a new address changes the first screen immediately`() async throws {
    let harness = try await harness()
    let before = try #require(harness.card.scanout("Virtual-1")?.pixels)
    await harness.director.setAddress("http://192.0.2.7:8080/")
    await harness.rest()
    #expect(harness.card.scanout("Virtual-1")?.pixels != before)
  }

  @Test func `a message in the settings replaces the first screen`() async throws {
    let harness = try await harness(Settings(message: "Ours"))
    #expect(await harness.display("Virtual-1")?.message == "Ours")
  }

  @Test func `a built-in panel shows the controller screen without an address, and lists displays`() async throws {
    let name = "eDP-1"
    let harness = try await harness(into: name)
    #expect(await harness.display(name)?.message == "controller screen")
    let ground = Color.nightBlue.xrgb8888
    let pixels = try #require(harness.card.scanout(name)?.pixels)
    #expect(pixels.count { $0 != ground } > pixels.count / 50, "the command is painted on \(name)")
    try await harness.plug(320, 240, into: "Virtual-1")
    await harness.rest()
    #expect(await harness.director.panel(beside: name)?.displays.map(\.name) == ["Virtual-1"])
    #expect(await harness.director.panel(beside: name)?.displays.first?.detail == "first screen")
    #expect(harness.card.scanout(name)?.pixels != pixels, "the list of displays is painted on \(name)")
  }
}
