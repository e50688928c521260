/// A source of Debian packages, none of which is installed.
///
/// The source is the host's apt configuration, or Debian unstable with a separate index that the host's apt does not
/// use.
struct DebianPackages: Equatable {
  /// The additional options of apt.
  private let options: [String]

  static let host = DebianPackages(options: [])

  /// Returns Debian unstable on the mirror of the host's release, after downloading its index of 11 MB.
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

  /// The release keys from the package debian-archive-keyring, which apt depends on.
  private static let keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"

  /// Returns the host's source if it has the package, otherwise Debian unstable.
  static func having(_ package: String, in cache: Cache) throws(LabError) -> DebianPackages {
    if (try? host.dependencies(of: package)) != nil { return host }
    return try unstable(in: cache)
  }

  /// Returns the direct dependencies of a package, without alternatives.
  func dependencies(of package: String) throws(LabError) -> [String] {
    Self.dependencies(in: try HostTool.aptCache.run(options + ["depends", package]))
  }

  /// Parses the dependencies in the output of `apt-cache depends`.
  static func dependencies(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 && words[0] == "Depends:" ? String(words[1]) : nil
    }
  }

  /// Downloads packages and unpacks all of them into one directory.
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
