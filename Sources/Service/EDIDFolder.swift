import Glibc
import NIOCore

/// Reads the files of a folder that has EDIDs of real monitors, on a loop that may wait for the disk.
struct EDIDFolder: Sendable {
  /// Works on this loop.
  let loop: any EventLoop

  /// As many files as a menu has room for, by name.
  private static let mostFiles = 256
  /// An EDID has at most 256 blocks of 128 bytes.
  private static let mostBytes = 256 * 128

  /// The bytes of all files there that may be EDIDs; none where the folder cannot be read.
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
    // More than so many entries nobody means.
    while names.count < 16 * mostFiles, let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The bytes of a plain file; nil for anything else, and for what is too large.
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
