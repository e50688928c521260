import Glibc

/// The source of the host's Debian packages.
struct DebianSource: Equatable {
  /// The suite, such as "bookworm".
  let suite: String
  /// The URL of the archive, as in apt's sources.
  let mirror: String
  /// The environment variables with apt's proxy, for debootstrap.
  let environment: [String: String]

  /// Returns the suite of the host's release and the first of apt's sources that contains it.
  static func host() throws(LabError) -> DebianSource {
    let suite = try codename(osRelease: try Files.text("/etc/os-release"))
    var files = ["/etc/apt/sources.list"]
    files += Files.list("/etc/apt/sources.list.d").map { "/etc/apt/sources.list.d/" + $0 }
    let mirrors = files.compactMap { file in (try? Files.text(file)).flatMap { mirror(for: suite, in: $0) } }
    var environment: [String: String] = [:]
    for scheme in ["http", "https"] {
      let line = (try? HostTool.aptConfig.run(["shell", "PROXY", "Acquire::\(scheme)::Proxy"])) ?? ""
      let value = line.drop { $0 != "'" }.dropFirst().prefix { $0 != "'" }
      if !value.isEmpty, value != "DIRECT" { environment["\(scheme)_proxy"] = String(value) }
    }
    guard let mirror = mirrors.first else {
      throw LabError(
        .refused, "apt has no source for \(suite), which the full guest is built from; add one in /etc/apt")
    }
    return DebianSource(suite: suite, mirror: mirror, environment: environment)
  }

  /// Returns VERSION_CODENAME from the os-release(5) of a Debian.
  static func codename(osRelease text: String) throws(LabError) -> String {
    var values: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { values[parts[0]] = parts[1].drop { $0 == "\"" }.prefix { $0 != "\"" } }
    }
    guard values["ID"] == "debian", let name = values["VERSION_CODENAME"], !name.isEmpty else {
      throw LabError(.refused, "the host is not a Debian release; the full guest is built from the host's release")
    }
    return String(name)
  }

  /// Returns the URL of the first archive with exactly this suite.
  ///
  /// - Parameters:
  ///   - suite: The suite to find.
  ///   - text: The content of a sources file in one-line or deb822 format (sources.list(5)).
  /// - Returns: The URL, or nil if the file does not contain the suite.
  static func mirror(for suite: String, in text: String) -> String? {
    var addresses: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.split(whereSeparator: \.isWhitespace)
      switch words.first {
      case "deb": if let found = archive(oneLine: words, suite: suite) { return found }
      case "URIs:": addresses = Array(words.dropFirst())
      case "Suites:":
        if words.dropFirst().contains(Substring(suite)), let address = addresses.first { return String(address) }
      case nil: addresses = []
      default: continue
      }
    }
    return nil
  }

  /// Parses "deb [options] URI suite component...".
  private static func archive(oneLine words: [Substring], suite: String) -> String? {
    guard let start = words.firstIndex(where: { $0.contains("://") }), start + 1 < words.count else { return nil }
    return words[start + 1] == Substring(suite) ? String(words[start]) : nil
  }
}
