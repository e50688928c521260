import Geometry

/// The transformation from an image's stored rows to the upright image.
///
/// Cameras store pixels in sensor orientation and record how the camera was held (EXIF 2.3, tag 0x0112).
struct Orientation: Hashable, Sendable {
  /// Whether rows and columns are swapped; flips are applied after that.
  private(set) var isTurned = false
  private(set) var isFlippedAcross = false
  private(set) var isFlippedDown = false

  /// Creates the identity.
  init() {}

  /// Creates an orientation from its EXIF value, 1...8; nil for other values.
  init?(exif number: Int) {
    guard (1...8).contains(number) else { return nil }
    isTurned = number >= 5
    isFlippedAcross = [2, 3, 6, 7].contains(number)
    isFlippedDown = [3, 4, 7, 8].contains(number)
  }

  /// Reads the orientation from an EXIF block; the identity if it is absent or invalid.
  init(exifBlock block: [UInt8]) {
    self = TIFFHeader(block.dropFirst(6))?.orientation.flatMap(Orientation.init(exif:)) ?? Orientation()
  }

  /// Converts between the stored size and the upright size.
  func turn(_ size: Size) -> Size { isTurned ? size.turned : size }

  /// Returns the index of a stored row's first pixel in the upright image, and the step to each following pixel.
  func row(_ y: Int, of stored: Size) -> (start: Int, step: Int) {
    let seen = turn(stored)
    func place(_ x: Int) -> Int {
      let (column, row) = isTurned ? (y, x) : (x, y)
      let across = isFlippedAcross ? seen.width - 1 - column : column
      return (isFlippedDown ? seen.height - 1 - row : row) * seen.width + across
    }
    return (place(0), place(1) - place(0))
  }
}

/// The first directory of a TIFF block, the format of EXIF.
private struct TIFFHeader {
  private let bytes: ArraySlice<UInt8>
  private let isLittle: Bool

  init?(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.first, first == 0x49 || first == 0x4D, bytes.starts(with: [first, first]) else {
      return nil
    }
    self.bytes = bytes
    isLittle = first == 0x49
    guard number(at: 2, of: 2) == 42 else { return nil }
  }

  /// The value of tag 0x0112, or nil if it is absent.
  var orientation: Int? {
    guard let directory = number(at: 4, of: 4), let count = number(at: directory, of: 2) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + index * 12
      guard let tag = number(at: entry, of: 2) else { return nil }
      if tag == 0x0112 { return number(at: entry + 2, of: 2) == 3 ? number(at: entry + 8, of: 2) : nil }
    }
    return nil
  }

  /// Reads an integer of 2 or 4 bytes; nil beyond the end.
  private func number(at place: Int, of count: Int) -> Int? {
    guard place >= 0, place <= bytes.count - count else { return nil }
    let part = bytes[(bytes.startIndex + place)..<(bytes.startIndex + place + count)]
    return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
  }
}
