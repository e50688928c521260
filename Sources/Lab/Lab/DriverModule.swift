/// A driver that Debian's kernels omit, compiled from Debian's source for the lab's kernel and cached.
///
/// Nothing is installed: the packages are unpacked in the cache and removed afterwards.
struct DriverModule: Sendable, Equatable {
  /// The module's name.
  let name: String
  /// The directory of the driver in the kernel's source tree.
  let folder: String
  /// The configuration option that enables the driver in the kernel's build.
  let setting: String
  /// The module's source file, if it is not in the kernel's source tree.
  var source: String?

  /// The driver for USB displays whose connectors have types and EDIDs.
  static let gud = DriverModule(name: "gud", folder: "drivers/gpu/drm/gud", setting: "CONFIG_DRM_GUD")
  /// The driver of a virtual card with the frame timing of a real monitor.
  static let vkms = DriverModule(name: "vkms", folder: "drivers/gpu/drm/vkms", setting: "CONFIG_DRM_VKMS")

  /// Returns the path of the module, or nil if the kernel includes it.
  ///
  /// The first call for a kernel takes half a minute and downloads 150 MB of packages.
  func file(for kernel: KernelImage) throws(LabError) -> String? {
    let modules = KernelModules(dependencies: try Files.text(kernel.modules + "/modules.dep"))
    if modules.contains(name) { return nil }
    let cache = try Cache.open()
    let version = source.map { "-\(CRC32.sum($0.utf8, from: 0))" } ?? ""
    let file = "\(cache.directory)/drivers-\(kernel.version)/\(name)\(version).ko"
    if Files.exists(file) { return file }
    return try cache.whileLocked { () throws(LabError) in
      // Another lab may have compiled it while this one waited.
      if !Files.exists(file) { try compile(for: kernel, to: file, cache) }
      return file
    }
  }

  private func compile(for kernel: KernelImage, to file: String, _ cache: Cache) throws(LabError) {
    let work = "\(cache.directory)/work-\(name)"
    // Remove the directory of a killed process. The cache is locked, so no other process uses it.
    Files.remove(work)
    try Files.makeDirectory(work)
    defer { Files.remove(work) }
    let compiler = try HostTool.gcc.find()
    _ = try HostTool.make.find()
    let headers = try unpackHeaders(of: kernel, in: work, cache)
    if let source {
      try Files.makeDirectory("\(work)/source")
      try Files.write(Array(source.utf8), to: "\(work)/source/\(name).c")
      try Files.write(Array("obj-$(\(setting)) := \(name).o\n".utf8), to: "\(work)/source/Makefile")
    } else {
      try unpackSource(of: kernel, in: work, cache)
    }
    do throws(LabError) {
      // Disable BTF type information, which would require another tool.
      try HostTool.make.run([
        "-C", headers, "M=\(work)/source", "\(setting)=m", "CC=\(compiler)", "CONFIG_DEBUG_INFO_BTF_MODULES=",
        "modules",
      ])
    } catch {
      throw LabError(.refused, "the module \(name) cannot be compiled for the lab's kernel \(kernel.version): \(error)")
    }
    try Files.makeDirectory(Files.parentDirectory(file))
    try Files.rename("\(work)/source/\(name).ko", to: file)
  }

  // MARK: Packages

  /// Unpacks the kernel's headers and build tools, and returns the directory to build from.
  private func unpackHeaders(of kernel: KernelImage, in work: String, _ cache: Cache) throws(LabError) -> String {
    let package = "linux-headers-\(kernel.version)"
    do throws(LabError) {
      let packages = try DebianPackages.having(package, in: cache)
      try packages.unpack(Self.headerPackages(package, needing: try packages.dependencies(of: package)), to: work)
    } catch {
      throw LabError(
        .missing,
        "the headers of the lab's kernel \(kernel.version) are unavailable: \(error)\nas root: apt-get update; if Debian now "
          + "has a newer kernel, remove \(kernel.directory) so that the lab uses it")
    }
    let headers = "\(work)/usr/src/\(package)"
    // The makefiles refer to the common headers by their installed path.
    for name in ["Makefile", ".kernelvariables"] where Files.exists("\(headers)/\(name)") {
      let text = Self.moved(try Files.text("\(headers)/\(name)"), below: work)
      try Files.write(Array(text.utf8), to: "\(headers)/\(name)")
    }
    return headers
  }

  /// Unpacks only the driver's directory.
  ///
  /// The package contains the complete kernel source, 140 MB.
  private func unpackSource(of kernel: KernelImage, in work: String, _ cache: Cache) throws(LabError) {
    let package = try Self.sourcePackage(kernel.version)
    let folder = "\(work)/package"
    try DebianPackages.having(package, in: cache).unpack([package], to: folder)
    try HostTool.tar.run([
      "-xJf", "\(folder)/usr/src/\(package).tar.xz", "-C", folder, "--wildcards", "\(package)/\(self.folder)/*",
    ])
    try Files.rename("\(folder)/\(package)/\(self.folder)", to: "\(work)/source")
    Files.remove(folder)
  }

  /// Returns the headers' packages and those of their dependencies that belong to the kernel, except the compiler.
  static func headerPackages(_ package: String, needing dependencies: [String]) throws(LabError) -> [String] {
    let parts = ["linux-headers-", "linux-kbuild-", "linux-base-"]
    let needed = dependencies.filter { name in parts.contains { name.hasPrefix($0) } }
    guard !needed.isEmpty else { throw LabError(.missing, "apt has no package \(package)") }
    return [package] + needed
  }

  /// Returns the source package of a kernel: "linux-source-6.1" for "6.1.0-56-amd64".
  static func sourcePackage(_ version: String) throws(LabError) -> String {
    let numbers = version.split(separator: ".").prefix(2)
    guard numbers.count == 2, numbers.allSatisfy({ Int($0) != nil }) else {
      throw LabError(.invalid, "\(version) is not a kernel version: it must begin with two numbers")
    }
    return "linux-source-" + numbers.joined(separator: ".")
  }

  /// Returns a makefile with paths below /usr/src and /usr/lib moved below another directory.
  static func moved(_ text: String, below folder: String) -> String {
    var words: [Substring] = []
    var rest = text[...]
    // A path is at the start of a word or follows an equals sign.
    while let end = rest.firstIndex(where: { " =\n".contains($0) }) {
      words.append(rest[...end])
      rest = rest[rest.index(after: end)...]
    }
    return (words + [rest]).map { $0.hasPrefix("/usr/src/") || $0.hasPrefix("/usr/lib/") ? folder + $0 : String($0) }
      .joined()
  }
}
