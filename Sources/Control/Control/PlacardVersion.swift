/// The version of Placard; daemon, library and command line are released together.
public enum PlacardVersion {
  /// The current version, in the format of semver.org.
  public static let current = "0.1.0"
}
