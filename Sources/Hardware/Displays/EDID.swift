package import Geometry

/// The contents of an EDID: VESA E-EDID 1.0 to 1.4 with CTA-861, DisplayID and VTB extension blocks.
///
/// The parser accepts any bytes and never traps. It skips an extension block with a wrong checksum and adds a note. A
/// base block with a wrong checksum is parsed, noted and marked as degraded.
package struct EDID: Hashable, Sendable {
  /// The date of manufacture.
  package struct Made: Hashable, Sendable {
    /// The week as stored (1 to 54 by the standard, but other values occur); nil if none is given.
    package var week: Int?
    /// The year.
    package var year: Int
    /// True if the year is the model year, not the year of manufacture.
    package var isModelYear: Bool
  }

  /// The raw bytes.
  package let bytes: [UInt8]
  /// The version and revision, such as `1.4`.
  package internal(set) var version = ""
  /// The three-letter manufacturer ID.
  ///
  /// Codes outside A to Z map to the neighboring ASCII characters (`@LT`, `GL_`).
  package internal(set) var vendor = ""
  /// The manufacturer's product code.
  package internal(set) var product: UInt16 = 0
  /// The serial number; 0 if there is none.
  ///
  /// Many monitors share one, such as 16843009 (0x01010101).
  package internal(set) var serial: UInt32 = 0
  /// The monitor names as stored: usually one, sometimes with trailing spaces.
  package internal(set) var names: [String] = []
  /// The serial numbers in text form, as stored.
  package internal(set) var serialStrings: [String] = []
  /// The date of manufacture.
  package internal(set) var made = Made(week: nil, year: 1990, isModelYear: false)
  /// The size as stored, in centimeters; nil if there is none or only an aspect ratio.
  package internal(set) var centimeters: Size?
  /// The image size in millimeters; nil if no plausible size is stored.
  package internal(set) var millimeters: Size?
  /// True if the input is digital.
  package internal(set) var isDigital = false
  /// True if an HDMI vendor block is present: the sink accepts HDMI, not only DVI.
  package internal(set) var isHDMI = false
  /// The timings, in the order of the bytes, including duplicates.
  package internal(set) var timings: [EDIDTiming] = []
  /// The omissions and anomalies, as sentences.
  package internal(set) var notes: [String] = []
  /// True if the base block's checksum is wrong: bits may be corrupt, so identity and timings may be false.
  package internal(set) var isDegraded = false

  /// Parses an EDID.
  ///
  /// - Parameter bytes: The EDID, as read from the monitor.
  /// - Throws: `EDIDError` if the bytes contain no base block.
  package init(_ bytes: [UInt8]) throws(EDIDError) {
    guard let first = bytes.first else { throw .empty }
    if first == 0 || first == 0xff, bytes.allSatisfy({ $0 == first }) { throw .blank(first) }
    guard bytes.count >= 8, Array(bytes[..<8]) == [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0] else { throw .header }
    guard bytes.count.isMultiple(of: 128) else { throw .truncated(bytes: bytes.count) }
    self.bytes = bytes
    let blocks = stride(from: 0, to: bytes.count, by: 128).map { EDIDBlock(bytes[$0..<$0 + 128]) }
    readBase(blocks[0])
    readExtensions(blocks.dropFirst())
    resolveSize(blocks[0])
  }

  /// The first monitor name, which can be blank; nil if there is none.
  package var name: String? { names.first }

  /// The first serial number in text form; nil if there is none.
  package var serialString: String? { serialStrings.first }

  /// The first detailed timing of the base block, normally the preferred timing; nil if the block has none.
  package var firstDetailed: EDIDTiming? { timings.first { $0.source == .detailed } }

  /// Returns true if the bytes of a block add up to 0 (modulo 256).
  static func hasChecksum(_ block: EDIDBlock) -> Bool { block.bytes.reduce(0, &+) == 0 }

  private mutating func readExtensions(_ blocks: ArraySlice<EDIDBlock>) {
    let stated = Int(bytes[126])
    if stated != blocks.count {
      notes.append("byte 126 states \(stated) extension blocks, but \(blocks.count) are present")
    }
    for (index, block) in blocks.enumerated() {
      guard Self.hasChecksum(block) else {
        notes.append("extension block \(index + 1) has a wrong checksum and is ignored")
        continue
      }
      switch block[0] {
      case 0x02: readCTA(block)
      case 0x10: readVTB(block)
      case 0x70: readDisplayID(block)
      default: break
      }
    }
  }
}

/// A range of an EDID.
///
/// Reads outside the range return 0, so that no length field can cause an out-of-bounds access.
struct EDIDBlock: Hashable, Sendable {
  var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// The byte at this offset from the start of the block, or 0 outside it.
  subscript(offset: Int) -> UInt8 {
    offset >= 0 && offset < bytes.count ? bytes[bytes.startIndex + offset] : 0
  }

  /// Returns the 16-bit little-endian value at this offset.
  func word(_ offset: Int) -> Int { Int(self[offset]) | Int(self[offset + 1]) << 8 }

  /// Returns the part of this range that exists.
  func part(_ offset: Int, _ count: Int) -> EDIDBlock {
    let start = min(max(offset, 0), bytes.count)
    let end = min(start + max(count, 0), bytes.count)
    return EDIDBlock(bytes[bytes.startIndex + start..<bytes.startIndex + end])
  }
}
