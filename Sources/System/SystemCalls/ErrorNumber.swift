import Glibc

/// The error of a failed system call, as its number (errno(3)).
public struct ErrorNumber: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number, such as ENOENT.
  public let code: Int32

  /// Creates an error from its number.
  public init(_ code: Int32) { self.code = code }

  /// The C library's text, such as `No such file or directory`, without a period.
  public var description: String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
