/// What a display shows: the pixels that it received, in the format in which they came.
public struct Glass: Sendable, Hashable {
  /// How a pixel is written.
  public enum Format: Sendable, Hashable {
    /// Four bytes: blue, green, red, nothing.
    case xrgb8888
    /// Two bytes, little-endian: 5 bits of red, 6 of green, 5 of blue.
    case rgb565

    /// Bytes of a pixel.
    public var depth: Int { self == .xrgb8888 ? 4 : 2 }
  }

  /// A part of it, in pixels from the top left.
  struct Area: Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// How its pixels are written.
  public let format: Format
  /// The rows from the top, without gaps.
  public private(set) var bytes: [UInt8]

  /// A black one.
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

  /// Puts the rows of `pixels`, of which there are just enough, into an area that it contains.
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

  /// Red, green and blue of every pixel, a byte each; what RGB565 lacks in bits is filled with its highest ones.
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
