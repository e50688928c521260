/// Why a D-Bus peer is not understood, or does not let us in.
public struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence for people, about the peer: `it sent a message of 4294967295 bytes`.
  public let description: String

  init(_ description: String) { self.description = description }
}
