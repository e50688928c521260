import DBus
import Glibc
import Logging
import NIOCore

/// The bus connection: performs the actions of `LogindSession`, holds its lock and yields its events.
///
/// Confined to one event loop.
final class LogindConnection {
  private let loop: any EventLoop
  private let logger: Logger
  private let addresses: [DBusAddress]
  private let continuation: AsyncStream<PowerEvent>.Continuation
  private let reporter: AsyncStream<LogindPresence>.Continuation
  private var reported: LogindPresence?
  private var session = LogindSession()
  private var connection: Connection?
  private var lock: Descriptor?
  private var timer: Scheduled<Void>?
  private var attempts = 0
  private var isStopped = false

  /// The state that ends with a connection.
  private final class Connection {
    let socket: BusSocket
    var stream = DBusStream(passesDescriptors: true)
    /// Received descriptors whose messages have not been parsed yet.
    var descriptors: [Descriptor] = []
    /// A channel that closes when the socket becomes readable.
    var readiness: EventLoopFuture<any Channel>?

    init(_ address: DBusAddress) throws(BusSocketError) { socket = try BusSocket(address) }
  }

  init(
    loop: any EventLoop, logger: Logger, addresses: [DBusAddress], continuation: AsyncStream<PowerEvent>.Continuation,
    reporter: AsyncStream<LogindPresence>.Continuation
  ) {
    self.loop = loop
    self.logger = logger
    self.addresses = addresses
    self.continuation = continuation
    self.reporter = reporter
  }

  /// Connects.
  ///
  /// If no bus is reachable at the start, the machine has none, so the stream finishes.
  func start() {
    do throws(BusSocketError) {
      try connect()
    } catch {
      logger.info("the system bus is unreachable, so host suspend and lid events are not received: \(error)")
      report(.noBus(reason: "\(error)"))
      stop()
    }
  }

  /// Closes the connection, releases the lock, and finishes the stream.
  func stop() {
    isStopped = true
    timer?.cancel()
    disconnect()
    lock = nil
    continuation.onTermination = nil
    continuation.finish()
    reporter.finish()
  }

  /// Releases the lock so that the machine can suspend.
  func release() { carryOut(session.release(), []) }

  // MARK: Connecting and disconnecting

  private func connect() throws(BusSocketError) {
    var failure = BusSocketError(call: "connect", errno: ENOENT)
    for address in addresses {
      do throws(BusSocketError) {
        let connection = try Connection(address)
        try connection.socket.send(DBusStream.opening(user: getuid()))
        self.connection = connection
        return try watch(connection)
      } catch { failure = error }
    }
    throw failure
  }

  private func disconnect() {
    let readiness = connection?.readiness
    connection = nil
    readiness?.assumeIsolated().whenSuccess { $0.close(promise: nil) }
  }

  /// Handles a lost connection or a protocol violation: disconnects and schedules a reconnect.
  ///
  /// The delay doubles with each attempt, from 50 ms to 60 s.
  ///
  /// A bus normally goes away only for its own upgrade. The timer runs only until the connection is restored.
  private func lost(_ reason: String) {
    disconnect()
    carryOut(session.lost(), [])
    if attempts == 0 { logger.warning("the connection to the system bus was lost, reconnecting: \(reason)") }
    guard !isStopped else { return }
    if attempts == 0 { report(.lostBus(reason: reason)) }
    let delay = TimeAmount.milliseconds(min(60_000, 50 << Int64(min(attempts, 11))))
    attempts += 1
    timer = loop.assumeIsolated().scheduleTask(in: delay) { self.reconnect() }
  }

  private func reconnect() {
    do throws(BusSocketError) { try connect() } catch { lost("\(error)") }
  }

  // MARK: Reading

  private func watch(_ connection: Connection) throws(BusSocketError) {
    connection.readiness = try Readiness.watch(connection.socket.descriptor, on: loop) { [weak self] in
      self?.read(connection)
    }
  }

  /// Reads until no bytes are left, because readiness is reported only once.
  private func read(_ connection: Connection) {
    guard connection === self.connection else { return }
    do throws(BusSocketError) {
      while case .bytes(let bytes, let descriptors) = try receive(connection) {
        connection.stream.receive(bytes)
        connection.descriptors += descriptors
        do throws(DBusError) {
          try performSteps(connection)
        } catch { return lost("\(error)") }
        guard connection === self.connection else { return }
      }
      try watch(connection)
    } catch { lost("\(error)") }
  }

  private func receive(_ connection: Connection) throws(BusSocketError) -> BusSocket.Chunk {
    let chunk = try connection.socket.receive()
    if case .end = chunk { throw BusSocketError(call: "recvmsg", errno: ECONNRESET) }
    return chunk
  }

  private func performSteps(_ connection: Connection) throws(DBusError) {
    while connection === self.connection, let step = try connection.stream.next() {
      switch step {
      case .send(let bytes): send(bytes)
      case .begin(let bytes):
        send(bytes)
        attempts = 0
        carryOut(session.opened(), [])
      case .message(let message):
        let count = min(Int(message.descriptorCount), connection.descriptors.count)
        let own = Array(connection.descriptors.prefix(count))
        connection.descriptors.removeFirst(count)
        carryOut(session.handle(message), own)
      case .skipped: connection.descriptors = []
      }
    }
  }

  // MARK: Session actions

  /// Performs the session's actions.
  ///
  /// Descriptors that no action keeps are closed when the array is released.
  private func carryOut(_ actions: [LogindSession.Action], _ descriptors: [Descriptor]) {
    for action in actions {
      switch action {
      case .send(let message): send(message.bytes)
      case .emit(let event): continuation.yield(event)
      case .acquireLock: lock = descriptors.first
      case .releaseLock: lock = nil
      case .log(let text): logger.info("\(text)")
      }
    }
    if let isPresent = session.isPresent { report(isPresent ? .present : .noLogind) }
  }

  /// Reports whether logind is there, where that changed.
  private func report(_ presence: LogindPresence) {
    guard presence != reported else { return }
    reported = presence
    reporter.yield(presence)
  }

  /// Sends bytes to the bus.
  ///
  /// A failed send disconnects.
  private func send(_ bytes: [UInt8]) {
    do throws(BusSocketError) {
      try connection?.socket.send(bytes)
    } catch { lost("\(error)") }
  }
}
