extension EDID {
  /// Parses a CTA-861 extension block: data blocks from byte 4 to the offset in byte 2, then detailed timings.
  mutating func readCTA(_ block: EDIDBlock) {
    let end = Int(block[2])
    if block[1] >= 3, end > 4 { readCTACollection(block.part(4, end - 4)) }
    guard end >= 4 else { return }
    for offset in stride(from: end, through: 127 - 18, by: 18) {
      let part = block.part(offset, 18)
      guard part.word(0) != 0 else { break }
      if let timing = detailed(part, source: .ctaDetailed) { timings.append(timing) }
    }
  }

  /// Parses consecutive data blocks: a 3-bit tag and a 5-bit length, then the payload.
  mutating func readCTACollection(_ blocks: EDIDBlock) {
    var offset = 0
    while offset < blocks.count {
      let length = Int(blocks[offset] & 31)
      guard offset + 1 + length <= blocks.count else {
        notes.append("a CTA-861 data block exceeds its section and is ignored")
        return
      }
      readCTAData(tag: blocks[offset] >> 5, blocks.part(offset + 1, length))
      offset += 1 + length
    }
  }

  private mutating func readCTAData(tag: UInt8, _ data: EDIDBlock) {
    switch tag {
    case 2: readCodes(data, source: .cta)
    case 3 where data.part(0, 3).bytes.elementsEqual([0x03, 0x0c, 0x00]): readHDMI(data)
    case 3 where data.part(0, 3).bytes.elementsEqual([0xd8, 0x5d, 0xc4]): isHDMI = true
    case 7 where data[0] == 14: readCodes(data.part(1, data.count), source: .cta420)
    case 7 where data[0] == 34: readDetailedDisplayID(data.part(2, data.count), clock: 1000, source: .ctaDetailed)
    default: break
    }
  }

  /// Parses short video descriptors.
  ///
  /// The top bit is a native flag for codes 1 to 64 and part of the code for higher ones.
  private mutating func readCodes(_ data: EDIDBlock, source: EDIDTiming.Source) {
    for byte in data.bytes {
      let hasFlag = (129...192).contains(byte)
      guard let timing = KnownTiming.vic[Int(hasFlag ? byte & 127 : byte)] else { continue }
      timings.append(timing.timing(source, isNative: hasFlag))
    }
  }

  /// Parses the HDMI 1.4 vendor block (HDMI 1.4b, 8.3.2).
  ///
  /// The codes of the 4K formats follow the latency fields.
  private mutating func readHDMI(_ data: EDIDBlock) {
    isHDMI = true
    let flags = data[7]
    guard data.count >= 8, flags & 0x20 != 0 else { return }
    let latencies = (flags & 0x80 != 0 ? 2 : 0) + (flags & 0x40 != 0 ? 2 : 0)
    let count = Int(data[9 + latencies] >> 5)
    for code in data.part(10 + latencies, count).bytes {
      if let timing = KnownTiming.hdmi[Int(code)] { timings.append(timing.timing(.hdmi)) }
    }
  }

  /// Parses a video timing extension block (VTB-EXT): counts of detailed timings, CVT codes and standard timings, then
  /// these.
  mutating func readVTB(_ block: EDIDBlock) {
    let counts = (detailed: Int(block[2]), cvt: Int(block[3]), standard: Int(block[4]))
    var offset = 5
    for _ in 0..<counts.detailed where offset + 18 <= 127 {
      if let timing = detailed(block.part(offset, 18), source: .vtb) { timings.append(timing) }
      offset += 18
    }
    for _ in 0..<counts.cvt where offset + 3 <= 127 {
      timings += cvt(block.part(offset, 3), source: .vtb)
      offset += 3
    }
    for _ in 0..<counts.standard where offset + 2 <= 127 {
      if let timing = standard(block[offset], block[offset + 1]) { timings.append(timing.timing(.vtb)) }
      offset += 2
    }
  }
}
