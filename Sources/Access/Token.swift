/// The secret that lets a client in. It never appears in a text: whatever prints it prints no part of it.
public struct Token: Sendable {
  /// How many bytes a token may have.
  public static let lengths = 16...256

  private let bytes: [UInt8]

  /// A token of 16 to 256 printable ASCII characters without spaces; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    guard Self.lengths.contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    self.bytes = bytes
  }

  /// Whether this is the token.
  ///
  /// It takes as long for a wrong one as for the right one, wherever they differ, so that nobody finds it out letter by
  /// letter: all 256 places are looked at, whatever was seen before, and there is one branch, at the end. It is not
  /// inlined, so that no caller's knowledge of a result lets the optimiser stop it early.
  @inline(never)
  public func matches(_ candidate: [UInt8]) -> Bool {
    var difference = UInt(bitPattern: bytes.count ^ candidate.count)
    let own = bytes + [UInt8](repeating: 0, count: Self.lengths.upperBound - bytes.count)
    let other = candidate.prefix(own.count) + [UInt8](repeating: 0, count: max(0, own.count - candidate.count))
    for place in own.indices { difference |= UInt(own[place] ^ other[place]) }
    return difference == 0
  }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// No part of it.
  public var description: String { "a token" }
  /// No part of it.
  public var debugDescription: String { description }
  /// No part of it.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Token: Equatable {
  /// In constant time, as `matches`.
  public static func == (one: Token, other: Token) -> Bool { one.matches(other.bytes) }
}
