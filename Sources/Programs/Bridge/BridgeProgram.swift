import Archive
package import Configuration
import Control
import ControlClient
import Glibc
import Logging
package import MQTT
import NIOCore
import NIOPosix
import SystemCalls

/// The program around a bridge.
package enum BridgeProgram {
  /// Runs a bridge until SIGTERM or SIGINT arrives; must be called on the main thread before any task.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - console: The function that receives each line of the log.
  /// - Throws: `MQTTFault` if file descriptors are missing.
  package static func run(_ settings: BridgeSettings, console: @escaping @Sendable (String) -> Void) throws(MQTTFault) {
    limitMemory()
    let signals = blockSignals()
    NIOSingletons.groupLoopCountSuggestion = 1
    GlobalLoop.install()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let (brokerLoop, diskLoop) = (group.next(), group.next())
    let thread: MQTTThread
    do throws(ErrorNumber) {
      thread = try MQTTThread(on: brokerLoop)
    } catch {
      throw MQTTFault(.other, "an eventfd cannot be created: \(error)")
    }
    let logger = Logger(label: "placard-mqtt") { _ in BridgeLog(write: console) }
    let control = NIOSingletons.posixEventLoopGroup.next()
    let archive = Archive(path: settings.storage, loop: diskLoop) { notice in
      if case .state(.stored) = notice { return logger.info("messages for the broker wait on disk again") }
      if let text = BridgeLog.text(of: notice) { logger.warning("\(text)") }
    }
    let client = PlacardClient(socket: settings.socket ?? SocketPath.default(), group: control)
    let box = BridgeBox(
      site: settings.site, node: settings.node, tags: settings.tags, queueLimit: settings.queueLimit,
      discovery: settings.discovery)
    let bridge = Bridge(
      box: box, brokers: options(settings), thread: thread, client: client, archive: archive, loop: control,
      logger: logger)
    Task { await bridge.start() }
    wait(for: signals)
    let ended = control.makePromise(of: Void.self)
    ended.completeWithTask {
      await bridge.stop()
      let stopped = control.makePromise(of: Void.self)
      thread.stop(stopped)
      try await stopped.futureResult.get()
    }
    try? ended.futureResult.wait()
  }

  /// Returns the options for libmosquitto.
  ///
  /// - Parameter settings: The settings.
  /// - Returns: The options for each broker, without a will.
  package static func options(_ settings: BridgeSettings) -> [MQTTOptions] {
    settings.brokers.map { broker in
      var options = MQTTOptions(
        host: broker.host, port: broker.port, client: "placard-\(settings.site)-\(settings.node)",
        version: settings.isVersion5 ? .v5 : .v3, keepalive: settings.keepalive)
      options.qos = settings.qos
      options.isClean = settings.qos == 0
      options.user = settings.user
      options.passwordFile = settings.passwordFile
      if broker.isEncrypted {
        options.tls = MQTTOptions.TLS(
          authorities: settings.authorities, certificate: settings.certificate, key: settings.key)
      }
      return options
    }
  }

  /// Limits the memory of the process, so that libmosquitto cannot allocate the 256 MB of the largest message.
  ///
  /// It allocates the size that a message announces before the message has arrived.
  private static func limitMemory() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 96 << 20)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
  }

  private static func blockSignals() -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGTERM, SIGINT, SIGPIPE] { unsafe sigaddset(&set, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    unsafe sigdelset(&set, SIGPIPE)
    return set
  }

  private static func wait(for signals: sigset_t) {
    var set = signals
    while true {
      let number = unsafe sigwaitinfo(&set, nil)
      if number > 0 { return }
    }
  }
}

/// The log of the bridge: one line per event.
struct BridgeLog: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]
  let write: @Sendable (String) -> Void

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { write("\(event.level): \(event.message)") }

  /// Returns the line for a notice of the archive; nil for one without news.
  static func text(of notice: ArchiveNotice) -> String? {
    switch notice {
    case .state(.inMemory(let failure)): "messages for the broker wait in memory: \(failure.error)"
    case .state: nil
    case .replaced(let replacement): "the queue was damaged; the old file is \(replacement.aside)"
    case .renewed(let renewal): "the queue \(renewal.path) was removed or replaced; it was written again"
    case .dropped(let count): "\(count) messages for the broker were lost, because the disk was full for too long"
    }
  }
}
