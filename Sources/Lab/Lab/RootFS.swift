import Glibc
import Primitives

/// A Debian root file system with systemd, in an image that labs do not change.
public struct RootFS: Sendable, Equatable {
  /// The path of the ext4 image.
  public let image: String

  /// Returns a Debian of the host's release with systemd, udev, D-Bus and additional packages.
  ///
  /// The first call for a set of packages builds the image, which takes about a minute and requires network access and
  /// root. Later calls use the cache. To get current packages, remove the image's directory from the cache.
  ///
  /// - Parameter packages: The names of additional Debian packages.
  /// - Throws: `LabError` if a name is invalid or the image cannot be built.
  /// - Returns: The root file system.
  public static func debian(packages: [String] = []) throws(LabError) -> RootFS {
    for package in packages where !isPackageName(package) {
      throw LabError(.invalid, "\"\(package)\" is not a valid name of a Debian package")
    }
    let (source, wanted) = (try DebianSource.host(), all(packages))
    let cache = try Cache.open()
    let directory = place(in: cache, source, wanted)
    let root = RootFS(image: directory + "/root.ext4")
    if Files.exists(root.image) { return root }
    return try cache.whileLocked { () throws(LabError) in
      // Another lab may have built it while this one waited.
      if !Files.exists(root.image) { try make(directory, source, wanted) }
      return root
    }
  }

  /// Returns whether `debian(packages:)` has a cached image, and thus requires neither network access nor root.
  public static func isCached(packages: [String] = []) -> Bool {
    guard let source = try? DebianSource.host(), let cache = try? Cache.open() else { return false }
    return Files.exists(place(in: cache, source, all(packages)) + "/root.ext4")
  }

  private static func all(_ packages: [String]) -> [String] {
    Set(base + packages).sorted()
  }

  private static func place(in cache: Cache, _ source: DebianSource, _ packages: [String]) -> String {
    "\(cache.directory)/debian-\(source.suite)-\(key(of: packages))"
  }

  /// The packages that a Debian needs to boot with systemd and detect its devices.
  private static let base = ["systemd", "systemd-sysv", "udev", "dbus", "kmod"]

  private static func make(_ directory: String, _ source: DebianSource, _ packages: [String]) throws(LabError) {
    guard getuid() == 0 else {
      throw LabError(
        .refused, "only root can build the lab's Debian; run this once as root with the same cache")
    }
    let work = "\(directory).work-\(getpid())"
    try Files.makeDirectory(work)
    defer { Files.remove(work) }
    let tree = work + "/tree"
    let debootstrap = [
      try HostTool.debootstrap.find(), "--variant=minbase", "--include=" + packages.joined(separator: ","),
      source.suite, tree, source.mirror,
    ]
    // Use a new mount namespace, so that /proc is unmounted if debootstrap fails halfway. In a chroot this is
    // impossible: its root is not a mount point, so the propagation cannot be changed (unshare(1)).
    if (try? HostTool.unshare.run(["--mount", "true"])) != nil {
      try HostTool.unshare.run(["--mount"] + debootstrap, environment: source.environment)
    } else {
      try HostTool.env.run(debootstrap, environment: source.environment)
    }
    try settle(tree, key: key(of: packages))
    try HostTool.mkfs.run(["-q", "-L", "lab", "-m", "0", "-d", tree, work + "/root.ext4", try size(of: tree)])
    Files.remove(tree)
    Files.remove(directory)
    try Files.rename(work, to: directory)
  }

  /// Completes the result of debootstrap.
  ///
  /// It sets a host name and a machine ID, allows root to log in on the console without a password, and removes
  /// downloaded packages. Without a machine ID, every boot would count as the first one.
  private static func settle(_ tree: String, key: String) throws(LabError) {
    try Files.write(Array("lab\n".utf8), to: tree + "/etc/hostname")
    try Files.write(Array((key + key + "\n").utf8), to: tree + "/etc/machine-id")
    try Files.write([], to: tree + "/etc/fstab")
    let shadow = try Files.text(tree + "/etc/shadow").split(separator: "\n").map { line in
      line.hasPrefix("root:*:") ? "root::" + line.dropFirst("root:*:".count) : String(line)
    }
    try Files.write(Array((shadow.joined(separator: "\n") + "\n").utf8), to: tree + "/etc/shadow", mode: 0o640)
    for name in Files.list(tree + "/var/cache/apt/archives") where name.hasSuffix(".deb") {
      Files.remove("\(tree)/var/cache/apt/archives/\(name)")
    }
  }

  /// Returns the size for mkfs.ext4: the size of the files, plus 25% for file system metadata, plus 32 MiB.
  private static func size(of tree: String) throws(LabError) -> String {
    let words = try HostTool.du.run(["-sk", tree]).split(whereSeparator: \.isWhitespace)
    guard let used = words.first.flatMap({ Int($0) }) else {
      throw LabError(.refused, "du did not report the size of \(tree)")
    }
    return "\(used + used / 4 + 32768)k"
  }

  /// Returns the FNV-1a hash of the names, as 16 hexadecimal digits.
  static func key(of packages: [String]) -> String {
    Hex.digits(FNV1a.hash(packages.joined(separator: ",").utf8), 16)
  }

  /// Returns whether a name is valid (Debian Policy 5.6.7): lowercase letters, digits, plus, minus and dot.
  ///
  /// The first character is a letter or digit, so a name cannot be an option.
  private static func isPackageName(_ name: String) -> Bool {
    let isAlphanumeric = { (byte: UInt8) in (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) }
    guard let first = name.utf8.first, isAlphanumeric(first) else { return false }
    return name.utf8.allSatisfy { isAlphanumeric($0) || [0x2b, 0x2d, 0x2e].contains($0) }
  }
}
