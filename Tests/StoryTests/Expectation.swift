import Geometry
import Lab
import Layout
import Raster
import Scenes
import Typesetting

/// The frame that a message must produce on a display of some size, painted here with the same fonts.
///
/// It is compared pixel by pixel with what QEMU's monitor shows.
struct Expectation: Sendable {
  let size: Size
  let background: Color
  private let bytes: [UInt8]

  /// Paints a banner as the daemon does.
  init(
    _ text: String, _ size: Size, scale: Int = 1, style: Style = Style(), format: PixelFormat = .xrgb8888
  ) throws {
    try self.init(Scene.banner(text), size, scale: scale, style: style, format: format)
  }

  /// Paints a scene as the daemon does at a time, in milliseconds since 1970.
  init(
    _ scene: Scene, _ size: Size, scale: Int = 1, style: Style = Style(), format: PixelFormat = .xrgb8888,
    at moment: Int64 = 0
  ) throws {
    let materials = try RenderResources()
    let canvas = Canvas(size: size, format: format)
    let view = scene.view(in: ViewContext(now: moment, style: style, zones: ZoneCache())).view
    _ = canvas.draw(
      try layOut(view, on: DisplayMetrics(pixels: size, scale: scale), with: materials), with: materials)
    self.size = size
    background = view.style.background
    bytes = try Shot(canvas).bytes
  }

  /// Returns whether the capture saw exactly this frame. RGB565 can be widened in several ways, so it needs a
  /// tolerance.
  func matches(_ picture: GuestFrame, tolerance: Int = 0) -> Bool {
    guard picture.width == size.width, picture.height == size.height else { return false }
    if tolerance == 0 { return picture.bytes == bytes }
    return zip(picture.bytes, bytes).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
  }

  /// The checksum that vkms reports for exactly this frame.
  var checksum: UInt32 { VKMSCard.checksum(ofPixels: bytes) }

  /// Returns the number of text pixels inside and outside the safe area.
  func ink(of picture: GuestFrame, safeArea: Double = 0.03) -> (inside: Int, outside: Int) {
    let left = Int((Double(size.width) * safeArea).rounded(.down))
    let top = Int((Double(size.height) * safeArea).rounded(.down))
    var counts = (inside: 0, outside: 0)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let pixel = picture.pixel(x, y)
        let isGround = pixel.red == background.red && pixel.green == background.green && pixel.blue == background.blue
        if isGround { continue }
        let isSafe = x >= left && x < size.width - left && y >= top && y < size.height - top
        if isSafe { counts.inside += 1 } else { counts.outside += 1 }
      }
    }
    return counts
  }
}
