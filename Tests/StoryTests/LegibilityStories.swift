import Control
import FoundationEssentials
import Geometry
import Lab
import Scenes
import Testing

/// The heights of letters in millimeters, measured in what the monitor shows.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"))
struct LegibilityStories {
  private static let lab = Result { try GuestFixture.boot() }

  /// The size of the image in millimeters, from the first detailed timing of an EDID (E-EDID 1.4, section 3.10.2).
  private func millimeters(_ edid: [UInt8]) throws -> (width: Double, height: Double) {
    try #require(edid.count >= 128)
    let (width, height) = (Int(edid[66]) | Int(edid[68] >> 4) << 8, Int(edid[67]) | Int(edid[68] & 15) << 8)
    return (Double(width), Double(height))
  }

  /// The rows of the first line of ink from the top. Letters H have the same ink in each row of their height.
  private func firstLine(_ picture: GuestFrame) -> Int {
    let ground = picture.pixel(0, 0)
    func hasInk(_ y: Int) -> Bool { (0..<picture.width).contains { picture.pixel($0, y) != ground } }
    let first = (0..<picture.height).first(where: hasInk) ?? 0
    let end = (first..<picture.height).first { !hasInk($0) } ?? picture.height
    return end - first
  }

  @Test(arguments: [Size(1920, 1080), Size(800, 480), Size(1080, 1920)], ["HHHH", "HHH HHHH HHHHH HHH HHHHH HHHH HH"])
  func `the reported height and distance are those of the letters on the monitor`(size: Size, text: String) throws {
    let lab = try Self.lab.get()
    for output in 0..<4 { try? lab.unplug(output) }
    let guest = try GuestFixture(lab: lab)
    try lab.plug(0, width: size.width, height: size.height)
    try guest.wait(for: .lit, of: "Virtual-1")
    let answer = try guest.placard("show", text, "--wait")
    let sighting = try guest.see(0, try Expectation(text, size))
    let panel = try millimeters(lab.get("/sys/class/drm/card0-Virtual-1/edid"))
    let pixel = min(panel.width / Double(size.width), panel.height / Double(size.height))
    let ruler = Double(firstLine(sighting.picture)) * pixel

    let numbers = answer.split(separator: " ").compactMap { Double($0) }
    try #require(answer.contains(" mm high, readable from ") && numbers.count >= 2, "\(answer)")
    let (height, distance) = (numbers[numbers.count - 2], numbers[numbers.count - 1])
    #expect(abs(height - ruler) <= pixel + 0.05, "\(height) mm reported, \(ruler) mm measured")
    #expect(abs(distance - ruler / 6) <= 0.1 + pixel / 6, "\(distance) m reported for \(ruler) mm")
    #expect(try guest.display("Virtual-1").legibility?.letterHeight == height)
    try guest.end()
  }
}
