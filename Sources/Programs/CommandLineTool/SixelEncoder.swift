import Geometry
import Pictures

/// Images as sixels (DEC's VT330/VT340 Programmer Reference Manual, chapter 14).
///
/// A sixel is a character for six pixels of one color, one above the other.
enum SixelEncoder {
  /// Returns the sequence that draws an image at the cursor, with at most `colors` colors.
  static func encode(_ picture: RGBImage, colors: Int = 256) -> [UInt8] {
    let palette = Palette(picture, limit: colors)
    // The pixels are square and undrawn pixels stay unchanged. The image's size follows.
    var bytes = Array("\u{1b}P0;1;0q\"1;1;\(picture.size.width);\(picture.size.height)".utf8)
    for (place, color) in palette.colors.enumerated() {
      let shares = [color.red, color.green, color.blue].map { "\((Int($0) * 100 + 127) / 255)" }
      bytes += "#\(place);2;\(shares.joined(separator: ";"))".utf8
    }
    for top in stride(from: 0, to: picture.size.height, by: 6) {
      if top > 0 { bytes.append(UInt8(ascii: "-")) }
      bytes += band(palette, picture.size, top)
    }
    return bytes + Array("\u{1b}\\".utf8)
  }

  /// Returns six rows of pixels, with one pass over the whole width for each of their colors.
  private static func band(_ palette: Palette, _ size: Size, _ top: Int) -> [UInt8] {
    var masks: [UInt8: [UInt8]] = [:]
    for y in top..<min(top + 6, size.height) {
      let bit = UInt8(1) << UInt8(y - top)
      for x in 0..<size.width {
        masks[palette.indices[y * size.width + x], default: [UInt8](repeating: 0, count: size.width)][x] |= bit
      }
    }
    var bytes: [UInt8] = []
    for (place, mask) in masks.sorted(by: { $0.key < $1.key }) {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "$")) }
      bytes += "#\(place)".utf8
      append(mask, to: &bytes)
    }
    return bytes
  }

  /// Appends sixels with a count for runs of more than three, and without empty ones at the end.
  private static func append(_ mask: [UInt8], to bytes: inout [UInt8]) {
    let end = mask.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    var at = 0
    while at < end {
      let letter = mask[at]
      let run = mask[at..<end].prefix { $0 == letter }.count
      bytes += run > 3 ? Array("!\(run)".utf8) : []
      bytes += [UInt8](repeating: letter + 0x3F, count: run > 3 ? 1 : run)
      at += run
    }
  }
}
