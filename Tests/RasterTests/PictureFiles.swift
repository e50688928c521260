import CPNG
import Geometry
import Pictures
import SeededRandom

/// Three image files, removed together with this value: opaque noise, smooth colors, and translucent noise.
struct PictureFiles {
  private let files: [TemporaryFile]
  /// The decoded contents of the files.
  let bitmaps: [Bitmap]

  /// Creates images from a generator.
  init(_ generator: inout SeededGenerator) throws {
    let sizes = (0..<3).map { _ in
      Size(.random(in: 1...60, using: &generator), .random(in: 1...60, using: &generator))
    }
    let noise = (0..<sizes[0].area).map { _ in UInt32.random(in: 0 ... .max, using: &generator) | 0xFF00_0000 }
    let smooth = (0..<sizes[1].area).map { spot in
      let (x, y) = (spot % sizes[1].width * 4, spot / sizes[1].width * 4)
      return 0xFF00_0000 | UInt32(x) << 16 | UInt32(y) << 8 | UInt32(255 - x)
    }
    let sheer = (0..<sizes[2].area).map { spot in
      UInt32.random(in: 0 ... .max, using: &generator) & (spot % 3 == 0 ? 0x00FF_FFFF : .max)
    }
    let contents = zip(sizes, [noise, smooth, sheer]).map(png)
    files = contents.map(TemporaryFile.init)
    bitmaps = try contents.map { try DecodedImage.decode($0).bitmap }
  }

  /// The paths of the files.
  var paths: [String] { files.map(\.path) }

  /// Returns the files' names in a cache.
  func load(on cache: ImageCache) throws -> [ImageID] { try files.map { try cache.load($0.path) } }
}

/// Returns a PNG file of pixels with alpha in the upper byte, then red, green and blue, not premultiplied.
private func png(_ size: Size, _ pixels: [UInt32]) -> [UInt8] {
  var image = unsafe png_image()
  unsafe image.version = placard_png_image_version
  unsafe image.width = UInt32(size.width)
  unsafe image.height = UInt32(size.height)
  unsafe image.format = placard_png_format_bgra
  var count = unsafe placard_png_size_max(image)
  let stored = pixels.map(\.littleEndian)
  return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
    let done = unsafe png_image_write_to_memory(&image, buffer.baseAddress, &count, 0, stored, 0, nil)
    written = done != 0 ? Int(count) : 0
  }
}
