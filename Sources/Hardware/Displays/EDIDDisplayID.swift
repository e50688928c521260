import Geometry

extension EDID {
  /// Parses a DisplayID section (1.x or 2.0) in an extension block.
  ///
  /// The section has a version, a length and two more bytes, followed by data blocks of tag, revision, length and
  /// payload.
  mutating func readDisplayID(_ block: EDIDBlock) {
    let section = block.part(5, min(Int(block[2]), 121))
    var offset = 0
    while offset + 3 <= section.count {
      let (tag, length) = (section[offset], Int(section[offset + 2]))
      // Sections are padded with zeros. In 1.x, tag 0 is a product identification, which is not parsed.
      if tag == 0 && length == 0 { return }
      guard offset + 3 + length <= section.count else {
        notes.append("a DisplayID data block exceeds its section and is ignored")
        return
      }
      readDisplayIDData(tag: tag, section.part(offset + 3, length))
      offset += 3 + length
    }
  }

  private mutating func readDisplayIDData(tag: UInt8, _ data: EDIDBlock) {
    switch tag {
    case 0x03: readDetailedDisplayID(data, clock: 10_000, source: .displayID)
    case 0x22: readDetailedDisplayID(data, clock: 1000, source: .displayID)
    case 0x07: readDMTBits(data)
    case 0x24: readFormula(data)
    case 0x81: readCTACollection(data)
    default: break
    }
  }

  /// Parses 20-byte timings.
  ///
  /// Type I counts the pixel clock in units of 10 kHz, type VII in kHz. All fields store their value minus one.
  mutating func readDetailedDisplayID(_ data: EDIDBlock, clock: Int, source: EDIDTiming.Source) {
    for offset in stride(from: 0, through: data.count - 20, by: 20) {
      let part = data.part(offset, 20)
      let hertz = (part.word(0) + Int(part[2]) << 16 + 1) * clock
      let size = Size(part.word(4) + 1, part.word(12) + 1)
      let (across, down) = (size.width + part.word(6) + 1, size.height + part.word(14) + 1)
      timings.append(
        EDIDTiming(
          size: size, refresh: Self.refresh(hertz: hertz, pixels: across, halfLines: down * 2),
          isInterlaced: part[3] & 0x10 != 0, isPreferred: part[3] & 0x80 != 0, source: source))
    }
  }

  /// Parses a bit map of the first 80 DMT timings, in ten bytes.
  private mutating func readDMTBits(_ data: EDIDBlock) {
    for index in 0..<min(data.count * 8, 80) where data[index / 8] & 1 << UInt8(index % 8) != 0 {
      if let timing = KnownTiming.dmt[index + 1] { timings.append(timing.timing(.displayID)) }
    }
  }

  /// Parses type IX timings: a size and a rate, from which CVT computes the timing.
  private mutating func readFormula(_ data: EDIDBlock) {
    for offset in stride(from: 0, through: data.count - 6, by: 6) {
      let part = data.part(offset, 6)
      let size = Size(part.word(1) + 1, part.word(3) + 1)
      timings.append(EDIDTiming(size: size, refresh: (Int(part[5]) + 1) * 1000, source: .displayID))
    }
  }
}
