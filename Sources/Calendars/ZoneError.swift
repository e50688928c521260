/// Why there is no such zone.
public enum ZoneError: Error, Hashable, Sendable {
  /// The tz database has no zone of that name, or is not there.
  case unknown(name: String)
  /// The zone's file cannot be read; libc's number says why.
  case unreadable(path: String, errno: CInt)
  /// The zone's file is none.
  case broken(path: String, reason: ZoneFileError)
}

/// What is wrong with a file of the tz database.
public enum ZoneFileError: Error, Hashable, Sendable {
  /// What stands in it, or does not.
  case content(String)
  /// It counts leap seconds, as those in `right/` do, which the clocks of computers do not.
  case leapSeconds
}

extension ZoneError: CustomStringConvertible {
  /// One or two sentences for a person.
  public var description: String {
    switch self {
    case .unknown(let name):
      "there is no time zone \(name): names are like Europe/Berlin (timedatectl list-timezones tells them all); "
        + "Debian has them in the package tzdata"
    case .unreadable(let path, let errno): "\(path) cannot be read (errno \(errno)); is it a file that all may read?"
    case .broken(let path, let reason): "\(path) is no file of time zones: \(reason); reinstall the package tzdata"
    }
  }
}

extension ZoneFileError: CustomStringConvertible {
  /// What was found in the file.
  public var description: String {
    switch self {
    case .content(let words): "it has \(words)"
    case .leapSeconds: "it counts leap seconds"
    }
  }
}
