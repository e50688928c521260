import Glibc
import SystemCalls

/// A failure in the lab.
///
/// It names the operation, the object and the next step.
public struct LabError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure, for callers that handle some of them specifically.
  public enum Kind: Sendable, Equatable {
    /// A program, or the Debian package that contains it, is not installed.
    case missing
    /// An expected event did not occur in time.
    case timeout
    /// QEMU or the guest's kernel ended.
    case ended
    /// QEMU, the guest or its kernel refused the request.
    case refused
    /// An argument of the caller is invalid.
    case invalid
    /// A system call on the host failed.
    case system
  }

  /// The kind of failure.
  public let kind: Kind
  /// The description for people, in one or more sentences.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// Creates an error for a failed system call.
  ///
  /// It reads errno, so call it directly after the failure.
  ///
  /// - Parameters:
  ///   - call: The operation and its object.
  ///   - code: The error number.
  /// - Returns: An error of kind `.system`.
  static func system(_ call: String, code: Int32 = errno) -> LabError {
    LabError(.system, "\(call): \(ErrorNumber(code))")
  }
}
