import DBus
import Glibc
import Logging
import NIOCore

/// The connection to the bus: carries what `LogindSession` says, keeps its lock, fills the stream. Lives on one event loop.
final class LogindPump {
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

  /// All that ends with a connection.
  private final class Connection {
    let socket: BusSocket
    var stream = DBusStream(passesDescriptors: true)
    /// Descriptors that came, whose messages have not been taken yet.
    var descriptors: [Descriptor] = []
    /// Closes when there is something to read.
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

  /// Connects. A machine without a bus at the start has none at all: then the stream ends.
  func start() {
    do throws(BusSocketError) {
      try connect()
    } catch {
      logger.info("no system bus, so that the machine's sleep and its lid are not heard of: \(error)")
      report(.noBus(reason: "\(error)"))
      stop()
    }
  }

  /// Closes everything, the lock with it, and ends the stream.
  func stop() {
    isStopped = true
    timer?.cancel()
    disconnect()
    lock = nil
    continuation.onTermination = nil
    continuation.finish()
    reporter.finish()
  }

  /// Lets the machine sleep.
  func release() { carryOut(session.release(), []) }

  // MARK: The connection's coming and going

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

  /// The bus went, or what it says is not understood. Buses do not come and go, but for an update of theirs: it is tried
  /// again, and only until it is back is there a timer.
  private func lost(_ reason: String) {
    disconnect()
    carryOut(session.lost(), [])
    if attempts == 0 { logger.warning("the system bus is lost, trying again: \(reason)") }
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

  /// Reads until nothing is left, since readiness is told once.
  private func read(_ connection: Connection) {
    guard connection === self.connection else { return }
    do throws(BusSocketError) {
      while case .bytes(let bytes, let descriptors) = try receive(connection) {
        connection.stream.receive(bytes)
        connection.descriptors += descriptors
        do throws(DBusError) {
          try takeSteps(connection)
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

  private func takeSteps(_ connection: Connection) throws(DBusError) {
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
        carryOut(session.take(message), own)
      case .skipped: connection.descriptors = []
      }
    }
  }

  // MARK: What the session wants

  /// Descriptors that nobody takes are closed when they are let go of.
  private func carryOut(_ actions: [LogindSession.Action], _ descriptors: [Descriptor]) {
    for action in actions {
      switch action {
      case .send(let message): send(message.bytes)
      case .tell(let event): continuation.yield(event)
      case .takeLock: lock = descriptors.first
      case .dropLock: lock = nil
      case .note(let text): logger.info("\(text)")
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

  /// What cannot be sent is noticed by the next read, too: the kernel tells both sides.
  private func send(_ bytes: [UInt8]) {
    do throws(BusSocketError) {
      try connection?.socket.send(bytes)
    } catch { lost("\(error)") }
  }
}
