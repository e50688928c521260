import Glibc
import SystemCalls

/// The file that contains the token, which other users must be unable to read or to have created.
package enum TokenFile {
  /// Returns the token in a file, without one trailing newline.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: `TokenFileError` with the path, the defect of the file, and the command that creates a valid one.
  /// - Returns: The token.
  package static func read(_ path: String) throws(TokenFileError) -> Token {
    // O_NOFOLLOW: the owner of a symbolic link could redirect it. O_NONBLOCK: opening a FIFO must not block.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw TokenFileError(path, reason(errno)) }
    defer { close(descriptor) }
    try check(descriptor, path)
    var bytes = [UInt8](repeating: 0, count: Token.lengths.upperBound + 2)
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw TokenFileError(path, reason(errno)) }
    var line = bytes[..<count]
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    guard let token = Token(Array(line)) else {
      throw TokenFileError(path, "does not contain 16 to 256 letters, digits and symbols on one line, without spaces")
    }
    return token
  }

  private static func check(_ descriptor: Int32, _ path: String) throws(TokenFileError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw TokenFileError(path, reason(errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw TokenFileError(path, "is not a regular file") }
    guard status.st_uid == 0 || status.st_uid == geteuid() else {
      throw TokenFileError(path, "belongs to user \(status.st_uid), not to the service's user \(geteuid()) or root")
    }
    let mode = status.st_mode & 0o7777
    guard mode & ~0o600 == 0 else {
      throw TokenFileError(path, "has the mode 0\(String(mode, radix: 8)), but must not allow more than 0600")
    }
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "does not exist"
    case ELOOP: "is a symbolic link, whose owner could replace the token"
    default: "cannot be read (\(ErrorNumber(code)))"
    }
  }
}

/// The reason why a file does not provide a token.
package struct TokenFileError: Error, Hashable, CustomStringConvertible {
  /// A message with the path, the defect of the file, and the command that creates a valid one.
  package let description: String

  init(_ path: String, _ reason: String) {
    description =
      "The token file \(path) \(reason). As the service's user, create one: "
      + "install -m 600 /dev/null \(path) && head -c 24 /dev/urandom | base64 > \(path)"
  }
}
