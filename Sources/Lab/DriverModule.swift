/// A driver that Debian's kernels leave out, compiled from Debian's own source for the lab's kernel, and kept in the
/// cache. Nothing is installed: packages are unpacked there and go again.
struct DriverModule: Sendable, Equatable {
  /// The module's name.
  let name: String
  /// Where its source is in the kernel's.
  let folder: String
  /// The setting that makes the kernel's build take it.
  let setting: String

  /// USB displays whose connectors have types and EDIDs.
  static let gud = DriverModule(name: "gud", folder: "drivers/gpu/drm/gud", setting: "CONFIG_DRM_GUD")
  /// A card without hardware, whose frames take as long as a monitor's.
  static let vkms = DriverModule(name: "vkms", folder: "drivers/gpu/drm/vkms", setting: "CONFIG_DRM_VKMS")

  /// The module's file; nil where the kernel comes with it. The first time takes half a minute and 150 MB of packages.
  func file(for kernel: KernelImage) throws(LabError) -> String? {
    let modules = KernelModules(dependencies: try Files.text(kernel.modules + "/modules.dep"))
    if modules.contains(name) { return nil }
    let cache = try Cache.open()
    let file = "\(cache.directory)/drivers-\(kernel.version)/\(name).ko"
    if Files.exists(file) { return file }
    return try cache.whileLocked { () throws(LabError) in
      // Another lab may have made it while this one waited.
      if !Files.exists(file) { try compile(for: kernel, to: file, in: "\(cache.directory)/work-\(name)") }
      return file
    }
  }

  private func compile(for kernel: KernelImage, to file: String, in work: String) throws(LabError) {
    // Left by one that was killed: the cache is locked, so that nobody works there now.
    Files.remove(work)
    try Files.makeDirectory(work)
    defer { Files.remove(work) }
    let compiler = try HostTool.gcc.find()
    _ = try HostTool.make.find()
    let headers = try unpackHeaders(of: kernel, in: work)
    try unpackSource(of: kernel, in: work)
    do throws(LabError) {
      // Without the types for BPF, which want one more tool.
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

  /// Unpacks the kernel's headers and its build's tools; returns the folder to build from.
  private func unpackHeaders(of kernel: KernelImage, in work: String) throws(LabError) -> String {
    let package = "linux-headers-\(kernel.version)"
    let needed: [String]
    do throws(LabError) {
      needed = try Self.headerPackages(package, depends: try HostTool.aptCache.run(["depends", package]))
      try HostTool.aptGet.run(["download"] + needed, in: work)
    } catch {
      throw LabError(
        .missing,
        "the headers of the lab's kernel \(kernel.version) cannot be had: \(error)\nas root: apt-get update; where Debian "
          + "has a newer kernel by now, remove \(kernel.directory), and the lab takes that")
    }
    for archive in Files.list(work) where archive.hasSuffix(".deb") {
      try HostTool.dpkgDeb.run(["-x", "\(work)/\(archive)", work])
      Files.remove("\(work)/\(archive)")
    }
    let headers = "\(work)/usr/src/\(package)"
    // It names its other half by the place where it would be installed.
    for name in ["Makefile", ".kernelvariables"] where Files.exists("\(headers)/\(name)") {
      let text = Self.moved(try Files.text("\(headers)/\(name)"), below: work)
      try Files.write(Array(text.utf8), to: "\(headers)/\(name)")
    }
    return headers
  }

  /// The folder of the driver, alone: its package has the whole kernel, 140 MB of it.
  private func unpackSource(of kernel: KernelImage, in work: String) throws(LabError) {
    let package = try Self.sourcePackage(kernel.version)
    let folder = "\(work)/package"
    try Files.makeDirectory(folder)
    try HostTool.aptGet.run(["download", package], in: folder)
    for archive in Files.list(folder) { try HostTool.dpkgDeb.run(["-x", "\(folder)/\(archive)", folder]) }
    try HostTool.tar.run([
      "-xJf", "\(folder)/usr/src/\(package).tar.xz", "-C", folder, "--wildcards", "\(package)/\(self.folder)/*",
    ])
    try Files.rename("\(folder)/\(package)/\(self.folder)", to: "\(work)/source")
    Files.remove(folder)
  }

  /// What `apt-cache depends` names of the headers, not the compiler: the host's own is taken.
  static func headerPackages(_ package: String, depends: String) throws(LabError) -> [String] {
    var packages = [package]
    for line in depends.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, words[0] == "Depends:" else { continue }
      if words[1].hasPrefix("linux-headers-") || words[1].hasPrefix("linux-kbuild-") {
        packages.append(String(words[1]))
      }
    }
    guard packages.count > 1 else { throw LabError(.missing, "apt knows no package \(package)") }
    return packages
  }

  /// "linux-source-6.1" for "6.1.0-56-amd64".
  static func sourcePackage(_ version: String) throws(LabError) -> String {
    let numbers = version.split(separator: ".").prefix(2)
    guard numbers.count == 2, numbers.allSatisfy({ Int($0) != nil }) else {
      throw LabError(.invalid, "\(version) is no version of a kernel: it must begin with two numbers")
    }
    return "linux-source-" + numbers.joined(separator: ".")
  }

  /// A makefile whose paths below /usr are below another folder.
  static func moved(_ text: String, below folder: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("/usr/src/") || $0.hasPrefix("/usr/lib/") ? folder + $0 : String($0) }
      .joined(separator: " ")
  }
}
