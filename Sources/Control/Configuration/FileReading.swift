import Glibc
import SystemCalls

/// The maximum size of a configuration file, in bytes, larger than any intended one.
let largestFile = 1 << 16

/// Returns the content of a regular file, or nil if it does not exist.
func readFile(_ path: String, atMost limit: Int = largestFile) throws(ConfigurationError) -> [UInt8]? {
  // O_NONBLOCK: a FIFO at this path must not block startup.
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  if descriptor < 0, errno == ENOENT || errno == ENOTDIR { return nil }
  guard descriptor >= 0 else { throw unreadable(path, errno) }
  defer { close(descriptor) }
  var status = stat()
  guard unsafe fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw ConfigurationError(file: path, line: nil, reason: "it is not a regular file")
  }
  guard status.st_size <= limit else {
    throw ConfigurationError(
      file: path, line: nil, reason: "it has \(status.st_size) bytes; the limit is \(limit >> 10) KiB")
  }
  var bytes: [UInt8]?
  do throws(ErrorNumber) {
    bytes = try Transfer.read(descriptor, atMost: limit)
  } catch {
    throw unreadable(path, error.code)
  }
  // The size of a file of /proc is 0, and a file can grow meanwhile.
  guard let bytes else {
    throw ConfigurationError(file: path, line: nil, reason: "it has more than \(limit >> 10) KiB")
  }
  return bytes
}

private func unreadable(_ path: String, _ code: Int32) -> ConfigurationError {
  let advice = code == EACCES ? "; make it readable for the service's user (chmod a+r)" : ""
  return ConfigurationError(file: path, line: nil, reason: "it cannot be read: \(ErrorNumber(code))\(advice)")
}
