import Control

/// Percent-encoding (RFC 3986, 2.1).
enum PercentEncoding {
  /// Decodes the escapes of a text, whose bytes must be UTF-8.
  static func decode(_ text: some StringProtocol) throws(Problem) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
        throw .malformed("The target has a % without two hexadecimal digits after it: write % itself as %25.")
      }
      bytes.append(high << 4 | low)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw .malformed("The target's escapes are not UTF-8: escape the UTF-8 bytes of the name.")
    }
    return decoded
  }

  /// Encodes a name as a path segment, escaping everything but the unreserved characters (RFC 3986, 2.3).
  static func encode(_ name: String) -> String {
    let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
    return name.utf8.reduce(into: "") { path, byte in
      if unreserved.contains(byte) {
        path.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        path += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
