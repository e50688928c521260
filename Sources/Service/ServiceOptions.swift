public import Access
public import Configuration
public import Displays

/// What the command line says; it goes before the configuration file.
public struct ServiceOptions: Sendable {
  /// The configuration file; nil reads the usual one if it is there.
  public var configuration: String?
  /// The control socket; nil leaves it to the file or the usual place.
  public var socket: String?
  /// Which displays to drive; nil leaves it to the file.
  public var backend: Backend?
  /// How modes are chosen; nil leaves it to the file.
  public var policy: ModePolicy?
  /// The message at start; nil leaves it to the file.
  public var message: String?
  /// False forces the legacy calls whatever the file says.
  public var isAtomicAllowed: Bool
  /// How much is logged; nil leaves it to the file.
  public var logLevel: LogLevel?
  /// Where sessions, messages and history are kept; nil leaves it to the file.
  public var storage: Storage?
  /// True lets external displays sleep with the machine whatever the file says.
  public var sleepsWithController: Bool
  /// Where to listen for TCP; nil leaves it to the file.
  public var listen: ListenAddress?
  /// The file that holds the token; nil leaves it to the file.
  public var tokenFile: String?
  /// The file to record to; nil for none.
  public var record: String?
  /// True replaces serial numbers in the recording.
  public var masksSerials = false
  /// The recording to replay instead of serving; nil to serve.
  public var replay: String?
  /// True has the replay's report as JSON.
  public var isJSON = false

  /// Options from their parts; what is left out is left to the file.
  public init(
    configuration: String? = nil, socket: String? = nil, backend: Backend? = nil, policy: ModePolicy? = nil,
    message: String? = nil, isAtomicAllowed: Bool = true, logLevel: LogLevel? = nil,
    storage: Storage? = nil, sleepsWithController: Bool = false, listen: ListenAddress? = nil, tokenFile: String? = nil
  ) {
    self.configuration = configuration
    self.socket = socket
    self.backend = backend
    self.policy = policy
    self.message = message
    self.isAtomicAllowed = isAtomicAllowed
    self.logLevel = logLevel
    self.storage = storage
    self.sleepsWithController = sleepsWithController
    self.listen = listen
    self.tokenFile = tokenFile
  }

  /// Reads the file and lays these options over it.
  ///
  /// - Returns: The settings that count.
  /// - Throws: What is wrong in the file, by its line, or with the address to listen on.
  public func settings() throws(ConfigurationError) -> Settings {
    let facts = ReadingFacts(
      hasTokenFile: tokenFile != nil, isListenReplaced: listen != nil, firstPort: Machine.firstPort())
    var settings = try SettingsFile.load(configuration, facts: facts)
    settings.socket = socket ?? settings.socket
    settings.backend = backend ?? settings.backend
    settings.policy = policy ?? settings.policy
    settings.message = message ?? settings.message
    settings.isAtomicAllowed = settings.isAtomicAllowed && isAtomicAllowed
    settings.logLevel = logLevel ?? settings.logLevel
    settings.storage = storage ?? settings.storage
    settings.sleepsWithController = settings.sleepsWithController || sleepsWithController
    settings.controller.listen = listen ?? settings.controller.listen
    settings.controller.tokenFile = tokenFile ?? settings.controller.tokenFile
    let hasToken = settings.controller.tokenFile != nil
    if let listen, let refusal = listen.refusal(hasToken: hasToken, firstPort: facts.firstPort) {
      throw ConfigurationError(file: "--listen \(listen)", line: nil, reason: refusal)
    }
    return settings
  }
}
