/// An error of a D-Bus peer: a malformed message or a refused authentication.
package struct DBusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence for people, with the peer as its subject, such as `it sent a message of 4294967295 bytes`.
  package let description: String

  init(_ description: String) { self.description = description }
}
