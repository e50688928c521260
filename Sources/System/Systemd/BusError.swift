package import SystemCalls

/// A D-Bus operation that failed.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The verb and object of what failed, such as `connect`.
  package var action: String
  /// The reason as an error number (errno(3)).
  package var number: ErrorNumber
  /// The peer's reason, if it gave one.
  package var reason: String?

  init(action: String, code: Int32, reason: String? = nil) {
    self.action = action
    number = ErrorNumber(code)
    self.reason = reason
  }

  /// A text such as `connect: No such file or directory`.
  package var description: String { "\(action): \(reason ?? "\(number)")" }

  /// Returns the result of a function of libsystemd, which is an error number times -1 if it fails.
  @discardableResult
  static func check(_ code: Int32, _ action: @autoclosure () -> String) throws(BusError) -> Int32 {
    guard code >= 0 else { throw BusError(action: action(), code: -code) }
    return code
  }
}
