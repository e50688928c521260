import CPNG
import Geometry
import Glibc

/// A reader of one PNG file in memory, using libpng's simplified API (`png_image`), which returns errors by value.
@safe
struct PNGReader: ~Copyable {
  /// The libpng state, which must not move because libpng keeps its address.
  private let image: UnsafeMutablePointer<png_image>
  /// Whether the rows are stored in several passes.
  let isInterlaced: Bool

  /// Reads the header; the bytes are borrowed and must outlive the reader.
  init(lent bytes: UnsafeRawBufferPointer) throws(ImageError) {
    let image = UnsafeMutablePointer<png_image>.allocate(capacity: 1)
    unsafe image.initialize(to: png_image())
    unsafe image.pointee.version = placard_png_image_version
    guard let start = bytes.baseAddress, unsafe png_image_begin_read_from_memory(image, start, bytes.count) != 0 else {
      let error = unsafe ImageError.png(words(of: image.pointee))
      unsafe PNGReader.free(image)
      throw error
    }
    unsafe self.image = image
    // libpng requires IHDR to be the first chunk; its last byte is the interlace method.
    isInterlaced = unsafe bytes.count > 28 && bytes[28] != 0
  }

  deinit { unsafe PNGReader.free(image) }

  private static func free(_ image: UnsafeMutablePointer<png_image>) {
    unsafe png_image_free(image)
    unsafe image.deallocate()
  }

  /// The size of the image, in pixels.
  var size: Size { unsafe Size(Int(image.pointee.width), Int(image.pointee.height)) }

  /// Decodes the image, including its opacity.
  consuming func decoded() throws(ImageError) -> DecodedImage {
    let size = size
    let (hasAlpha, isDeep) = unsafe (
      image.pointee.format & placard_png_format_alpha != 0, image.pointee.format & placard_png_format_linear != 0
    )
    // Treat 16-bit channels without color space information as sRGB, as other programs do.
    unsafe image.pointee.flags |= placard_png_flag_16_bit_srgb
    if isDeep, isInterlaced, size.area * 12 > DecodedImage.mostBytes {
      throw .size("\(size), interlaced, 16 bits per channel, needs more than 128 MiB; save it without interlacing")
    }
    let pixels = isDeep && isInterlaced ? try lightPixels() : try plainPixels(hasAlpha: hasAlpha)
    let isOpaque = !hasAlpha || pixels.allSatisfy { $0 >= 0xFF00_0000 }
    return DecodedImage(
      bitmap: Bitmap(bounds: Rect(size), pixels: pixels, isOpaque: isOpaque), size: size, warning: nil)
  }

  private func plainPixels(hasAlpha: Bool) throws(ImageError) -> [UInt32] {
    var pixels: [UInt32] = try read(size.area, placard_png_format_bgra)
    if hasAlpha || UInt32(1).littleEndian != 1 {
      for index in pixels.indices { pixels[index] = Bitmap.pixel(straight: pixels[index].littleEndian) }
    }
    return pixels
  }

  /// Reads 16 bits of premultiplied light per channel and converts them.
  ///
  /// When libpng converts interlaced 16-bit images to 8 bits, it mixes up their rows. This is libpng issue 853, in
  /// 1.6.51 and later, and in older distribution packages.
  ///
  /// - Throws: `ImageError.png` if libpng reports an error.
  /// - Returns: The pixels, as in `Bitmap.pixels`.
  private func lightPixels() throws(ImageError) -> [UInt32] {
    let values: [UInt16] = try read(size.area * 4, placard_png_format_light)
    return stride(from: 0, to: values.count, by: 4).map { first in
      let opacity = Float(values[first + 3])
      func root(_ channel: Int) -> UInt32 {
        guard opacity > 0 else { return 0 }
        let light = min(1, Float(values[first + channel]) / opacity)
        // libpng approximates the sRGB curve with an exponent of 2.2.
        return UInt32((powf(light, 1 / 2.2) * 255 * (opacity / 65535).squareRoot()).rounded())
      }
      return UInt32((opacity / 257).rounded()) &<< 24 | root(0) &<< 16 | root(1) &<< 8 | root(2)
    }
  }

  private func read<Value: FixedWidthInteger>(_ count: Int, _ format: png_uint_32) throws(ImageError) -> [Value] {
    unsafe image.pointee.format = format
    var isRead = false
    let values = unsafe [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
      isRead = unsafe png_image_finish_read(image, nil, buffer.baseAddress, 0, nil) != 0
      initialized = isRead ? count : 0
    }
    guard isRead else { throw unsafe .png(words(of: image.pointee)) }
    return values
  }
}

/// Returns libpng's error message.
func words(of image: png_image) -> String {
  unsafe withUnsafeBytes(of: image.message) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
