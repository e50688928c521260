import Glibc

/// A file descriptor that is closed when its last user lets go of it.
final class Descriptor: Sendable {
  let number: Int32

  /// Takes over `number`.
  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}
