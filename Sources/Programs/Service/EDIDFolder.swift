import CLinux
import Glibc
import NIOCore

/// A reader of a folder of EDIDs from real monitors, on an event loop that may wait for the disk.
struct EDIDFolder: Sendable {
  /// The event loop that reads the files.
  let loop: any EventLoop

  /// The maximum number of files, in order of their names; enough for a menu.
  private static let mostFiles = 256
  /// The maximum file size: an EDID has at most 256 blocks of 128 bytes.
  private static let mostBytes = 256 * 128

  /// Returns the content of all files that may be EDIDs, or nothing if the folder cannot be read.
  func read(_ folder: String) async -> [[UInt8]] {
    let bytes = loop.submit {
      Self.names(in: folder).prefix(Self.mostFiles).compactMap { Self.bytes(of: "\(folder)/\($0)") }
    }
    return (try? await bytes.get()) ?? []
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    // Bound the work in an unreasonably large folder.
    while names.count < 16 * mostFiles, let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the content of a regular file of a plausible size, or nil.
  private static func bytes(of path: String) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { _ = close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (128...mostBytes).contains(Int(status.st_size))
    else { return nil }
    let size = Int(status.st_size)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, unsafe Glibc.read(file, buffer.baseAddress, size))
    }
    return bytes.count == size ? bytes : nil
  }
}
