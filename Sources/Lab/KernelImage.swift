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

  /// The newest kernel of a series in the cache, or, when there is none, the newest that apt knows, fetched. A series is
  /// its first two numbers, "6.12"; nil is $PLACARD_LAB_KERNEL or, where that is empty, what linux-image-amd64 names.
  static func cached(series: String? = nil) throws(LabError) -> KernelImage {
    let variable = unsafe getenv("PLACARD_LAB_KERNEL").map { unsafe String(cString: $0) }
    let wanted = series ?? variable ?? ""
    let series = wanted.isEmpty ? nil : try checked(wanted)
    let cache = try Cache.open()
    if let kernel = newest(of: series, in: cache) { return kernel }
    return try cache.whileLocked { () throws(LabError) in
      // Another lab may have fetched it while this one waited.
      if let kernel = newest(of: series, in: cache) { return kernel }
      return try fetch(series, into: cache)
    }
  }

  /// The kernel of a guest that runs.
  static func cached(version: String) throws(LabError) -> KernelImage {
    let cache = try Cache.open()
    let folders = [cache.directory] + Files.list(cache.directory).map { "\(cache.directory)/\($0)" }
    let found = folders.lazy.flatMap { kernels(in: $0) }.first { $0.version == version }
    guard let found else {
      throw LabError(
        .missing, "the kernel \(version) is in no folder of \(cache.directory) any more: boot the lab anew")
    }
    return found
  }

  /// Kernels of other series than the default are beside it, so that whoever wants no series never takes one of them.
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

  /// Whether "6.12.117+deb12-amd64" is of the series "6.12".
  static func isVersion(_ version: String, of series: String) -> Bool { version.hasPrefix(series + ".") }

  private static func checked(_ series: String) throws(LabError) -> String {
    let numbers = series.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 2, numbers.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }) else {
      throw LabError(.invalid, "\"\(series)\" is no series of kernels: give two numbers, as 6.12")
    }
    return series
  }

  /// 6, 1, 0, 56 of "kernel-6.1.0-56-amd64".
  private static func numbers(in version: String) -> [Int] {
    version.split { !$0.isNumber }.compactMap { Int($0) }
  }

  private static func fetch(_ series: String?, into cache: Cache) throws(LabError) -> KernelImage {
    let work = "\(cache.directory)/work-\(getpid())"
    try Files.makeDirectory(work)
    defer { Files.remove(work) }
    let package = try imagePackage(of: series)
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
    let kernel = KernelImage(version: version, directory: "\(folder(of: series, in: cache))/kernel-\(version)")
    try Files.makeDirectory(Files.parentDirectory(kernel.directory))
    try Files.rename(tree, to: kernel.directory)
    return kernel
  }

  /// The package of the newest kernel: Debian's own is named by linux-image-amd64, one that it has beside that, as
  /// 6.12 for Debian 12, by linux-image-6.12-amd64.
  private static func imagePackage(of series: String?) throws(LabError) -> String {
    let own = try imagePackage(try HostTool.aptCache.run(["depends", "linux-image-amd64"]))
    guard let series, !isVersion(String(own.dropFirst("linux-image-".count)), of: series) else { return own }
    do throws(LabError) {
      return try imagePackage(try HostTool.aptCache.run(["depends", "linux-image-\(series)-amd64"]))
    } catch {
      throw LabError(
        .missing,
        "apt knows no kernel \(series), neither as linux-image-amd64, which is \(own), nor as linux-image-\(series)-amd64; "
          + "add a source that has it in /etc/apt, and as root: apt-get update")
    }
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
