import Glibc

/// Why something in the lab did not work: what was tried on which object, and what to do next.
public struct LabError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it was, for callers that treat some of them apart.
  public enum Kind: Sendable, Equatable {
    /// A program, or the Debian package that holds it, is not installed.
    case missing
    /// What was waited for did not come in time.
    case timeout
    /// QEMU ended, or the guest's kernel did.
    case ended
    /// QEMU, the guest or its kernel refused the request.
    case refused
    /// The caller asked for something that cannot be.
    case invalid
    /// A system call of the host failed.
    case system
  }

  /// The kind of failure.
  public let kind: Kind
  /// One or more sentences for people.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// A failed system call: `call` names it and its object; errno is read here, so build this right after the call.
  static func system(_ call: String, code: Int32 = errno) -> LabError {
    LabError(.system, "\(call): \(errorText(code))")
  }
}

/// The C library's words for an errno, e.g. "No such file or directory".
func errorText(_ code: Int32) -> String {
  guard let text = unsafe strerror(code) else { return "error \(code)" }
  return unsafe String(cString: text)
}
