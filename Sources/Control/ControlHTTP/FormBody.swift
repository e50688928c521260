/// The fields of a form as browsers send it (application/x-www-form-urlencoded).
enum FormBody {
  /// Returns the first value of a field, which is empty if the field is missing or its escapes are invalid.
  static func value(of name: String, in body: [UInt8]) -> [UInt8] {
    for pair in body.split(separator: UInt8(ascii: "&")) where pair.starts(with: "\(name)=".utf8) {
      return decode(pair.dropFirst(name.utf8.count + 1)) ?? []
    }
    return []
  }

  private static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? { Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) } }
}
