import Configuration
import Logging
import Synchronization

/// The least level that is logged. All loggers of the service share one, so that a reload changes it for all of them.
final class LogThreshold: Sendable {
  private let kept: Mutex<Logger.Level>

  /// A threshold at the level of the settings.
  init(_ level: LogLevel = .info) { kept = Mutex(Logger.Level(level)) }

  /// The least level that is logged.
  var level: Logger.Level {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}

extension Logger.Level {
  /// The level of this name.
  init(_ level: LogLevel) { self = Logger.Level(rawValue: level.rawValue) ?? .info }
}
