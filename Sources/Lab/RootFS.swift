import Glibc

/// A Debian with systemd for a lab, as an image that no lab changes.
public struct RootFS: Sendable, Equatable {
  /// Path of the ext4 image.
  public let image: String
  /// Makes a Debian of the host's release with systemd, udev, D-Bus and the packages given, or takes it from the cache.
  public static func debian(packages: [String] = []) throws(LabError) -> RootFS {
    RootFS(image: "")
  }
}
