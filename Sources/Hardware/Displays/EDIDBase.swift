import Geometry

extension EDID {
  /// Parses the base block (E-EDID A.2, section 3): identity, timings and four 18-byte descriptors.
  mutating func readBase(_ block: EDIDBlock) {
    if !Self.hasChecksum(block) {
      isDegraded = true
      notes.append("the base block has a wrong checksum: identity and timings may be wrong")
    }
    readIdentity(block)
    for timing in Self.established(block) { timings.append(timing.timing(.established)) }
    for offset in stride(from: 38, to: 54, by: 2) {
      if let timing = standard(block[offset], block[offset + 1]) { timings.append(timing.timing(.standard)) }
    }
    for index in 0..<4 { readDescriptor(block.part(54 + 18 * index, 18), in: block, isFirst: index == 0) }
  }

  private mutating func readIdentity(_ block: EDIDBlock) {
    version = "\(block[18]).\(block[19])"
    let letters = Int(block[8]) << 8 | Int(block[9])
    let codes = [letters >> 10, letters >> 5, letters].map { UInt8($0 & 31) + 64 }
    vendor = String(decoding: codes, as: UTF8.self)
    product = UInt16(block.word(10))
    serial = UInt32(block.word(12)) | UInt32(block.word(14)) << 16
    isDigital = block[20] & 0x80 != 0
    let week = Int(block[16])
    // 0xff means a model year since EDID 1.4, but monitors with earlier versions use it as well.
    made = Made(week: week % 255 == 0 ? nil : week, year: 1990 + Int(block[17]), isModelYear: week == 255)
    // If one of the two is 0, the other one is an aspect ratio (EDID 1.4) or undefined.
    let size = Size(Int(block[21]), Int(block[22]))
    centimeters = size.area > 0 ? size : nil
  }

  func isVersion14(_ block: EDIDBlock) -> Bool { block[18] > 1 || block[19] >= 4 }

  private mutating func readDescriptor(_ part: EDIDBlock, in block: EDIDBlock, isFirst: Bool) {
    if part.word(0) != 0 {
      let said = isVersion14(block) || block[24] & 0x02 != 0
      guard let timing = detailed(part, source: .detailed, isPreferred: isFirst && said) else {
        notes.append("a detailed timing of the base block is invalid")
        return
      }
      timings.append(timing)
      return
    }
    switch part[3] {
    case 0xff: serialStrings.append(text(part))
    case 0xfc: names.append(text(part))
    case 0xfa: readStandards(part)
    case 0xf8: readCVTCodes(part)
    case 0xf7: readEstablishedIII(part)
    default: break
    }
  }

  /// Returns the text of a descriptor: 13 bytes, ended by a line feed and padded with spaces.
  ///
  /// Unprintable bytes become dots.
  private func text(_ part: EDIDBlock) -> String {
    let raw = part.part(5, 13).bytes.prefix { $0 != 0x0a && $0 != 0 }
    let shown = raw.map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: ".") }
    return String(decoding: shown, as: UTF8.self)
  }

  private mutating func readStandards(_ part: EDIDBlock) {
    for offset in stride(from: 5, to: 17, by: 2) {
      if let timing = standard(part[offset], part[offset + 1]) { timings.append(timing.timing(.standard)) }
    }
  }

  private mutating func readCVTCodes(_ part: EDIDBlock) {
    for offset in stride(from: 6, to: 18, by: 3) { timings += cvt(part.part(offset, 3), source: .cvt) }
  }

  private mutating func readEstablishedIII(_ part: EDIDBlock) {
    for (index, id) in KnownTiming.establishedIII.enumerated() {
      guard part[6 + index / 8] & (0x80 >> UInt8(index % 8)) != 0, let timing = KnownTiming.dmt[id] else { continue }
      timings.append(timing.timing(.established))
    }
  }

  private static func established(_ block: EDIDBlock) -> [KnownTiming] {
    KnownTiming.established.enumerated().compactMap { index, timing in
      block[35 + index / 8] & (0x80 >> UInt8(index % 8)) != 0 ? timing : nil
    }
  }
}
