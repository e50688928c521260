import CLinux
import Glibc

/// The file operations of the lab, without Foundation.
enum Files {
  /// Returns the content of a file.
  static func read(_ path: String) throws(LabError) -> [UInt8] {
    let file = try Descriptor.open(path, O_RDONLY)
    var content: [UInt8] = []
    while true {
      switch file.read(1 << 20) {
      case .bytes(let bytes): content += bytes
      case .end: return content
      case .wouldBlock: throw LabError(.system, "read \(path): it would block; choose a regular file")
      case .failed(let code): throw LabError.system("read \(path)", code: code)
      }
    }
  }

  /// Returns the content of a file as text.
  ///
  /// Invalid UTF-8 is replaced.
  static func text(_ path: String) throws(LabError) -> String {
    String(decoding: try read(path), as: UTF8.self)
  }

  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(LabError) {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
    try file.writeAll(bytes, until: Deadline(in: .seconds(60)), to: path)
  }

  static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// Creates a directory and its missing parents.
  ///
  /// An existing directory is not an error.
  static func makeDirectory(_ path: String, mode: mode_t = 0o755) throws(LabError) {
    if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
    let parent = parentDirectory(path)
    guard errno == ENOENT, parent != path else { throw LabError.system("create the directory \(path)") }
    try makeDirectory(parent, mode: mode)
    if unsafe mkdir(path, mode) != 0 && errno != EEXIST { throw LabError.system("create the directory \(path)") }
  }

  static func parentDirectory(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func baseName(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  static func rename(_ old: String, to new: String) throws(LabError) {
    guard unsafe Glibc.rename(old, new) == 0 else { throw LabError.system("rename \(old) to \(new)") }
  }

  /// Creates a symbolic link.
  static func link(_ path: String, to target: String) throws(LabError) {
    guard unsafe symlink(target, path) == 0 else { throw LabError.system("create the link \(path)") }
  }

  /// Returns the sorted names in a directory, or an empty list if it cannot be read.
  static func list(_ path: String) -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a file, or a directory with its content.
  ///
  /// Symbolic links are not followed. A missing file is not an error.
  static func remove(_ path: String) {
    if unsafe unlink(path) == 0 || errno == ENOENT { return }
    for name in list(path) { remove(path + "/" + name) }
    unsafe rmdir(path)
  }
}
