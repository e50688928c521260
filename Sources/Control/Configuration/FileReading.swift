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
  return try readAll(descriptor, path, atMost: limit)
}

private func readAll(_ descriptor: Int32, _ path: String, atMost limit: Int) throws(ConfigurationError) -> [UInt8] {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 16384)
  while bytes.count <= limit {
    let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw unreadable(path, errno) }
    if count == 0 { break }
    bytes += chunk[..<count]
  }
  return bytes
}

private func unreadable(_ path: String, _ code: Int32) -> ConfigurationError {
  let advice = code == EACCES ? "; make it readable for the service's user (chmod a+r)" : ""
  return ConfigurationError(file: path, line: nil, reason: "it cannot be read: \(ErrorNumber(code))\(advice)")
}
