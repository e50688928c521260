/// Debian's packages as they can be had, none of which is installed: what the host's apt knows, or what is in Debian
/// unstable, of which the lab keeps an index of its own, so that the host's apt never hears of it.
struct DebianPackages: Equatable {
  /// What apt is told besides.
  private let options: [String]

  static let host = DebianPackages(options: [])

  /// Debian unstable, from the archive that the host has its release from; fetches the index, 11 MB.
  static func unstable(in cache: Cache) throws(LabError) -> DebianPackages {
    let folder = "\(cache.directory)/apt-sid"
    for name in ["lists/partial", "archives/partial", "parts"] { try Files.makeDirectory("\(folder)/\(name)") }
    let line = "deb [signed-by=\(keyring)] \(try DebianSource.host().mirror) sid main\n"
    try Files.write(Array(line.utf8), to: "\(folder)/sources.list")
    let settings = [
      "Dir::State::Lists=\(folder)/lists", "Dir::State::Status=/dev/null", "Dir::Cache=\(folder)",
      "Dir::Etc::SourceList=\(folder)/sources.list", "Dir::Etc::SourceParts=\(folder)/parts",
    ]
    let packages = DebianPackages(options: settings.flatMap { ["-o", $0] })
    try HostTool.aptGet.run(packages.options + ["update"])
    return packages
  }

  /// The keys of Debian's releases, of its package debian-archive-keyring, which apt itself is installed with.
  private static let keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"

  /// The host's where apt knows the package, and unstable else.
  static func having(_ package: String, in cache: Cache) throws(LabError) -> DebianPackages {
    if (try? host.dependencies(of: package)) != nil { return host }
    return try unstable(in: cache)
  }

  /// The packages that one needs, without those that would do instead.
  func dependencies(of package: String) throws(LabError) -> [String] {
    Self.dependencies(in: try HostTool.aptCache.run(options + ["depends", package]))
  }

  /// What `apt-cache depends` names of them.
  static func dependencies(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 && words[0] == "Depends:" ? String(words[1]) : nil
    }
  }

  /// Downloads packages and unpacks them, all into one folder.
  func unpack(_ packages: [String], to tree: String) throws(LabError) {
    let folder = tree + ".packages"
    try Files.makeDirectory(folder)
    defer { Files.remove(folder) }
    try HostTool.aptGet.run(options + ["download"] + packages, in: folder)
    for archive in Files.list(folder) where archive.hasSuffix(".deb") {
      try HostTool.dpkgDeb.run(["-x", "\(folder)/\(archive)", tree])
    }
  }
}
