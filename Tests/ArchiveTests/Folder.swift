import Glibc
import Testing

/// A folder for one test, removed with what is in it.
final class Folder {
  let path: String

  init() throws {
    // In memory, where there is such a place: no test waits for a disk.
    let parent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    path = "\(parent)/placard-archive-\(getpid())-\(UInt64.random(in: .min ... .max))"
    try makeFolder(path)
  }

  /// Where the tests' archive is.
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

/// Makes a folder that only its owner may change.
func makeFolder(_ path: String) throws {
  let made = unsafe mkdir(path, 0o755)
  try #require(made == 0)
}

/// Removes an empty folder.
func removeFolder(_ path: String) { unsafe _ = rmdir(path) }

/// Who may do what with a file, as chmod(1) says it.
func setMode(_ path: String, _ mode: UInt32) { unsafe _ = chmod(path, mode) }

/// The mode of a file; nil where there is none.
func mode(of path: String) -> UInt32? {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

/// The bytes of a file; nil where there is none.
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

/// Puts these bytes in a file, and nothing else.
func write(_ bytes: [UInt8], to path: String) throws {
  let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  let count = unsafe pwrite(descriptor, bytes, bytes.count, 0)
  try #require(count == bytes.count)
}

/// The thread that calls this goes to files as this user from now on, root without root's rights, which modes do not
/// bind. Unlike setuid(2) it is for one thread, and can be taken back (setfsuid(2)).
func useFiles(asUser user: UInt32) {
  typealias Call = @convention(c) (UInt32) -> Int32
  guard let call = unsafe dlsym(nil, "setfsuid") else { return }
  _ = unsafe unsafeBitCast(call, to: Call.self)(user)
}

/// Nobody, who owns no file.
let nobody: UInt32 = 65534
