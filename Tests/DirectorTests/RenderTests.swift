import Calendars
import Configuration
import Control
import Director
import Displays
import Geometry
import JSON
import NIOCore
import NIOPosix
import Pictures
import Scenes
import Testing
import VirtualDisplays

/// Pictures of scenes that no display shows.
struct RenderTests {
  private func picture(_ harness: Harness, _ request: RenderRequest) async throws -> RGBImage {
    try RGBImage(pngBytes: try await harness.director.render(request))
  }

  @Test func `a picture equals the screenshot of a display of its size, and changes no display`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    let scene = Scene.banner("Gate 7").document
    let drawn = try await picture(harness, RenderRequest(scene: scene, width: 640, height: 480))
    #expect(await harness.director.sessions().allSatisfy { $0.id == nil })
    #expect(await harness.director.messages(after: nil, most: 1).items.isEmpty)
    _ = try await harness.director.open(OpenRequest(scene: scene, display: "Virtual-1", wait: true))
    let shown = try RGBImage(pngBytes: try await harness.director.screenshot("Virtual-1", ScreenshotRequest()))
    #expect(drawn == shown)
  }

  @Test func `a picture shows the scene of another time, in the style of a display`() async throws {
    var style = StyleChanges()
    style.background = Color(red: 200, green: 0, blue: 0)
    let harness = Harness(Settings(roles: [.external: DisplayRequests(style: style)]))
    await harness.start()
    try await harness.plug(640, 480)
    let scene = Scene(.countdown(Countdown(to: .epoch, then: Scene(.blank)))).document
    let plain = try await picture(harness, RenderRequest(scene: scene, width: 64, height: 64))
    #expect(Set(plain.pixels.prefix(3)) != [200, 0])
    let styled = try await picture(harness, RenderRequest(scene: scene, width: 64, height: 64, display: "Virtual-1"))
    #expect(Array(styled.pixels.prefix(3)) == [200, 0, 0])
  }

  @Test(arguments: [(63, 64), (64, 3841), (3840, 3840), (0, -1)])
  func `a picture of an impossible size is refused`(width: Int, height: Int) async throws {
    let harness = Harness()
    await harness.start()
    let request = RenderRequest(scene: ["kind": "blank"], width: width, height: height)
    let error = await #expect(throws: ControlError.self) { try await harness.director.render(request) }
    #expect(error?.kind == .invalid)
  }
}
