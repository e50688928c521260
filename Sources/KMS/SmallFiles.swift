import CLinux
import Glibc

// Reading of /proc, /sys and /dev, where files are small and may vanish at any time: absent means empty.

/// The names in a directory, without `.` and `..`; empty where it cannot be read.
func listDirectory(_ path: String) -> [String] {
  guard let directory = unsafe opendir(path) else { return [] }
  defer { unsafe _ = closedir(directory) }
  var names: [String] = []
  while let entry = unsafe readdir(directory) {
    var characters = unsafe entry.pointee.d_name
    let name = unsafe withUnsafeBytes(of: &characters) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}

/// The first 64 KiB of a file as text; nil where it cannot be read.
func readText(_ path: String) -> String? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var text: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while text.count < 65536 {
    let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { break }
    text.append(contentsOf: chunk.prefix(count))
  }
  return String(decoding: text, as: UTF8.self)
}

/// Where a symbolic link points; nil where it cannot be read.
func readLink(_ path: String) -> String? {
  var target = [UInt8](repeating: 0, count: 4096)
  let count = unsafe target.withUnsafeMutableBytes { bytes in
    guard let start = bytes.baseAddress else { return -1 }
    return unsafe readlink(path, start.assumingMemoryBound(to: CChar.self), bytes.count)
  }
  return count > 0 ? String(decoding: target.prefix(count), as: UTF8.self) : nil
}
