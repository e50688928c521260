import Displays

/// A mapping from serial numbers to replacements. Equal serial numbers get equal replacements, so different monitors
/// still differ, and identical ones stay identical.
///
/// Replacements are numbered in order of appearance, so they contain nothing of the originals. A correct checksum stays
/// correct, and a wrong one stays wrong by the same amount. The EDID is therefore judged as before.
struct SerialMask {
  private var numbers: [UInt32: UInt32] = [:]
  private var texts: [String: Int] = [:]

  /// Returns the replacement of a serial number. The value 0, which means none, is kept.
  mutating func number(for serial: UInt32) -> UInt32 {
    if serial == 0 { return 0 }
    if let known = numbers[serial] { return known }
    let next = UInt32(numbers.count + 1)
    numbers[serial] = next
    return next
  }

  /// Returns the replacement of a serial number string. A string of spaces only, which means none, is kept.
  mutating func text(for serial: String) -> String {
    let bare = serial.split(separator: " ").joined(separator: " ")
    if bare.isEmpty { return serial }
    let number = texts[bare] ?? texts.count + 1
    texts[bare] = number
    return "MASKED-\(number)"
  }

  /// Returns an EDID with replaced serial numbers: those of the base block, of its and CTA's descriptors, and of
  /// DisplayID. Serial numbers in vendor-specific data are not found.
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

  /// Masks descriptors of 18 bytes. Those with tag ff hold 13 bytes of text, ended by a line feed and padded with
  /// spaces.
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

  /// Masks the data blocks of a section: product identification (tag 00 or 20), whose serial number follows five bytes,
  /// and the serial number string (tag 0a). The section has its own checksum at the end.
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

  /// Returns settings whose rules contain the replacements of serial numbers. A rule with a whole identity, or with a
  /// wildcard in a serial number, cannot be masked. In that case all rules are removed, and `areRulesMasked` is set.
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
