import CLinux
import Control
import Glibc
import SystemCalls

/// The files of one folder used only by the daemon; names cannot lead to other folders, and links are not followed.
@safe
struct PictureFiles: ~Copyable {
  /// The current size and modification time of a file.
  struct Status: Hashable {
    var bytes: Int
    /// The modification time, in nanoseconds since 1970.
    var written: Int64
  }

  private let path: String
  private let descriptor: Int32

  /// The name of a file being written. A leftover after a power loss is replaced by the next upload.
  private static let draft = ".upload"

  private init(_ path: String, _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Opens the folder at a path.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - mustExist: Whether to create the folder if it is missing; its parent must exist.
  /// - Throws: `ControlError` if the folder cannot be created or opened, or has another owner.
  /// - Returns: The folder, or nil if it does not exist.
  static func folder(_ path: String, mustExist: Bool) throws(ControlError) -> PictureFiles? {
    if mustExist, unsafe mkdir(path, 0o750) != 0, errno != EEXIST { throw failure(errno, path) }
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(errno, path)
    }
    let files = PictureFiles(path, descriptor)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid() else {
      throw ControlError(
        .failed, "\(path) belongs to another user; change its owner to the service's user, or move it away")
    }
    return files
  }

  deinit { close(descriptor) }

  /// Returns all names in the folder.
  func names() throws(ControlError) -> [String] {
    // Open a separate description, because a duplicate would share the read position.
    let own = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0, let directory = unsafe fdopendir(own) else {
      let error = errno
      if own >= 0 { close(own) }
      throw PictureFiles.failure(error, path)
    }
    defer { unsafe _ = closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }

  /// Returns the status of a regular file, or nil if there is none of this name.
  func status(_ name: String) -> Status? {
    var status = stat()
    guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    let written = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    return Status(bytes: Int(status.st_size), written: written)
  }

  /// Returns a file's first bytes, at most `most`, or nil if there is no regular file of this name.
  func read(_ name: String, most: Int) throws(ControlError) -> [UInt8]? {
    // O_NONBLOCK: a FIFO of this name must not block the thread.
    let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT || errno == ELOOP { return nil }
      throw PictureFiles.failure(errno, "\(path)/\(name)")
    }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var error: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: min(Int(status.st_size), most)) { buffer, count in
      while count < buffer.count, error == 0 {
        let got = unsafe pread(file, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count, count)
        if got == 0 { break }
        if got > 0 { count += got } else if errno != EINTR { error = errno }
      }
    }
    guard error == 0 else { throw PictureFiles.failure(error, "\(path)/\(name)") }
    return bytes
  }

  /// Writes a file atomically and syncs it to disk.
  func write(_ name: String, _ bytes: [UInt8]) throws(ControlError) {
    unsafe unlinkat(descriptor, Self.draft, 0)
    let file = unsafe openat(descriptor, Self.draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
    guard file >= 0 else { throw PictureFiles.failure(errno, path) }
    var error = PictureFiles.store(bytes, in: file)
    close(file)
    if error == 0, unsafe renameat(descriptor, Self.draft, descriptor, name) != 0 { error = errno }
    guard error == 0 else {
      unsafe unlinkat(descriptor, Self.draft, 0)
      throw PictureFiles.failure(error, path)
    }
    // The file is already visible; this only protects its name against a power loss.
    fsync(descriptor)
  }

  /// Removes a file and returns whether it existed.
  func remove(_ name: String) throws(ControlError) -> Bool {
    if unsafe unlinkat(descriptor, name, 0) == 0 { return true }
    guard errno == ENOENT else { throw PictureFiles.failure(errno, "\(path)/\(name)") }
    return false
  }

  private static func store(_ bytes: [UInt8], in file: Int32) -> Int32 {
    do throws(ErrorNumber) { try Transfer.write(bytes, to: file) } catch { return error.code }
    return fsync(file) == 0 ? 0 : errno
  }

  private static func failure(_ error: Int32, _ path: String) -> ControlError {
    let words = ErrorNumber(error).description
    let advice =
      switch error {
      case ENOSPC, EDQUOT, EFBIG: "free some space there, and try again"
      case EROFS: "remount its disk writable, and try again"
      case EACCES, EPERM: "grant the service's user access to it"
      case ENOENT: "create its parent folder for the service's user"
      case ENOTDIR, ELOOP: "move away the file that is there instead of a folder"
      default: "check the kernel's log for errors of this disk"
      }
    return ControlError(.failed, "\(path): \(words); \(advice)")
  }
}
