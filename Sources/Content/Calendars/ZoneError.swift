/// The reason why a time zone cannot be loaded.
package enum ZoneError: Error, Hashable, Sendable {
  /// The tz database does not contain the name, or is not installed.
  case unknown(name: String)
  /// The zone's file cannot be read, with the `errno` of the failed call.
  case unreadable(path: String, errno: CInt)
  /// The zone's file is not a valid TZif file.
  case broken(path: String, reason: ZoneFileError)
}

/// A defect in a TZif file.
package enum ZoneFileError: Error, Hashable, Sendable {
  /// The file contains or lacks the described part.
  case content(String)
  /// The file counts leap seconds, as those in `right/` do; Unix time does not.
  case leapSeconds
}

extension ZoneError: CustomStringConvertible {
  /// The error as one or two readable sentences.
  package var description: String {
    switch self {
    case .unknown(let name):
      "there is no time zone \(name); use a name like Europe/Berlin (timedatectl list-timezones lists them all); "
        + "on Debian the package tzdata installs them"
    case .unreadable(let path, let errno):
      "\(path) cannot be read (errno \(errno)); check that it is a file that all users may read"
    case .broken(let path, let reason): "\(path) is not a time zone file: \(reason); reinstall the package tzdata"
    }
  }
}

extension ZoneFileError: CustomStringConvertible {
  /// The defect, as part of a sentence.
  package var description: String {
    switch self {
    case .content(let words): "it has \(words)"
    case .leapSeconds: "it counts leap seconds"
    }
  }
}
