/// Why the machine at the other end cannot be understood any more.
public struct USBDisplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence, about the machine: `it sent a packet of 4294967295 bytes`.
  public let description: String

  init(_ description: String) { self.description = description }
}
