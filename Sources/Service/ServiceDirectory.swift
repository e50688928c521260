import Configuration
import Glibc

/// A directory for files of the daemon.
enum ServiceDirectory {
  /// Files that can be re-created.
  case cache
  /// Files that must persist.
  case state

  /// Returns the path of a file in the directory, or nil if this process has no such directory.
  func path(_ name: String) -> String? {
    path { variable in unsafe getenv(variable).flatMap { unsafe String(validatingCString: $0) } }.map {
      "\($0)/\(name)"
    }
  }

  /// Returns the directory that systemd created for the unit, or else the user's.
  ///
  /// The sources are systemd.exec(5), CacheDirectory= and StateDirectory=, and the XDG base directories.
  ///
  /// - Parameter environment: Returns the value of an environment variable.
  /// - Returns: The directory, or nil if no variable names an absolute path.
  func path(_ environment: (String) -> String?) -> String? {
    let (own, users, home) =
      switch self {
      case .cache: ("CACHE_DIRECTORY", "XDG_CACHE_HOME", ".cache")
      case .state: ("STATE_DIRECTORY", "XDG_STATE_HOME", ".local/state")
      }
    if let list = environment(own), let first = list.split(separator: ":").first, first.first == "/" {
      return String(first)
    }
    if let folder = environment(users), folder.first == "/" { return "\(folder)/placard" }
    if let folder = environment("HOME"), folder.first == "/" { return "\(folder)/\(home)/placard" }
    return nil
  }
}

extension Storage {
  /// Returns the path of the archive, and creates its folder if it is the default one.
  ///
  /// An error is ignored here: it recurs, and is reported, when the file is opened.
  ///
  /// - Returns: The path, or nil for an archive in memory.
  func preparedPath() -> String? {
    if case .usual = self, let path, let end = path.lastIndex(of: "/") { makeFolders(String(path[..<end])) }
    return path
  }

  /// The folder of uploaded images, next to the archive; nil for an archive in memory.
  ///
  /// An archive with a configured path has its own folder, `NAME.pictures`, because two daemons may share a directory.
  var picturesFolder: String? {
    guard let path else { return nil }
    if case .usual = self, let end = path.lastIndex(of: "/") { return "\(path[..<end])/pictures" }
    return (path.hasSuffix(".db") ? String(path.dropLast(3)) : path) + ".pictures"
  }

  private func makeFolders(_ folder: String) {
    if unsafe mkdir(folder, 0o750) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let end = folder.lastIndex(of: "/"), end > folder.startIndex else { return }
    makeFolders(String(folder[..<end]))
    _ = unsafe mkdir(folder, 0o750)
  }

  /// The path of the archive; nil for an archive in memory, or if this process has no state directory.
  var path: String? {
    switch self {
    case .usual: ServiceDirectory.state.path("placard.db")
    case .memory: nil
    case .file(let path): path
    }
  }
}
