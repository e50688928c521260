import CLinux
import Glibc

/// A Debian kernel with its modules, unpacked in the cache and never installed.
struct KernelImage: Sendable, Equatable {
  /// "6.1.0-56-amd64".
  let version: String
  /// Where boot/ and lib/modules/ are.
  let directory: String

  var image: String { "\(directory)/boot/vmlinuz-\(version)" }
  var modules: String { "\(directory)/lib/modules/\(version)" }

  /// The newest kernel in the cache, or, when there is none, the one that linux-image-amd64 names today, fetched.
  static func cached() throws(LabError) -> KernelImage {
    let cache = try Cache.open()
    if let kernel = newest(in: cache) { return kernel }
    return try cache.whileLocked { () throws(LabError) in
      // Another lab may have fetched it while this one waited.
      if let kernel = newest(in: cache) { return kernel }
      return try fetch(into: cache)
    }
  }

  private static func newest(in cache: Cache) -> KernelImage? {
    let names = Files.list(cache.directory).filter { $0.hasPrefix("kernel-") }
    let newest = names.max { numbers(in: $0).lexicographicallyPrecedes(numbers(in: $1)) }
    return newest.map { KernelImage(version: String($0.dropFirst(7)), directory: "\(cache.directory)/\($0)") }
  }

  /// 6, 1, 0, 56 of "kernel-6.1.0-56-amd64".
  private static func numbers(in version: String) -> [Int] {
    version.split { !$0.isNumber }.compactMap { Int($0) }
  }

  private static func fetch(into cache: Cache) throws(LabError) -> KernelImage {
    let work = "\(cache.directory)/work-\(getpid())"
    try Files.makeDirectory(work)
    defer { Files.remove(work) }
    let package = try imagePackage(try HostTool.aptCache.run(["depends", "linux-image-amd64"]))
    try HostTool.aptGet.run(["download", package], in: work)
    guard let archive = Files.list(work).first(where: { $0.hasSuffix(".deb") }) else {
      throw LabError(.missing, "apt-get download \(package) left no package; as root: apt-get update")
    }
    let tree = work + "/tree"
    try HostTool.dpkgDeb.run(["-x", "\(work)/\(archive)", tree])
    // Since Debian 13 the modules are below /usr, where /lib leads.
    if !Files.exists("\(tree)/lib") { try Files.link("\(tree)/lib", to: "usr/lib") }
    let version = String(package.dropFirst("linux-image-".count))
    try HostTool.depmod.run(["-b", tree, version])
    let kernel = KernelImage(version: version, directory: "\(cache.directory)/kernel-\(version)")
    try Files.rename(tree, to: kernel.directory)
    return kernel
  }

  /// The package that "Depends:" names, never the cloud flavour, which lacks the graphics drivers.
  static func imagePackage(_ depends: String) throws(LabError) -> String {
    for line in depends.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, words[0] == "Depends:", words[1].hasPrefix("linux-image-") else { continue }
      if !words[1].contains("cloud") { return String(words[1]) }
    }
    throw LabError(.missing, "apt knows no kernel behind linux-image-amd64; as root: apt-get update")
  }

  /// A module's content, unpacked where Debian ships it compressed.
  func module(_ path: String) throws(LabError) -> [UInt8] {
    guard path.hasSuffix(".xz") else { return try Files.read("\(modules)/\(path)") }
    let copy = "\(try Cache.open().directory)/module-\(getpid())-\(monotonicNanoseconds())"
    defer { Files.remove(copy) }
    let bytes = try Files.read("\(modules)/\(path)")
    try Files.write(bytes, to: copy + ".xz")
    try HostTool.xz.run(["-d", copy + ".xz"])
    return try Files.read(copy)
  }
}

/// $XDG_CACHE_HOME/placard-lab or ~/.cache/placard-lab: kernels and root file systems, shared by all labs of a user.
struct Cache {
  let directory: String

  static func open() throws(LabError) -> Cache {
    let base = unsafe getenv("XDG_CACHE_HOME").map { unsafe String(cString: $0) } ?? ""
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? "/root"
    let directory = (base.isEmpty ? home + "/.cache" : base) + "/placard-lab"
    try Files.makeDirectory(directory)
    return Cache(directory: directory)
  }

  /// Runs `body` while no other lab changes the cache.
  func whileLocked<Result>(_ body: () throws(LabError) -> Result) throws(LabError) -> Result {
    let file = try Descriptor.open(directory + "/lock", O_RDWR | O_CREAT, mode: 0o600)
    guard file.lock(wait: true) else { throw LabError.system("lock \(directory)/lock") }
    return try withExtendedLifetime(file) { () throws(LabError) in try body() }
  }
}
