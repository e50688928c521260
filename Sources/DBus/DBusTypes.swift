/// Bytes of a signature, taken apart: each complete type is a slice of them.
enum DBusTypes {
  /// As deep as types may be in each other (32 arrays and 32 structures in the specification), and variants.
  static let deepest = 64

  /// Takes the first complete type off the signature; nil where it is none.
  static func takeFirst(of signature: inout ArraySlice<UInt8>, depth: Int = 0) -> ArraySlice<UInt8>? {
    let whole = signature
    guard depth < deepest, let code = signature.popFirst() else { return nil }
    switch code {
    case UInt8(ascii: "a"):
      guard takeFirst(of: &signature, depth: depth + 1) != nil else { return nil }
    case UInt8(ascii: "("), UInt8(ascii: "{"):
      let closing = code == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")
      while signature.first != closing {
        guard takeFirst(of: &signature, depth: depth + 1) != nil else { return nil }
      }
      signature.removeFirst()
    default:
      guard alignment(of: code) != nil else { return nil }
    }
    return whole[..<signature.startIndex]
  }

  /// What the first byte of a value is aligned to, by the first letter of its type; nil where that is no type.
  static func alignment(of code: UInt8) -> Int? {
    switch Unicode.Scalar(code) {
    case "y", "g", "v": 1
    case "n", "q": 2
    case "b", "i", "u", "s", "o", "h", "a": 4
    case "x", "t", "d", "(", "{": 8
    default: nil
    }
  }
}
