/// A protocol violation by the virtual machine.
///
/// The connection is unusable afterwards.
public struct USBDisplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence with the virtual machine as its subject, such as `it sent a packet of 4294967295 bytes`.
  public let description: String

  init(_ description: String) { self.description = description }
}
