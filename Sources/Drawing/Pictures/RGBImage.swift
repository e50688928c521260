package import Geometry

/// An image in memory: 8 bits each of red, green, and blue, in rows from the top without padding.
package struct RGBImage: Hashable, Sendable {
  /// The size, in pixels.
  package let size: Size
  /// The red, green, and blue bytes of each pixel, `3 * width * height` in total.
  package let pixels: [UInt8]

  /// Creates an image from its bytes.
  ///
  /// - Parameters:
  ///   - size: The size, in pixels.
  ///   - pixels: The red, green, and blue bytes of each pixel, from the top.
  /// - Throws: `ImageError.size` if the number of bytes does not match the size.
  package init(size: Size, rgb pixels: [UInt8]) throws(ImageError) {
    let needed = try byteCount(size, bytesPerPixel: 3)
    guard pixels.count == needed else {
      throw .size("\(size) needs \(needed) bytes of RGB, but there are \(pixels.count)")
    }
    self.size = size
    self.pixels = pixels
  }

  /// Copies the content of a framebuffer.
  ///
  /// - Parameters:
  ///   - size: The size, in pixels.
  ///   - format: The pixel format.
  ///   - stride: The number of bytes from one row to the next.
  ///   - bytes: The memory of the framebuffer, which stays owned by the caller.
  /// - Throws: `ImageError.size` if the bytes are fewer than the size needs.
  package init(
    size: Size, format: PixelFormat, stride: Int, copying bytes: UnsafeRawBufferPointer
  ) throws(ImageError) {
    let row = try byteCount(Size(size.width, 1), bytesPerPixel: format.bytesPerPixel)
    let before = try byteCount(Size(stride, max(0, size.height - 1)), bytesPerPixel: 1)
    guard stride >= row, size.height >= 0, size.height == 0 || bytes.count >= before + row else {
      throw .size("\(size) with a stride of \(stride) bytes does not fit into \(bytes.count) bytes")
    }
    self.size = size
    pixels = unsafe rgb(size, format, stride, bytes)
  }

  /// Converts the pixels of a framebuffer in an array, as a screenshot provides them.
  ///
  /// - Parameters:
  ///   - size: The size, in pixels.
  ///   - format: The pixel format.
  ///   - stride: The number of bytes from one row to the next.
  ///   - bytes: The pixels.
  /// - Throws: `ImageError.size` if the bytes are fewer than the size needs.
  package init(size: Size, format: PixelFormat, stride: Int, bytes: [UInt8]) throws(ImageError) {
    let result = unsafe bytes.withUnsafeBytes { buffer in
      Result { () throws(ImageError) in
        try unsafe RGBImage(size: size, format: format, stride: stride, copying: buffer)
      }
    }
    self = try result.get()
  }

  /// Returns the image rotated clockwise.
  package func turned(_ rotation: Rotation) throws(ImageError) -> RGBImage {
    guard rotation != .none else { return self }
    let turnedSize = rotation.turn(size)
    var turned = [UInt8](repeating: 0, count: pixels.count)
    for y in 0..<size.height {
      let start = rotation.turn(Rect(x: 0, y: y, width: 1, height: 1), in: size)
      let next = rotation.turn(Rect(x: 1, y: y, width: 1, height: 1), in: size)
      let (first, step) = (
        start.y * turnedSize.width + start.x, (next.y - start.y) * turnedSize.width + next.x - start.x
      )
      for x in 0..<size.width {
        let (from, to) = ((y &* size.width &+ x) &* 3, (first &+ x &* step) &* 3)
        for channel in 0..<3 { turned[to &+ channel] = pixels[from &+ channel] }
      }
    }
    return try RGBImage(size: turnedSize, rgb: turned)
  }

  /// The color of a pixel; black outside the image.
  package subscript(x: Int, y: Int) -> Color {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return .black }
    let at = (y * size.width + x) * 3
    return Color(red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2])
  }
}

/// Returns the number of bytes of an image, or throws for a size out of range.
func byteCount(_ size: Size, bytesPerPixel: Int) throws(ImageError) -> Int {
  guard size.width >= 0, size.height >= 0, size.width <= 1 << 20, size.height <= 1 << 20 else {
    throw .size("an image of \(size) is too large (at most 1048576 in each direction)")
  }
  return size.width * size.height * bytesPerPixel
}

private func rgb(_ size: Size, _ format: PixelFormat, _ stride: Int, _ bytes: UnsafeRawBufferPointer) -> [UInt8] {
  unsafe [UInt8](unsafeUninitializedCapacity: size.area * 3) { target, count in
    guard var out = target.baseAddress, let source = bytes.baseAddress else { return }
    for y in 0..<size.height {
      let row = unsafe source + y &* stride
      switch format {
      case .xrgb8888: unsafe convertXRGB8888(row, size.width, out)
      case .rgb565: unsafe convertRGB565(row, size.width, out)
      }
      unsafe out += size.width &* 3
    }
    count = size.area * 3
  }
}

private func convertXRGB8888(_ row: UnsafeRawPointer, _ width: Int, _ out: UnsafeMutablePointer<UInt8>) {
  for x in 0..<width {
    let pixel = unsafe UInt32(littleEndian: row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self))
    unsafe out[x &* 3] = UInt8(truncatingIfNeeded: pixel &>> 16)
    unsafe out[x &* 3 &+ 1] = UInt8(truncatingIfNeeded: pixel &>> 8)
    unsafe out[x &* 3 &+ 2] = UInt8(truncatingIfNeeded: pixel)
  }
}

/// Expands 5 and 6 bits to 8 by repeating the upper ones, so that white stays white.
private func convertRGB565(_ row: UnsafeRawPointer, _ width: Int, _ out: UnsafeMutablePointer<UInt8>) {
  for x in 0..<width {
    let pixel = unsafe UInt16(littleEndian: row.loadUnaligned(fromByteOffset: x &* 2, as: UInt16.self))
    let (red, green, blue) = (pixel &>> 11, pixel &>> 5 & 0x3F, pixel & 0x1F)
    unsafe out[x &* 3] = UInt8(truncatingIfNeeded: red &<< 3 | red &>> 2)
    unsafe out[x &* 3 &+ 1] = UInt8(truncatingIfNeeded: green &<< 2 | green &>> 4)
    unsafe out[x &* 3 &+ 2] = UInt8(truncatingIfNeeded: blue &<< 3 | blue &>> 2)
  }
}
