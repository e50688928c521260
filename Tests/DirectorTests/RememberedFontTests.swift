import Configuration
import Foundation
import Geometry
import Testing
import VirtualDisplays

@testable import Director

/// Fonts that were installed while the service was off.
@Suite(.timeLimit(.minutes(10)))
struct RememberedFontTests {
  private static func pixels(fontMemory: String? = nil) async -> [UInt32]? {
    let harness = Harness(fontMemory: fontMemory)
    harness.card.plug(VirtualMonitor(size: Size(640, 480), name: "a"))
    await harness.start()
    await harness.drain()
    await harness.rest()
    await harness.drain()
    return harness.card.scanout("Virtual-1")?.pixels
  }

  @Test func `a display gets the new default font, even if the last start had another one`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (memory, old) = (folder + "/fonts", "/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf")
    try #require(FileManager.default.fileExists(atPath: old))
    try "placard fonts 2\n\t\(old)\t0\t\tDejaVu Serif".write(toFile: memory, atomically: true, encoding: .utf8)
    let expected = await Self.pixels()
    #expect(await Self.pixels(fontMemory: memory) == expected)
    #expect(try !String(contentsOfFile: memory, encoding: .utf8).contains("Serif"))
  }
}
