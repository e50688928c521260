public import Geometry

/// What a monitor says of itself: VESA E-EDID 1.0 to 1.4 with CTA-861, DisplayID and VTB extension blocks.
///
/// Any bytes may come: the parser never traps, an extension block with a wrong checksum is left out and noted, and a
/// base block with a wrong checksum is read all the same, but noted and marked as degraded.
public struct EDID: Hashable, Sendable {
  /// When it was made, as far as it says.
  public struct Made: Hashable, Sendable {
    /// The week as written (1 to 54, but anything is found in the field); nil where none is given.
    public var week: Int?
    /// The year.
    public var year: Int
    /// The year is that of the model, not of this piece.
    public var isModelYear: Bool
  }

  /// All bytes, as they came.
  public let bytes: [UInt8]
  /// Version and revision, `1.4`.
  public internal(set) var version = ""
  /// The manufacturer's three letters; a code outside A to Z is shown as ASCII does (`@LT`, `GL_`).
  public internal(set) var vendor = ""
  /// The manufacturer's product code.
  public internal(set) var product: UInt16 = 0
  /// The serial number; 0 where there is none. Many monitors share one (16843009 is a favourite).
  public internal(set) var serial: UInt32 = 0
  /// The names that the monitor gives itself, as written: mostly one, with spaces behind it now and then.
  public internal(set) var names: [String] = []
  /// The serial numbers as text, as written.
  public internal(set) var serialStrings: [String] = []
  /// Week and year.
  public internal(set) var made = Made(week: nil, year: 1990, isModelYear: false)
  /// The size as written, in centimetres; nil where none is given (or only an aspect ratio).
  public internal(set) var centimetres: Size?
  /// The picture's size in millimetres, as far as it can be believed.
  public internal(set) var millimetres: Size?
  /// Whether the input is digital.
  public internal(set) var isDigital = false
  /// Whether an HDMI block is there: a sink that takes HDMI, not DVI.
  public internal(set) var isHDMI = false
  /// What it can show, in the order of the bytes, each as often as it is listed.
  public internal(set) var timings: [EDIDTiming] = []
  /// What was left out or looks wrong, a sentence each.
  public internal(set) var notes: [String] = []
  /// The base block's checksum is wrong: bits fell over, so identity and timings may be false.
  public internal(set) var isDegraded = false

  /// Reads an EDID; throws where not even a base block can be made out.
  public init(_ bytes: [UInt8]) throws(EDIDError) {
    guard let first = bytes.first else { throw .empty }
    if first == 0 || first == 0xff, bytes.allSatisfy({ $0 == first }) { throw .blank(first) }
    guard bytes.count >= 8, Array(bytes[..<8]) == [0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0] else { throw .header }
    guard bytes.count.isMultiple(of: 128) else { throw .truncated(bytes: bytes.count) }
    self.bytes = bytes
    let blocks = stride(from: 0, to: bytes.count, by: 128).map { EDIDBlock(bytes[$0..<$0 + 128]) }
    readBase(blocks[0])
    readExtensions(blocks.dropFirst())
    judgeSize(blocks[0])
  }

  /// The name, as the first descriptor of that kind has it (it may be blank); nil where there is none.
  public var name: String? { names.first }

  /// The serial number as text, as the first descriptor of that kind has it; nil where there is none.
  public var serialString: String? { serialStrings.first }

  /// The first detailed timing of the base block, which is what the monitor would like best; nil where the block's
  /// first descriptor is something else.
  public var firstDetailed: EDIDTiming? { timings.first { $0.source == .detailed } }

  /// Whether the bytes of a block add up to 0 (modulo 256).
  static func hasChecksum(_ block: EDIDBlock) -> Bool { block.bytes.reduce(0, &+) == 0 }

  private mutating func readExtensions(_ blocks: ArraySlice<EDIDBlock>) {
    let stated = Int(bytes[126])
    if stated != blocks.count {
      notes.append("byte 126 says \(stated) extension blocks, but \(blocks.count) are there")
    }
    for (index, block) in blocks.enumerated() {
      guard Self.hasChecksum(block) else {
        notes.append("extension block \(index + 1) has a wrong checksum and is left out")
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

/// Some bytes of an EDID; reading outside gives 0, so that no length in the bytes can lead astray.
struct EDIDBlock: Hashable, Sendable {
  var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// The byte at this offset from the start of the block, 0 outside of it.
  subscript(offset: Int) -> UInt8 {
    offset >= 0 && offset < bytes.count ? bytes[bytes.startIndex + offset] : 0
  }

  /// Two bytes, low byte first.
  func word(_ offset: Int) -> Int { Int(self[offset]) | Int(self[offset + 1]) << 8 }

  /// The part of this range that exists.
  func part(_ offset: Int, _ count: Int) -> EDIDBlock {
    let start = min(max(offset, 0), bytes.count)
    let end = min(start + max(count, 0), bytes.count)
    return EDIDBlock(bytes[bytes.startIndex + start..<bytes.startIndex + end])
  }
}
