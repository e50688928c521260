import Geometry
import Pictures

/// The number of colors that a terminal supports.
enum ColorDepth: String, Hashable, Sendable {
  /// 24-bit colors.
  case full
  /// xterm's 256 colors: the terminal's own 16, a cube with six levels per channel, and 24 grays.
  case indexed
  /// No colors, because the terminal has none or the user does not allow them.
  case none
}

/// Images as text: each cell shows two pixels, one above the other, as the upper half block in two colors.
enum HalfBlocks {
  /// Returns the rows of cells from the top, two pixel rows each; every row ends in the terminal's default colors.
  static func rows(_ picture: RGBImage, _ depth: ColorDepth) -> [[UInt8]] {
    stride(from: 0, to: picture.size.height, by: 2).map { y in
      depth == .none ? letters(picture, y) : blocks(picture, y, depth)
    }
  }

  /// Returns a row of half blocks, with a color sequence only where a color changes.
  private static func blocks(_ picture: RGBImage, _ y: Int, _ depth: ColorDepth) -> [UInt8] {
    var row: [UInt8] = []
    var (color, ground): (String?, String?) = (nil, nil)
    for x in 0..<picture.size.width {
      let upper = code(picture[x, y], depth)
      // With an odd height, the last row has no lower pixels: its background is the terminal's.
      let lower = y + 1 < picture.size.height ? code(picture[x, y + 1], depth) : nil
      if let lower, lower != ground {
        row += "\u{1b}[48;\(lower)m".utf8
        ground = lower
      }
      if upper == lower {
        row.append(UInt8(ascii: " "))
        continue
      }
      if upper != color {
        row += "\u{1b}[38;\(upper)m".utf8
        color = upper
      }
      row += "▀".utf8
    }
    return row + Array("\u{1b}[0m".utf8)
  }

  /// Returns a row of characters that are as bright as the image, for terminals without colors.
  private static func letters(_ picture: RGBImage, _ y: Int) -> [UInt8] {
    (0..<picture.size.width).map { x in
      let lower = y + 1 < picture.size.height ? picture[x, y + 1] : picture[x, y]
      let light = (brightness(picture[x, y]) + brightness(lower)) / 2
      return ramp[light * (ramp.count - 1) / 255]
    }
  }

  /// Returns the perceived brightness of a color, 0 to 255, from the channel weights of ITU-R BT.709.
  private static func brightness(_ color: Color) -> Int {
    (Int(color.red) * 54 + Int(color.green) * 183 + Int(color.blue) * 19) / 256
  }

  private static let ramp = Array(" .:-=+*#%@".utf8)

  private static func code(_ color: Color, _ depth: ColorDepth) -> String {
    depth == .full ? "2;\(color.red);\(color.green);\(color.blue)" : "5;\(index(of: color))"
  }

  /// Returns the index of the nearest of the 240 colors that are the same in every terminal.
  static func index(of color: Color) -> Int {
    let channels = [color.red, color.green, color.blue].map(Int.init)
    let steps = channels.map { channel in
      levels.indices.min { abs(levels[$0] - channel) < abs(levels[$1] - channel) } ?? 0
    }
    let cube = steps.map { levels[$0] }
    let gray = min(23, max(0, (channels.reduce(0, +) / 3 - 3) / 10))
    let isGray = distance(channels, [8 + 10 * gray, 8 + 10 * gray, 8 + 10 * gray]) < distance(channels, cube)
    return isGray ? 232 + gray : 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
  }

  private static let levels = [0, 95, 135, 175, 215, 255]

  private static func distance(_ one: [Int], _ other: [Int]) -> Int {
    zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }
}
