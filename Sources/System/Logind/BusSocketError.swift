import SystemCalls

/// A failed system call on the bus socket.
struct BusSocketError: Error, Hashable, CustomStringConvertible {
  /// The name of the system call.
  var call: String
  /// The error number that the call set.
  var errno: Int32

  /// A text such as `connect: No such file or directory`.
  var description: String { "\(call): \(ErrorNumber(errno))" }
}
