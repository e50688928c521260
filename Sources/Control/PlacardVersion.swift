/// The version of Placard: service, library and command line are released together.
public enum PlacardVersion {
  /// After semver.org.
  public static let current = "0.1.0"
}
