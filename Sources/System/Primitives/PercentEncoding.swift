/// Percent-encoding (RFC 3986, 2.1).
package enum PercentEncoding {
  /// Encodes a text as a path segment or as a value of a query.
  ///
  /// - Parameter text: The text.
  /// - Returns: Its UTF-8 bytes, of which all but the unreserved characters (RFC 3986, 2.3) are escaped.
  package static func encode(_ text: String) -> String {
    let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
    return text.utf8.reduce(into: "") { encoded, byte in
      if unreserved.contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// Decodes the escapes in some bytes.
  ///
  /// - Parameter text: The encoded bytes. All but the escapes are kept, even those that `encode` would escape.
  /// - Returns: The bytes, which may be invalid UTF-8; nil if a percent sign is not followed by two hexadecimal digits.
  package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
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
