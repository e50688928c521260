import CLinux
import Configuration
import Glibc
import SystemFiles

/// A directory for files of the daemon.
enum ServiceDirectory {
  /// Files that can be re-created.
  case cache
  /// Files that must persist.
  case state

  /// Returns the path of a file in the directory, or nil if this process has no such directory.
  func path(_ name: String) -> String? {
    path(ServiceOptions.environment).map { "\($0)/\(name)" }
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
  /// Returns the path of the archive, and makes its folder if it is missing. A failure is reported when the file is
  /// opened.
  ///
  /// The folder of a file that the settings name is not made in an empty folder, which may be the mount point of a disk
  /// that is mounted later and has the file.
  func preparedPath() -> String? {
    guard let path, let end = path.lastIndex(of: "/"), end > path.startIndex else { return path }
    let folder = String(path[..<end])
    if case .usual = self {
      makeFolders(folder)
    } else if !SystemFiles().names(in: existing(folder)).isEmpty {
      makeFolders(folder)
    }
    return path
  }

  /// The folder itself, or the nearest one above it that exists.
  private func existing(_ folder: String) -> String {
    var status = stat()
    guard unsafe stat(folder, &status) != 0, let end = folder.lastIndex(of: "/") else { return folder }
    return end == folder.startIndex ? "/" : existing(String(folder[..<end]))
  }

  /// The folder of uploaded pictures, beside the archive; nil where nothing is kept.
  ///
  /// An archive with a configured path has its own folder, `NAME.pictures`, because two daemons may share a directory.
  var imagesFolder: String? {
    guard let path else { return nil }
    if case .usual = self, let end = path.lastIndex(of: "/") { return "\(path[..<end])/images" }
    return (path.hasSuffix(".db") ? String(path.dropLast(3)) : path) + ".images"
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
