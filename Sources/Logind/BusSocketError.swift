import Glibc

/// Why the bus cannot be spoken to: which call failed, and the kernel's answer.
struct BusSocketError: Error, Hashable, CustomStringConvertible {
  /// The call that failed.
  var call: String
  /// The kernel's errno.
  var errno: Int32

  /// `connect: No such file or directory`.
  var description: String {
    guard let words = unsafe strerror(errno) else { return "\(call): error \(errno)" }
    return unsafe "\(call): \(String(cString: words))"
  }
}
