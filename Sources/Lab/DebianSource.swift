import Glibc

/// Where the host's apt fetches Debian from.
struct DebianSource: Equatable {
  /// "bookworm".
  let suite: String
  /// The address of an archive, as apt's sources have it.
  let mirror: String
  /// apt's proxy, for debootstrap.
  let environment: [String: String]

  /// The host's release, and the first of apt's sources that has it.
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
      throw LabError(.refused, "no source of apt has \(suite); the full guest is made from one: add it in /etc/apt")
    }
    return DebianSource(suite: suite, mirror: mirror, environment: environment)
  }

  /// VERSION_CODENAME of a Debian's os-release(5).
  static func codename(osRelease text: String) throws(LabError) -> String {
    var values: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { values[parts[0]] = parts[1].drop { $0 == "\"" }.prefix { $0 != "\"" } }
    }
    guard values["ID"] == "debian", let name = values["VERSION_CODENAME"], !name.isEmpty else {
      throw LabError(.refused, "the host is no Debian release; the full guest is made from the host's release")
    }
    return String(name)
  }

  /// The first plain archive of the suite in a sources file of either of apt's formats (sources.list(5)).
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

  /// "deb [options] URI suite component...".
  private static func archive(oneLine words: [Substring], suite: String) -> String? {
    guard let start = words.firstIndex(where: { $0.contains("://") }), start + 1 < words.count else { return nil }
    return words[start + 1] == Substring(suite) ? String(words[start]) : nil
  }
}
