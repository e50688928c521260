import Glibc

/// A file descriptor that is closed when its last reference is released.
final class Descriptor: Sendable {
  let number: Int32

  /// Takes ownership of an open file descriptor.
  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}
