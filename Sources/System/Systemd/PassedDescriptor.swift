import Glibc

/// A file descriptor that a message carries, closed with its last reference.
package final class PassedDescriptor: Hashable, Sendable {
  /// The number of the descriptor.
  package let number: Int32

  /// Takes ownership of an open descriptor.
  ///
  /// - Parameter number: The number of the descriptor.
  package init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// Whether both are the same object.
  package static func == (left: PassedDescriptor, right: PassedDescriptor) -> Bool { left === right }

  /// Hashes the identity of the object.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
