import Geometry

extension EDID {
  /// Returns the timing of a two-byte standard timing code, or nil for an unused one.
  ///
  /// The height follows from the aspect ratio, whose first value means 1:1 before EDID 1.3. If a DMT timing has this
  /// code, its exact rate is used. For all others GTF or CVT defines the timing, with a rate near the nominal one.
  func standard(_ one: UInt8, _ two: UInt8) -> KnownTiming? {
    // The standard marks unused codes with 01 01; real EDIDs use 00 00, 20 20 and 01 with any second byte.
    if one <= 1 || (one == 0x20 && two == 0x20) { return nil }
    let width = (Int(one) + 31) * 8
    let hertz = Int(two & 0x3f) + 60
    let height: Int
    switch two >> 6 {
    case 0: height = bytes[18] > 1 || bytes[19] >= 3 ? width * 10 / 16 : width
    case 1: height = width * 3 / 4
    case 2: height = width * 4 / 5
    default: height = width * 9 / 16
    }
    return KnownTiming.dmtStandard[UInt16(one) << 8 | UInt16(two)] ?? KnownTiming(width, height, hertz * 1000)
  }

  /// Returns the timings of a three-byte CVT code (E-EDID A.2, 3.10.3.8): a height, an aspect ratio and up to five
  /// rates.
  func cvt(_ part: EDIDBlock, source: EDIDTiming.Source) -> [EDIDTiming] {
    guard part.count == 3, part[0] != 0 || part[1] != 0 else { return [] }
    let height = (Int(part[0]) | Int(part[1] & 0xf0) << 4) * 2 + 2
    let ratio: (Int, Int) = [(4, 3), (16, 9), (16, 10), (15, 9)][Int(part[1] >> 2 & 3)]
    let size = Size(height * ratio.0 / ratio.1 / 8 * 8, height)
    let rates = [(0x10, 50), (0x08, 60), (0x04, 75), (0x02, 85), (0x01, 60)]
    return rates.filter { Int(part[2]) & $0.0 != 0 }.map {
      EDIDTiming(size: size, refresh: $0.1 * 1000, source: source)
    }
  }

  /// Returns the timing of an 18-byte detailed timing descriptor (E-EDID A.2, 3.10.2), or nil if it is invalid.
  ///
  /// The rules are those of the kernel's `drm_mode_detailed()`: at least 64 pixels and lines, and a sync pulse. An
  /// interlaced descriptor counts the lines of one field, which is half a line longer than stated.
  func detailed(_ part: EDIDBlock, source: EDIDTiming.Source, isPreferred: Bool = false) -> EDIDTiming? {
    let width = Int(part[2]) | Int(part[4] >> 4) << 8
    let height = Int(part[5]) | Int(part[7] >> 4) << 8
    let across = width + (Int(part[3]) | Int(part[4] & 15) << 8)
    let down = height + (Int(part[6]) | Int(part[7] & 15) << 8)
    let syncAcross = Int(part[9]) | Int(part[11] & 0x30) << 4
    let syncDown = Int(part[10] & 15) | Int(part[11] & 3) << 4
    guard part.word(0) > 0, width >= 64, height >= 64, syncAcross > 0, syncDown > 0 else { return nil }
    let isInterlaced = part[17] & 0x80 != 0
    let halfLines = isInterlaced ? down * 2 + 1 : down * 2
    return EDIDTiming(
      size: Size(width, isInterlaced ? height * 2 : height),
      refresh: Self.refresh(hertz: part.word(0) * 10_000, pixels: across, halfLines: halfLines),
      isInterlaced: isInterlaced, isPreferred: isPreferred, source: source)
  }

  /// Returns the refresh rate in thousandths of a hertz, rounded.
  ///
  /// No factor may be 0.
  static func refresh(hertz: Int, pixels: Int, halfLines: Int) -> Int {
    let points = pixels * halfLines
    return (hertz * 2000 + points / 2) / max(points, 1)
  }

  /// Determines the image size from the base block.
  ///
  /// The detailed timing's millimeters are used if they agree with the centimeters to within 15 mm; otherwise the
  /// centimeters are used. Aspect ratios (160x90, 16x9, 16x10 in any unit) are not sizes.
  mutating func resolveSize(_ block: EDIDBlock) {
    let part = block.part(54, 18)
    let fine = Size(Int(part[12]) | Int(part[14] >> 4) << 8, Int(part[13]) | Int(part[14] & 15) << 8)
    let coarse = centimeters.map { Size($0.width * 10, $0.height * 10) }
    if let coarse, coarse.isAspectRatio { notes.append("the size \(coarse) mm is an aspect ratio, not a size") }
    let believed = coarse.flatMap { $0.isAspectRatio || $0.shortSide < 20 ? nil : $0 }
    let hasFine = part.word(0) != 0 && fine.shortSide >= 20 && !fine.isAspectRatio
    guard let believed else {
      millimeters = hasFine ? fine : nil
      return
    }
    let agrees = abs(fine.width - believed.width) <= 15 && abs(fine.height - believed.height) <= 15
    millimeters = hasFine && agrees ? fine : believed
  }
}

extension Size {
  /// True if a size in millimeters is really an aspect ratio.
  ///
  /// The list is that of plymouth's `ply-utils.c`.
  var isAspectRatio: Bool {
    [(160, 90), (160, 100), (16, 9), (16, 10), (1600, 900), (1600, 1000)].contains { $0 == width && $1 == height }
  }
}
