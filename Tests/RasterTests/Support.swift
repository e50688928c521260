import Geometry
import Layout
import Pictures
import Raster
import Scenes
import Typesetting

/// Debian's fonts-dejavu-core, by its path: the tests' letters are the same whatever fontconfig prefers.
let dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

func style(_ foreground: Color = .white, on background: Color = .nightBlue, font: String = dejaVu) -> Style {
  Style(foreground: foreground, background: background, font: font)
}

extension Canvas {
  /// What the canvas shows.
  func picture() throws -> Picture {
    try Picture(size: size, format: format, stride: stride, bytes: bytes())
  }

  func bytes() -> [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

extension Picture {
  /// Pixels that differ in any channel by more than a tolerance.
  func differences(from other: Picture, tolerance: Int = 0) -> [(x: Int, y: Int)] {
    pixels.indices.filter { abs(Int(pixels[$0]) - Int(other.pixels[$0])) > tolerance }
      .map { ($0 / 3 % size.width, $0 / 3 / size.width) }
  }
}

extension Rect {
  func holds(_ x: Int, _ y: Int) -> Bool { contains(Rect(x: x, y: y, width: 1, height: 1)) }
}
