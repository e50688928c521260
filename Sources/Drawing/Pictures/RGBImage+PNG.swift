import CPNG
import Geometry

// libpng's simplified API (`png_image`) returns errors by value, so no longjmp crosses Swift frames.

extension RGBImage {
  /// Decodes a PNG file of any kind; transparent parts are composited on black.
  ///
  /// - Parameter pngBytes: The content of the file.
  /// - Throws: `ImageError` if the file is invalid or has more than 2^27 pixels.
  package init(pngBytes: [UInt8]) throws(ImageError) {
    // libpng keeps the pointer between calls, so one closure lends the bytes to all of them.
    let result = unsafe pngBytes.withUnsafeBytes { bytes in
      Result { () throws(ImageError) in try unsafe RGBImage(lent: bytes) }
    }
    self = try result.get()
  }

  private init(lent bytes: UnsafeRawBufferPointer) throws(ImageError) {
    var image = unsafe png_image()
    unsafe image.version = placard_png_image_version
    defer { unsafe png_image_free(&image) }
    guard let start = bytes.baseAddress, unsafe png_image_begin_read_from_memory(&image, start, bytes.count) != 0 else {
      throw unsafe .png(words(of: image))
    }
    unsafe image.format = placard_png_format_rgb
    let size = unsafe Size(Int(image.width), Int(image.height))
    // Check before allocating memory: a header can claim any size.
    guard size.area <= RGBImage.mostPixels else { throw .size("a PNG of \(size) is larger than any display") }
    var pixels = [UInt8](repeating: 0, count: try byteCount(size, bytesPerPixel: 3))
    var black = png_color(red: 0, green: 0, blue: 0)
    guard unsafe png_image_finish_read(&image, &black, &pixels, 0, nil) != 0 else {
      throw unsafe .png(words(of: image))
    }
    try self.init(size: size, rgb: pixels)
  }

  /// Encodes the image as PNG, compressed for speed.
  ///
  /// - Throws: `ImageError` if the image has no pixels or libpng reports an error.
  /// - Returns: The content of a PNG file.
  package func png() throws(ImageError) -> [UInt8] {
    guard size.area > 0 else { throw .size("a PNG of \(size) has no pixels") }
    var image = unsafe png_image()
    unsafe image.version = placard_png_image_version
    unsafe image.width = UInt32(size.width)
    unsafe image.height = UInt32(size.height)
    unsafe image.format = placard_png_format_rgb
    unsafe image.flags = placard_png_flag_fast
    defer { unsafe png_image_free(&image) }
    // A buffer of the maximum size saves libpng's first pass, which only counts. Untouched pages cost nothing.
    var written = unsafe placard_png_size_max(image)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(written)) { buffer, count in
      let done = unsafe png_image_write_to_memory(&image, buffer.baseAddress, &written, 0, pixels, 0, nil)
      count = done != 0 ? Int(written) : 0
    }
    guard !bytes.isEmpty else { throw unsafe .png(words(of: image)) }
    return Array(bytes)
  }

  /// The pixel limit: 16384 x 8192, four times an 8K display.
  private static let mostPixels = 1 << 27
}
