import Logging
import NIOCore
import Systemd

/// The bus connection: performs the actions of `LogindSession`, holds its lock and yields its events.
///
/// Confined to one event loop.
final class LogindConnection {
  private let loop: any EventLoop
  private let logger: Logger
  private let address: String
  private let continuation: AsyncStream<PowerEvent>.Continuation
  private let reporter: AsyncStream<LogindPresence>.Continuation
  private var reported: LogindPresence?
  private var session = LogindSession()
  private var connection: Connection?
  private var lock: PassedDescriptor?
  private var timer: Scheduled<Void>?
  private var attempts = 0
  private var isStopped = false

  /// The state that ends with a connection.
  private final class Connection {
    let bus: Bus
    /// The questions of the calls that wait for their replies, by cookie.
    var questions: [UInt64: LogindSession.Question] = [:]
    /// A channel that closes when the socket becomes readable.
    var readiness: EventLoopFuture<any Channel>?

    init(_ address: String) throws(BusError) { bus = try Bus(address: address) }
  }

  init(
    loop: any EventLoop, logger: Logger, address: String, continuation: AsyncStream<PowerEvent>.Continuation,
    reporter: AsyncStream<LogindPresence>.Continuation
  ) {
    self.loop = loop
    self.logger = logger
    self.address = address
    self.continuation = continuation
    self.reporter = reporter
  }

  /// Connects.
  ///
  /// If no bus is reachable at the start, the machine has none, so the stream finishes.
  func start() {
    do throws(BusError) {
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
  func release() { carryOut(session.release()) }

  // MARK: Connecting and disconnecting

  private func connect() throws(BusError) {
    let connection = try Connection(address)
    self.connection = connection
    carryOut(session.opened())
    read(connection)
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
    carryOut(session.lost())
    if attempts == 0 { logger.warning("the connection to the system bus was lost, reconnecting: \(reason)") }
    guard !isStopped else { return }
    if attempts == 0 { report(.lostBus(reason: reason)) }
    let delay = TimeAmount.milliseconds(min(60_000, 50 << Int64(min(attempts, 11))))
    attempts += 1
    timer = loop.assumeIsolated().scheduleTask(in: delay) { self.reconnect() }
  }

  private func reconnect() {
    do throws(BusError) { try connect() } catch { lost("\(error)") }
  }

  // MARK: Reading

  /// Reads until no messages are left, and then waits for more, because readiness is reported only once.
  ///
  /// The first call also sends what authentication needs.
  private func read(_ connection: Connection) {
    guard connection === self.connection else { return }
    do throws(BusError) {
      while let message = try connection.bus.receive() {
        attempts = 0
        handle(message, of: connection)
        guard connection === self.connection else { return }
      }
      connection.readiness = Readiness.watch(try connection.bus.duplicateSocket(), on: loop) { [weak self] in
        self?.read(connection)
      }
    } catch { lost("\(error)") }
  }

  private func handle(_ message: BusMessage, of connection: Connection) {
    guard let cookie = message.replyCookie else { return carryOut(session.handle(message)) }
    guard let question = connection.questions.removeValue(forKey: cookie) else { return }
    carryOut(session.handle(reply: message, to: question))
  }

  // MARK: Session actions

  /// Performs the session's actions.
  private func carryOut(_ actions: [LogindSession.Action]) {
    for action in actions {
      switch action {
      case .send(let message, let question): send(message, question)
      case .emit(let event): continuation.yield(event)
      case .acquireLock(let descriptor): lock = descriptor
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

  /// Sends a call to the bus.
  ///
  /// A failed send disconnects.
  private func send(_ call: BusMessage, _ question: LogindSession.Question?) {
    guard let connection else { return }
    do throws(BusError) {
      connection.questions[try connection.bus.send(call)] = question
    } catch { lost("\(error)") }
  }
}
