/// Base64 with the standard alphabet of RFC 4648.
public enum Base64 {
  /// Returns the padded text of bytes, in one line.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let letters = regroup(bytes, from: 8, to: 6).map { alphabet[Int($0)] }
    return String(decoding: letters, as: UTF8.self) + String(repeating: "=", count: -letters.count & 3)
  }

  /// Returns the bytes of a text, or nil unless the text is exactly what `encode` produces for them.
  public static func decode(_ text: String) -> [UInt8]? {
    let padding = text.utf8.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
    let sextets = text.utf8.dropLast(padding).map(sextet)
    guard text.utf8.count % 4 == 0, !sextets.contains(nil) else { return nil }
    var bytes = regroup(sextets.lazy.compactMap(\.self), from: 6, to: 8)
    // The bits that padding completes do not fill a byte, and must be zero.
    guard padding == 0 || bytes.popLast() == 0 else { return nil }
    return bytes
  }

  private static func sextet(_ letter: UInt8) -> UInt8? {
    switch Unicode.Scalar(letter) {
    case "A"..."Z": letter - UInt8(ascii: "A")
    case "a"..."z": letter - UInt8(ascii: "a") + 26
    case "0"..."9": letter - UInt8(ascii: "0") + 52
    case "+": 62
    case "/": 63
    default: nil
    }
  }

  /// Regroups bits into groups of another width, padding the last one with zeros.
  private static func regroup(_ groups: some Sequence<UInt8>, from width: Int, to newWidth: Int) -> [UInt8] {
    var regrouped: [UInt8] = []
    var bits: UInt16 = 0
    var count = 0
    for group in groups {
      bits = bits << width | UInt16(group)
      count += width
      while count >= newWidth {
        count -= newWidth
        regrouped.append(UInt8(bits >> count))
        bits &= 1 << count - 1
      }
    }
    if count > 0 { regrouped.append(UInt8(bits << (newWidth - count))) }
    return regrouped
  }
}
