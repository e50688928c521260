import Primitives

/// A cpio archive in the "newc" format, which the kernel unpacks as the initramfs (kernel:
/// Documentation/driver-api/early-userspace/buffer-format.rst).
struct CpioArchive {
  private var content: [UInt8] = []
  private var inode = 0
  private var directories: Set<String> = []

  /// Adds a directory and its missing parents.
  mutating func addDirectory(_ path: String, mode: UInt32 = 0o755) {
    let name = CpioArchive.relative(path)
    guard !name.isEmpty, !directories.contains(name) else { return }
    if let slash = name.lastIndex(of: "/") { addDirectory(String(name[..<slash])) }
    directories.insert(name)
    append(name, mode: 0o040000 | mode, data: [])
  }

  mutating func addFile(_ path: String, _ data: [UInt8], mode: UInt32 = 0o644) {
    addDirectory(Files.parentDirectory(path))
    append(CpioArchive.relative(path), mode: 0o100000 | mode, data: data)
  }

  mutating func addLink(_ path: String, to target: String) {
    addDirectory(Files.parentDirectory(path))
    append(CpioArchive.relative(path), mode: 0o120777, data: Array(target.utf8))
  }

  /// Returns the archive with its trailer, padded to 512 bytes so that another archive can follow.
  func finished() -> [UInt8] {
    var archive = self
    archive.append("TRAILER!!!", mode: 0, data: [])
    return archive.content + [UInt8](repeating: 0, count: (512 - archive.content.count % 512) % 512)
  }

  private mutating func append(_ name: String, mode: UInt32, data: [UInt8]) {
    inode += 1
    let links = mode & 0o170000 == 0o040000 ? 2 : 1
    // The fields are ino, mode, uid, gid, nlink, mtime, filesize, devmajor, devminor, rdevmajor, rdevminor, namesize,
    // check.
    let fields = [inode, Int(mode), 0, 0, links, 0, data.count, 0, 0, 0, 0, name.utf8.count + 1, 0]
    content += Array("070701".utf8)
    for field in fields { content += Array(Hex.digits(UInt64(field), 8).utf8) }
    content += Array(name.utf8) + [0]
    pad()
    content += data
    pad()
  }

  private mutating func pad() {
    while content.count % 4 != 0 { content.append(0) }
  }

  private static func relative(_ path: String) -> String {
    let name = String(path.drop { $0 == "/" })
    return name == "." ? "" : name
  }
}
