/// A parser of type signatures.
///
/// Each complete type is a slice of the signature's bytes.
enum DBusTypes {
  /// The maximum nesting depth (the specification allows 32 arrays and 32 structures).
  ///
  /// It applies to variants as well.
  static let deepest = 64

  /// Removes the first complete type from the signature and returns it, or returns nil if the signature is invalid.
  static func popFirstType(of signature: inout ArraySlice<UInt8>, depth: Int = 0) -> ArraySlice<UInt8>? {
    let whole = signature
    guard depth < deepest, let code = signature.popFirst() else { return nil }
    switch code {
    case UInt8(ascii: "a"):
      guard popFirstType(of: &signature, depth: depth + 1) != nil else { return nil }
    case UInt8(ascii: "("), UInt8(ascii: "{"):
      let closing = code == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")
      while signature.first != closing {
        guard popFirstType(of: &signature, depth: depth + 1) != nil else { return nil }
      }
      signature.removeFirst()
    default:
      guard alignment(of: code) != nil else { return nil }
    }
    return whole[..<signature.startIndex]
  }

  /// Returns the alignment in bytes of the type with this code, or nil if the code is unknown.
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
