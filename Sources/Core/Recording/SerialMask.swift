import Displays

/// Replaces serial numbers by others, the same by the same: monitors that differed still differ, and twins stay twins.
///
/// They are numbered as they come, so that nothing of them is left. A checksum that was right is right, and one that was
/// wrong is wrong by as much as before, so that the EDID is judged as it was.
struct SerialMask {
  private var numbers: [UInt32: UInt32] = [:]
  private var texts: [String: Int] = [:]

  /// The number that stands for a serial number; 0, which means none, stays.
  mutating func number(for serial: UInt32) -> UInt32 {
    if serial == 0 { return 0 }
    if let known = numbers[serial] { return known }
    let next = UInt32(numbers.count + 1)
    numbers[serial] = next
    return next
  }

  /// The text that stands for a serial number in letters; one of spaces alone, which means none, stays.
  mutating func text(for serial: String) -> String {
    let bare = serial.split(separator: " ").joined(separator: " ")
    if bare.isEmpty { return serial }
    let number = texts[bare] ?? texts.count + 1
    texts[bare] = number
    return "MASKED-\(number)"
  }

  /// An EDID with other serial numbers: that of the base block, those of its descriptors and of CTA's, and those of
  /// DisplayID. What a maker hides elsewhere is not found.
  mutating func mask(_ edid: [UInt8]) -> [UInt8] {
    var edid = edid
    if edid.count < 128 { maskNumber(&edid, at: 12) }
    for start in stride(from: 0, to: edid.count - 127, by: 128) {
      let before = sum(edid, from: start, count: 127)
      switch (start, edid[start]) {
      case (0, _):
        maskNumber(&edid, at: 12)
        maskDescriptors(&edid, from: 54, before: 126)
      case (_, 0x02):
        if edid[start + 2] >= 4 { maskDescriptors(&edid, from: start + Int(edid[start + 2]), before: start + 127) }
      case (_, 0x70): maskDisplayID(&edid, in: start)
      default: break
      }
      edid[start + 127] &-= sum(edid, from: start, count: 127) &- before
    }
    return edid
  }

  private func sum(_ bytes: [UInt8], from start: Int, count: Int) -> UInt8 {
    bytes[start..<start + count].reduce(0, &+)
  }

  private mutating func maskNumber(_ bytes: inout [UInt8], at place: Int) {
    guard place + 4 <= bytes.count else { return }
    let serial = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
    let masked = number(for: serial)
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: masked >> UInt32(8 * index)) }
  }

  /// Descriptors of 18 bytes: those of tag ff hold 13 bytes of text, ended by a line feed and padded with spaces.
  private mutating func maskDescriptors(_ bytes: inout [UInt8], from start: Int, before end: Int) {
    for place in stride(from: start, through: end - 18, by: 18)
    where bytes[place] == 0 && bytes[place + 1] == 0 && bytes[place + 3] == 0xff {
      maskText(&bytes, at: place + 5, count: 13)
    }
  }

  private mutating func maskText(_ bytes: inout [UInt8], at place: Int, count: Int) {
    let old = bytes[place..<place + count].prefix { $0 != 0x0a && $0 != 0 }
    let shown = String(decoding: old.map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    guard shown.utf8.contains(where: { $0 != 0x20 }) else { return }
    let masked = Array(text(for: shown).utf8.suffix(count))
    let ended = masked.count < count ? masked + [0x0a] : masked
    bytes.replaceSubrange(place..<place + count, with: ended + Array(repeating: 0x20, count: count - ended.count))
  }

  /// Of a section's data blocks: product identification (tag 00 or 20), whose number follows five bytes, and the serial
  /// number in letters (0a). The section has a checksum of its own behind it.
  private mutating func maskDisplayID(_ bytes: inout [UInt8], in start: Int) {
    let length = min(Int(bytes[start + 2]), 121)
    let end = start + 5 + length
    let before = sum(bytes, from: start + 1, count: 4 + length)
    var place = start + 5
    while place + 3 <= end {
      let (tag, count) = (bytes[place], Int(bytes[place + 2]))
      if tag == 0 && count == 0 || place + 3 + count > end { break }
      if tag == 0x00 || tag == 0x20, count >= 9 { maskNumber(&bytes, at: place + 8) }
      if tag == 0x0a { maskText(&bytes, at: place + 3, count: count) }
      place += 3 + count
    }
    bytes[end] &-= sum(bytes, from: start + 1, count: 4 + length) &- before
  }

  /// Settings whose rules name serial numbers by what stands for them. A rule that names monitors by their whole
  /// identity, or by a part of a serial number, cannot be masked: then there are none, and it is said that there are.
  mutating func mask(_ settings: RecordedSettings) -> RecordedSettings {
    var settings = settings
    let isHopeless = settings.rules.contains { rule in
      rule.identity != nil || rule.serialText?.contains { "*?".contains($0) } ?? false
    }
    if isHopeless {
      settings.rules = []
      settings.areRulesMasked = true
    }
    for index in settings.rules.indices {
      settings.rules[index].serial = settings.rules[index].serial.map { number(for: $0) }
      settings.rules[index].serialText = settings.rules[index].serialText.map { text(for: $0) }
    }
    return settings
  }
}
