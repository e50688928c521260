import Geometry
import Layout
import Pictures
import Raster
import Scenes
import Typesetting

/// The path of Debian's fonts-dejavu-core, so that the tests do not depend on fontconfig's choice.
let dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

func style(_ foreground: Color = .white, on background: Color = .nightBlue, font: String = dejaVu) -> Style {
  Style(foreground: foreground, background: background, font: font)
}

extension Canvas {
  /// Returns the canvas's current image.
  func picture() throws -> RGBImage {
    try RGBImage(size: size, format: format, stride: stride, bytes: bytes())
  }

  func bytes() -> [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

extension RGBImage {
  /// Returns the pixels that differ in any channel by more than a tolerance.
  func differences(from other: RGBImage, tolerance: Int = 0) -> [(x: Int, y: Int)] {
    pixels.indices.filter { abs(Int(pixels[$0]) - Int(other.pixels[$0])) > tolerance }
      .map { ($0 / 3 % size.width, $0 / 3 / size.width) }
  }
}

extension Rect {
  func holds(_ x: Int, _ y: Int) -> Bool { contains(Rect(x: x, y: y, width: 1, height: 1)) }
}
