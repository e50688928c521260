import Glibc
import Testing

/// Returns the path of a file of the repository.
func repository(_ path: String) -> String {
  #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/" + path
}

/// Returns the text of a file with at most 64 KiB.
func text(of path: String) throws -> String {
  let descriptor = unsafe open(path, O_RDONLY)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let count = unsafe read(descriptor, &bytes, bytes.count)
  return String(decoding: bytes[..<count], as: UTF8.self)
}
