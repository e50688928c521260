import CLinux
import Glibc
import SystemCalls

/// A Debian kernel with its modules, unpacked in the cache without installation.
struct KernelImage: Sendable, Equatable {
  /// The version, such as "6.1.0-56-amd64".
  let version: String
  /// The directory that contains boot/ and lib/modules/.
  let directory: String

  var image: String { "\(directory)/boot/vmlinuz-\(version)" }
  var modules: String { "\(directory)/lib/modules/\(version)" }

  /// Returns the newest cached kernel of a series, after downloading one if there is none.
  ///
  /// The kernel is downloaded from the sources of the host's apt or from Debian unstable.
  ///
  /// - Parameter series: The first two version numbers, such as "6.12". If it is nil, $PLACARD_LAB_KERNEL applies. If
  ///   that is empty, the kernel of linux-image-amd64 applies.
  /// - Throws: `LabError` if the series is malformed or no such kernel is available.
  /// - Returns: The kernel.
  static func cached(series: String? = nil) throws(LabError) -> KernelImage {
    let variable = unsafe getenv("PLACARD_LAB_KERNEL").map { unsafe String(cString: $0) }
    let wanted = series ?? variable ?? ""
    let series = wanted.isEmpty ? nil : try checked(wanted)
    let cache = try Cache.open()
    if let kernel = newest(of: series, in: cache) { return kernel }
    return try cache.whileLocked { () throws(LabError) in
      // Another lab may have downloaded it while this one waited.
      if let kernel = newest(of: series, in: cache) { return kernel }
      return try fetch(series, into: cache)
    }
  }

  /// Returns the kernel of a running guest.
  static func cached(version: String) throws(LabError) -> KernelImage {
    let cache = try Cache.open()
    let folders = [cache.directory] + Files.list(cache.directory).map { "\(cache.directory)/\($0)" }
    let found = folders.lazy.flatMap { kernels(in: $0) }.first { $0.version == version }
    guard let found else {
      throw LabError(
        .missing, "the kernel \(version) is no longer in a folder of \(cache.directory); boot the lab again")
    }
    return found
  }

  /// Returns the directory of a series.
  ///
  /// A request without a series never selects kernels from a series directory.
  private static func folder(of series: String?, in cache: Cache) -> String {
    series.map { "\(cache.directory)/series-\($0)" } ?? cache.directory
  }

  private static func newest(of series: String?, in cache: Cache) -> KernelImage? {
    var found = kernels(in: cache.directory)
    if let series {
      found = (found + kernels(in: folder(of: series, in: cache))).filter { isVersion($0.version, of: series) }
    }
    return found.max { numbers(in: $0.version).lexicographicallyPrecedes(numbers(in: $1.version)) }
  }

  private static func kernels(in folder: String) -> [KernelImage] {
    Files.list(folder).filter { $0.hasPrefix("kernel-") }
      .map { KernelImage(version: String($0.dropFirst("kernel-".count)), directory: "\(folder)/\($0)") }
  }

  /// Returns whether a version such as "6.12.117+deb12-amd64" belongs to a series such as "6.12".
  static func isVersion(_ version: String, of series: String) -> Bool { version.hasPrefix(series + ".") }

