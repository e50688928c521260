import Glibc
import Testing

/// A folder for one test, removed with its contents.
final class Folder {
  let path: String

  init() throws {
    // Use a folder in memory if there is one, so that no test waits for a disk.
    let parent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    path = "\(parent)/placard-archive-\(getpid())-\(UInt64.random(in: .min ... .max))"
    try makeFolder(path)
  }

  /// The path of the tests' archive.
  var file: String { "\(path)/archive.sqlite" }

  var names: [String] {
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
    return names.sorted()
  }

  deinit {
    setMode(path, 0o755)
    for name in names { unsafe _ = unlink("\(path)/\(name)") }
    removeFolder(path)
  }
}

/// Creates a folder that only its owner may change.
func makeFolder(_ path: String) throws {
  let made = unsafe mkdir(path, 0o755)
  try #require(made == 0)
}

/// Removes an empty folder.
func removeFolder(_ path: String) { unsafe _ = rmdir(path) }

/// Sets the mode of a file.
func setMode(_ path: String, _ mode: UInt32) { unsafe _ = chmod(path, mode) }

/// Returns the mode of a file; nil if it does not exist.
func mode(of path: String) -> UInt32? {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

/// Returns the bytes of a file; nil if it does not exist.
func bytes(of path: String) -> [UInt8]? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var status = stat()
  guard unsafe fstat(descriptor, &status) == 0 else { return nil }
  var bytes = [UInt8](repeating: 0, count: status.st_size)
  let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
  return Array(bytes.prefix(max(count, 0)))
}

/// Writes these bytes to a file, replacing its content.
func write(_ bytes: [UInt8], to path: String) throws {
  let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  let count = unsafe pwrite(descriptor, bytes, bytes.count, 0)
  try #require(count == bytes.count)
}

/// Sets the user as which the calling thread accesses files.
///
/// For another user, root loses the privilege to ignore file modes. Unlike setuid(2), it applies to one thread and is
/// reversible (setfsuid(2)).
func useFiles(asUser user: UInt32) {
  typealias Call = @convention(c) (UInt32) -> Int32
  guard let call = unsafe dlsym(nil, "setfsuid") else { return }
  _ = unsafe unsafeBitCast(call, to: Call.self)(user)
}

/// The user nobody, who owns no files.
let nobody: UInt32 = 65534
