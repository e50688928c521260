import Geometry

/// How a picture's stored rows lie in the picture that is seen: cameras store what they see as they are held, and note
/// it (EXIF 2.3, tag 0x0112).
struct Orientation: Hashable, Sendable {
  /// Columns become rows; what is flipped is flipped after that.
  private(set) var isTurned = false
  private(set) var isFlippedAcross = false
  private(set) var isFlippedDown = false

  /// As it is stored.
  init() {}

  /// EXIF's number, 1...8.
  init?(exif number: Int) {
    guard (1...8).contains(number) else { return nil }
    isTurned = number >= 5
    isFlippedAcross = [2, 3, 6, 7].contains(number)
    isFlippedDown = [3, 4, 7, 8].contains(number)
  }

  /// What an EXIF block says; as it is stored, where it says nothing, or nothing that is known.
  init(exifBlock block: [UInt8]) {
    self = TIFFHeader(block.dropFirst(6))?.orientation.flatMap(Orientation.init(exif:)) ?? Orientation()
  }

  /// The size that is seen of a stored one, and the other way round.
  func turn(_ size: Size) -> Size { isTurned ? size.turned : size }

  /// Where the first pixel of a stored row is among the pixels that are seen, and how far each is from the one before.
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

/// The first directory of a TIFF block, which is what EXIF is.
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

  /// The number of tag 0x0112, where there is one.
  var orientation: Int? {
    guard let directory = number(at: 4, of: 4), let count = number(at: directory, of: 2) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + index * 12
      guard let tag = number(at: entry, of: 2) else { return nil }
      if tag == 0x0112 { return number(at: entry + 2, of: 2) == 3 ? number(at: entry + 8, of: 2) : nil }
    }
    return nil
  }

  /// A number of 2 or 4 bytes; nil beyond the end.
  private func number(at place: Int, of count: Int) -> Int? {
    guard place >= 0, place <= bytes.count - count else { return nil }
    let part = bytes[(bytes.startIndex + place)..<(bytes.startIndex + place + count)]
    return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
  }
}
