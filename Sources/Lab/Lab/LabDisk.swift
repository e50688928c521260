import Glibc

/// The disk of a guest: an image on the host that outlives the lab.
enum LabDisk {
  /// Creates an image with an empty ext4 at a path, unless the file exists.
  static func make(at path: String) throws(LabError) {
    if Files.exists(path) { return }
    let half = path + ".new"
    defer { Files.remove(half) }
    try HostTool.mkfs.run(["-q", "-F", half, "64M"])
    try Files.rename(half, to: path)
  }
}
