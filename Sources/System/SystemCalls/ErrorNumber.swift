import Glibc

/// The error of a failed system call, as its number (errno(3)).
package struct ErrorNumber: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number, such as ENOENT.
  package let code: Int32

  /// Creates an error from its number.
  package init(_ code: Int32) { self.code = code }

  /// The C library's text, such as `No such file or directory`, without a period.
  package var description: String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
