package import Access
package import Configuration
package import Displays
import Glibc
import Locales
import Scenes

/// The command-line options, which take precedence over the configuration file.
package struct ServiceOptions: Sendable {
  /// The configuration file; nil reads the default one if it exists.
  package var configuration: String?
  /// The control socket; nil uses the configuration file or the default path.
  package var socket: String?
  /// The display backend; nil uses the configuration file.
  package var backend: Backend?
  /// The mode policy; nil uses the configuration file.
  package var policy: ModePolicy?
  /// The initial message; nil uses the configuration file.
  package var message: String?
  /// Whether atomic modesetting is allowed; false overrides the configuration file.
  package var isAtomicAllowed: Bool
  /// The log level; nil uses the configuration file.
  package var logLevel: LogLevel?
  /// The storage of sessions, messages, and history; nil uses the configuration file.
  package var storage: Storage?
  /// Whether external displays sleep during host suspend; true overrides the configuration file.
  package var sleepsOnHostSuspend: Bool
  /// The TCP address to listen on; nil uses the configuration file.
  package var listen: ListenAddress?
  /// The token file; nil uses the configuration file.
  package var tokenFile: String?
  /// The file to record to; nil for none.
  package var record: String?
  /// Whether the recording contains replaced serial numbers.
  package var masksSerials = false
  /// The recording to replay instead of running the daemon; nil to run it.
  package var replay: String?
  /// Whether the replay report is printed as JSON.
  package var isJSON = false

  /// Creates options; omitted ones are taken from the configuration file.
  package init(
    configuration: String? = nil, socket: String? = nil, backend: Backend? = nil, policy: ModePolicy? = nil,
    message: String? = nil, isAtomicAllowed: Bool = true, logLevel: LogLevel? = nil,
    storage: Storage? = nil, sleepsOnHostSuspend: Bool = false, listen: ListenAddress? = nil, tokenFile: String? = nil
  ) {
    self.configuration = configuration
    self.socket = socket
    self.backend = backend
    self.policy = policy
    self.message = message
    self.isAtomicAllowed = isAtomicAllowed
    self.logLevel = logLevel
    self.storage = storage
    self.sleepsOnHostSuspend = sleepsOnHostSuspend
    self.listen = listen
    self.tokenFile = tokenFile
  }

  /// Returns the value of a variable of the process's environment; nil if it is not set or not UTF-8.
  ///
  /// - Parameter variable: The variable's name.
  /// - Returns: The value.
  package static func environment(_ variable: String) -> String? {
    unsafe getenv(variable).flatMap { unsafe String(validatingCString: $0) }
  }

  /// Reads the configuration file and applies these options on top of it.
  ///
  /// - Parameter variable: Returns the value of an environment variable; nil if it is not set. Without a language in the
  ///   file, the host's locale determines it.
  /// - Throws: `ConfigurationError` with the line of the file, or for the address to listen on.
  /// - Returns: The effective settings.
  package func settings(
    _ variable: (String) -> String? = ServiceOptions.environment
  ) throws(ConfigurationError) -> Settings {
    let facts = ValidationContext(
      hasTokenFile: tokenFile != nil, isListenReplaced: listen != nil, firstPort: Machine.firstPort())
    var settings = try SettingsFile.load(configuration, facts: facts)
    settings.style.language = settings.style.language ?? Language.ofHost(variable)?.tag
    settings.socket = socket ?? settings.socket
    settings.backend = backend ?? settings.backend
    settings.policy = policy ?? settings.policy
    settings.message = message ?? settings.message
    settings.isAtomicAllowed = settings.isAtomicAllowed && isAtomicAllowed
    settings.logLevel = logLevel ?? settings.logLevel
    settings.storage = storage ?? settings.storage
    settings.sleepsOnHostSuspend = settings.sleepsOnHostSuspend || sleepsOnHostSuspend
    settings.controller.listen = listen ?? settings.controller.listen
    settings.controller.tokenFile = tokenFile ?? settings.controller.tokenFile
    let hasToken = settings.controller.tokenFile != nil
    if let listen, let refusal = listen.refusal(hasToken: hasToken, firstPort: facts.firstPort()) {
      throw ConfigurationError(file: "--listen \(listen)", line: nil, reason: refusal)
    }
    return settings
  }
}
