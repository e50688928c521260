/// The 64-bit FNV-1a hash (RFC 9923), which is the same on every machine and in every version.
///
/// It is not collision-resistant against an attacker.
package enum FNV1a {
  /// The hash of no bytes.
  package static let start: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Returns the hash of some bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - hash: The hash of the bytes before them; that of no bytes by default.
  /// - Returns: The hash of all bytes.
  @inlinable
  package static func hash(_ bytes: some Sequence<UInt8>, after hash: UInt64 = FNV1a.start) -> UInt64 {
    bytes.reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Returns the hash of an array, such as an EDID.
  ///
  /// Targets that are optimized for size do not specialize the generic function.
  ///
  /// - Parameter bytes: The bytes.
  /// - Returns: The hash of all bytes.
  package static func hash(_ bytes: [UInt8]) -> UInt64 { hash(bytes[...], after: start) }
}