  private static func checked(_ series: String) throws(LabError) -> String {
    let numbers = series.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 2, numbers.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }) else {
      throw LabError(.invalid, "\"\(series)\" is not a kernel series; specify two numbers, such as 6.12")
    }
    return series
  }

  /// Returns the numbers in a version: 6, 1, 0, 56 for "kernel-6.1.0-56-amd64".
  private static func numbers(in version: String) -> [Int] {
    version.split { !$0.isNumber }.compactMap { Int($0) }
  }

  private static func fetch(_ series: String?, into cache: Cache) throws(LabError) -> KernelImage {
    let work = "\(cache.directory)/work-\(getpid())"
    try Files.makeDirectory(work)
    defer { Files.remove(work) }
    let (package, packages) = try imagePackage(of: series, in: cache)
    let version = String(package.dropFirst("linux-image-".count))
    let tree = work + "/tree"
    try packages.unpack(Self.parts(of: package, needing: try packages.dependencies(of: package)), to: tree)
    try arrange(tree, version)
    try HostTool.depmod.run(["-b", tree, version])
    let kernel = KernelImage(version: version, directory: "\(folder(of: series, in: cache))/kernel-\(version)")
    try Files.makeDirectory(Files.parentDirectory(kernel.directory))
    try Files.rename(tree, to: kernel.directory)
    return kernel
  }

  /// Returns the packages of a kernel and its modules: one package, or three since 7.x.
  static func parts(of package: String, needing dependencies: [String]) -> [String] {
    [package] + dependencies.filter { $0.hasPrefix("linux-binary-") || $0.hasPrefix("linux-modules-") }
  }

  /// Links the paths of newer packages to the older layout.
  ///
  /// Since Debian 13, the modules are below /usr, to which /lib is a link. Since 7.x, the kernel is in its modules'
  /// directory.
  private static func arrange(_ tree: String, _ version: String) throws(LabError) {
    if !Files.exists("\(tree)/lib") { try Files.link("\(tree)/lib", to: "usr/lib") }
    guard !Files.exists("\(tree)/boot/vmlinuz-\(version)") else { return }
    try Files.makeDirectory("\(tree)/boot")
    try Files.link("\(tree)/boot/vmlinuz-\(version)", to: "../lib/modules/\(version)/vmlinuz")
  }

  /// Returns the package of the newest kernel of a series, and its source.
  ///
  /// linux-image-amd64 depends on Debian's default kernel. An additional one, such as 6.12 in Debian 12, has its own
  /// metapackage: linux-image-6.12-amd64. If the host's Debian lacks the series, Debian unstable may have it.
  private static func imagePackage(of series: String?, in cache: Cache) throws(LabError) -> (String, DebianPackages) {
    let host = DebianPackages.host
    let own = try imagePackage(behind: "linux-image-amd64", in: host)
    guard let series, !isImage(own, of: series) else { return (own, host) }
    if let other = try? imagePackage(behind: "linux-image-\(series)-amd64", in: host) { return (other, host) }
    let unstable = try DebianPackages.unstable(in: cache)
    let newest = try imagePackage(behind: "linux-image-amd64", in: unstable)
    guard isImage(newest, of: series) else {
      throw LabError(
        .missing,
        "apt has no kernel \(series): linux-image-amd64 is \(own), there is no linux-image-\(series)-amd64, "
          + "and Debian unstable has \(newest); add a source with it in /etc/apt, then as root: apt-get update")
    }
    return (newest, unstable)
  }

  private static func isImage(_ package: String, of series: String) -> Bool {
    isVersion(String(package.dropFirst("linux-image-".count)), of: series)
  }

  private static func imagePackage(behind package: String, in packages: DebianPackages) throws(LabError) -> String {
    try imagePackage(behind: package, needing: try packages.dependencies(of: package))
  }

  /// Returns the image that a metapackage depends on, but never the cloud flavor, which lacks the graphics drivers.
  static func imagePackage(behind package: String, needing dependencies: [String]) throws(LabError) -> String {
    if let image = dependencies.first(where: { $0.hasPrefix("linux-image-") && !$0.contains("cloud") }) { return image }
    throw LabError(.missing, "apt has no kernel image for \(package); as root: apt-get update")
  }

  /// Returns the content of a module, decompressed if necessary.
  func module(_ path: String) throws(LabError) -> [UInt8] {
    guard path.hasSuffix(".xz") else { return try Files.read("\(modules)/\(path)") }
    let copy = "\(try Cache.open().directory)/module-\(getpid())-\(SystemClock.monotonicNanoseconds())"
    defer { Files.remove(copy) }
    let bytes = try Files.read("\(modules)/\(path)")
    try Files.write(bytes, to: copy + ".xz")
    try HostTool.xz.run(["-d", copy + ".xz"])
    return try Files.read(copy)
  }
}

/// The cache of kernels and root file systems in $XDG_CACHE_HOME/placard-lab or ~/.cache/placard-lab.
///
/// All labs of a user share it.
struct Cache {
  let directory: String

  static func open() throws(LabError) -> Cache {
    let base = unsafe getenv("XDG_CACHE_HOME").map { unsafe String(cString: $0) } ?? ""
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? "/root"
    let directory = (base.isEmpty ? home + "/.cache" : base) + "/placard-lab"
    try Files.makeDirectory(directory)
    return Cache(directory: directory)
  }

  /// Runs `body` while holding the cache's exclusive lock.
  func whileLocked<Result>(_ body: () throws(LabError) -> Result) throws(LabError) -> Result {
    let file = try Descriptor.open(directory + "/lock", O_RDWR | O_CREAT, mode: 0o600)
    guard file.lock(wait: true) else { throw LabError.system("lock \(directory)/lock") }
    return try withExtendedLifetime(file) { () throws(LabError) in try body() }
  }
}
