/// The frame of a monitor: 8 bits each of red, green and blue, row by row from the top left.
public struct CapturedFrame: Sendable, Equatable {
  /// A pixel.
  public struct Pixel: Sendable, Equatable, Hashable {
    /// The red component, 0...255.
    public var red: UInt8
    /// The green component, 0...255.
    public var green: UInt8
    /// The blue component, 0...255.
    public var blue: UInt8

    /// Creates a pixel from its components, each 0...255.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }
  }

  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The red, green and blue bytes of all pixels: 3 * width * height bytes.
  public let bytes: [UInt8]

  /// Returns the pixel at a position, or black for a position outside the frame.
  public func pixel(_ x: Int, _ y: Int) -> Pixel {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return Pixel(red: 0, green: 0, blue: 0) }
    let start = 3 * (y * width + x)
    return Pixel(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
  }

  /// Returns the number of pixels that differ from `color` by more than `tolerance` in at least one component.
  public func count(notEqualTo color: Pixel, tolerance: UInt8 = 0) -> Int {
    let limit = Int(tolerance)
    let (red, green, blue) = (Int(color.red), Int(color.green), Int(color.blue))
    var count = 0
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index &+ 2 < bytes.count {
        let differs =
          unsafe abs(Int(bytes[index]) &- red) > limit || abs(Int(bytes[index &+ 1]) &- green) > limit
          || abs(Int(bytes[index &+ 2]) &- blue) > limit
        if differs { count &+= 1 }
        index &+= 3
      }
    }
    return count
  }

  init(width: Int, height: Int, bytes: [UInt8]) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }

  /// Parses a binary portable pixmap (P6 with 8 bits, ppm(5)), as written by QEMU's screendump.
  ///
  /// Fails for any other format.
  ///
  /// - Parameter data: The bytes of the file.
  public init?(ppm data: [UInt8]) {
    var numbers: [Int] = []
    var position = 2
    guard data.starts(with: Array("P6".utf8)) else { return nil }
    while numbers.count < 3 {
      while position < data.count, [0x20, 0x0a, 0x0d, 0x09].contains(data[position]) { position += 1 }
      var digits = ""
      while position < data.count, (0x30...0x39).contains(data[position]) {
        digits.unicodeScalars.append(Unicode.Scalar(data[position]))
        position += 1
      }
      guard let number = Int(digits), (1...65535).contains(number) else { return nil }
      numbers.append(number)
    }
    // One white-space byte ends the header.
    position += 1
    guard numbers[2] == 255, data.count >= position + 3 * numbers[0] * numbers[1] else { return nil }
    width = numbers[0]
    height = numbers[1]
    bytes = Array(data[position..<position + 3 * width * height])
  }
}
