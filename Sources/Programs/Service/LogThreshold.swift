import Configuration
import Logging
import Synchronization

/// The minimum log level, shared by all loggers of the daemon so that a reload changes it for all of them.
final class LogThreshold: Sendable {
  private let kept: Mutex<Logger.Level>

  /// Creates a threshold at a level of the settings.
  init(_ level: LogLevel = .info) { kept = Mutex(Logger.Level(level)) }

  /// The minimum level that is logged.
  var level: Logger.Level {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}

extension Logger.Level {
  /// Creates the level with the same name.
  init(_ level: LogLevel) { self = Logger.Level(rawValue: level.rawValue) ?? .info }
}
