/// The secret that admits a client.
///
/// No textual representation of a token contains any part of it.
package struct Token: Sendable {
  /// The permitted lengths of a token, in bytes.
  package static let lengths = 16...256

  private let bytes: [UInt8]

  /// Creates a token from 16 to 256 printable ASCII characters without spaces; returns nil for any other bytes.
  package init?(_ bytes: [UInt8]) {
    guard Self.lengths.contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    self.bytes = bytes
  }

  /// Returns whether a client sent this token, in constant time.
  ///
  /// All 256 bytes are compared whatever the earlier ones were, with a single branch at the end. The duration therefore
  /// does not reveal how many characters match. The function is not inlined: if the optimizer knew how the caller uses
  /// the result, it could end the comparison early.
  ///
  /// - Parameter candidate: The bytes that the client sent.
  /// - Returns: Whether they are equal to the token.
  @inline(never)
  package func matches(_ candidate: [UInt8]) -> Bool {
    var difference = UInt(bitPattern: bytes.count ^ candidate.count)
    let own = bytes + [UInt8](repeating: 0, count: Self.lengths.upperBound - bytes.count)
    let other = candidate.prefix(own.count) + [UInt8](repeating: 0, count: max(0, own.count - candidate.count))
    for place in own.indices { difference |= UInt(own[place] ^ other[place]) }
    return difference == 0
  }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A fixed text without any part of the token.
  package var description: String { "a token" }
  /// A fixed text without any part of the token.
  package var debugDescription: String { description }
  /// A mirror without children, so that `dump` prints no part of the token.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Token: Equatable {
  /// Compares two tokens in constant time, like `matches(_:)`.
  package static func == (one: Token, other: Token) -> Bool { one.matches(other.bytes) }
}
