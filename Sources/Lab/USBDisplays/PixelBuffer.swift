/// The framebuffer of an emulated display: the received pixels in their original format.
public struct PixelBuffer: Sendable, Hashable {
  /// The pixel format.
  public enum Format: Sendable, Hashable {
    /// Four bytes per pixel: blue, green, red, unused.
    case xrgb8888
    /// Two bytes per pixel, little-endian: 5 bits of red, 6 of green, 5 of blue.
    case rgb565

    /// The number of bytes per pixel.
    public var depth: Int { self == .xrgb8888 ? 4 : 2 }
  }

  /// A rectangle in pixels.
  ///
  /// The origin is the top left corner.
  struct Area: Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The pixel format.
  public let format: Format
  /// The pixel rows from top to bottom, without padding.
  public private(set) var bytes: [UInt8]

  /// Creates a black framebuffer.
  init(width: Int, height: Int, format: Format) {
    self.width = width
    self.height = height
    self.format = format
    bytes = [UInt8](repeating: 0, count: width * height * format.depth)
  }

  func contains(_ area: Area) -> Bool {
    area.width > 0 && area.height > 0 && area.x >= 0 && area.y >= 0 && area.width <= width && area.height <= height
      && area.x <= width - area.width && area.y <= height - area.height
  }

  /// Copies pixel rows into an area.
  ///
  /// The area must lie inside the framebuffer, and `pixels` must match its size exactly.
  mutating func write(_ pixels: ArraySlice<UInt8>, to area: Area) {
    let (depth, width) = (format.depth, width)
    let count = area.width * depth
    precondition(contains(area) && pixels.count == count * area.height)
    unsafe bytes.withUnsafeMutableBytes { target in
      unsafe pixels.withUnsafeBytes { source in
        for row in 0..<area.height {
          let place = ((area.y + row) * width + area.x) * depth
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[place..<place + count])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[row * count..<(row + 1) * count]))
        }
      }
    }
  }

  /// The pixels as 8-bit red, green and blue.
  ///
  /// RGB565 components are widened by repeating their most significant bits.
  public var rgb: [UInt8] {
    let count = width * height
    return unsafe [UInt8](unsafeUninitializedCapacity: count * 3) { target, filled in
      unsafe bytes.withUnsafeBufferPointer { source in
        switch format {
        case .xrgb8888:
          for pixel in 0..<count {
            unsafe target[pixel &* 3] = source[pixel &* 4 &+ 2]
            unsafe target[pixel &* 3 &+ 1] = source[pixel &* 4 &+ 1]
            unsafe target[pixel &* 3 &+ 2] = source[pixel &* 4]
          }
        case .rgb565:
          for pixel in 0..<count {
            let value = unsafe UInt16(source[pixel &* 2]) | UInt16(source[pixel &* 2 &+ 1]) << 8
            let (red, green, blue) = (value >> 11, value >> 5 & 0x3F, value & 0x1F)
            unsafe target[pixel &* 3] = UInt8(truncatingIfNeeded: red << 3 | red >> 2)
            unsafe target[pixel &* 3 &+ 1] = UInt8(truncatingIfNeeded: green << 2 | green >> 4)
            unsafe target[pixel &* 3 &+ 2] = UInt8(truncatingIfNeeded: blue << 3 | blue >> 2)
          }
        }
      }
      filled = count * 3
    }
  }
}
