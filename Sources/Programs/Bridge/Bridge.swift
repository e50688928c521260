package import Archive
import Control
package import ControlClient
package import Logging
package import MQTT
package import NIOCore
import SystemCalls

/// A bridge between one service and one broker: it runs the effects of its machine, and decides nothing.
package actor Bridge {
  /// The executor of the event loop passed to `init`.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  private nonisolated let loop: any EventLoop
  private let brokers: [MQTTOptions]
  private let thread: MQTTThread
  private let client: PlacardClient
  private let archive: Archive
  private let logger: Logger
  private var machine: BridgeMachine
  private var connection: Int?
  /// The number of the newest attempt to connect, which chooses the broker. Events of earlier ones are ignored.
  private var attempt = 0
  private var events: Task<Void, Never>?
  private var timer: Scheduled<Void>?
  private var armed: Int64?
  /// The last report of the connection's state to the service. Each waits for the previous one.
  private var reporting: Task<Void, Never>?
  private var isStopped = false

  /// Creates a bridge that is not connected yet.
  ///
  /// - Parameters:
  ///   - box: The names of the box.
  ///   - brokers: The brokers and the logins, at least one; the will is set by the bridge.
  ///   - thread: The thread of the connection to the broker.
  ///   - client: The client of the service.
  ///   - archive: The bridge's own archive, which nothing else uses.
  ///   - loop: The event loop of the bridge.
  ///   - logger: The logger for the bridge's few lines.
  package init(
    box: BridgeBox, brokers: [MQTTOptions], thread: MQTTThread, client: PlacardClient, archive: Archive,
    loop: any EventLoop, logger: Logger
  ) {
    machine = BridgeMachine(box: box)
    self.brokers = brokers
    self.thread = thread
    self.client = client
    self.archive = archive
    self.loop = loop
    self.logger = logger
  }

  /// Reads what is stored, and connects to both sides.
  package func start() async { handle(.loaded(await archive.load())) }

  /// Takes leave of the broker, and ends.
  package func stop() async {
    isStopped = true
    timer?.cancel()
    events?.cancel()
    if let connection {
      if machine.broker == .connected {
        thread.publish(machine.availability(isOnline: false), number: 0, on: connection)
      }
      thread.end(connection)
    }
    await reporting?.value
    try? await client.removeBridge("mqtt")
    await archive.close()
  }

  /// Why there is no connection to the broker; nil while there is one, and before the first attempt has ended.
  package var fault: MQTTFault? { machine.fault }

  private func handle(_ event: BridgeEvent) {
    guard !isStopped else { return }
    let now = Int64(SystemClock.monotonicNanoseconds() / 1_000_000)
    let moment = BridgeMachine.Moment(monotonic: now, wall: SystemClock.wallMilliseconds())
    for effect in machine.handle(event, at: moment) { run(effect) }
    arm(now)
  }

  /// Arms the timer for the next moment at which the machine acts by itself.
  private func arm(_ now: Int64) {
    guard machine.due != armed else { return }
    timer?.cancel()
    armed = machine.due
    guard let due = armed else { return }
    timer = loop.scheduleTask(in: .milliseconds(max(0, due - now))) { [weak self] in
      self?.assumeIsolated { bridge in
        bridge.armed = nil
        bridge.handle(.time)
      }
    }
  }

  private func run(_ effect: BridgeEffect) {
    switch effect {
    case .connect(let number, let isClean): connect(number, isClean)
    case .subscribe(let topics): if let connection { thread.subscribe(topics, on: connection) }
    case .publish(let message, let number):
      if let connection { thread.publish(message, number: number, on: connection) }
    case .store(let number, let changes):
      archive.give(changes)
      Task {
        await archive.store([])
        handle(.stored(number))
      }
    case .open(let place): open(after: place)
    case .readState(let isComplete): Task { handle(.state(await readState(isComplete))) }
    case .readHistory(let query): Task { handle(.history(query, try? await client.history(query))) }
    case .call(let number, let call): Task { handle(.answer(number, await answer(call))) }
    case .reportState(let fault): report(fault)
    case .log(let text, let isWarning): logger.log(level: isWarning ? .warning : .info, "\(text)")
    }
  }

  private func report(_ fault: MQTTFault?) {
    let detail = fault.map { "\($0)" } ?? options.address
    let request = BridgeRequest(
      state: fault == nil ? .connected : .waiting,
      detail: String(decoding: detail.utf8.prefix(BridgeRequest.largestDetail - 3), as: UTF8.self))
    reporting = Task { [reporting] in
      await reporting?.value
      // A service that has ended gets the state when it is back.
      _ = try? await client.setBridge("mqtt", request)
    }
  }

  /// The broker of the newest attempt to connect, and the login.
  private var options: MQTTOptions { brokers[attempt % brokers.count] }

  private func connect(_ number: Int, _ isClean: Bool) {
    attempt = number
    var options = options
    options.isClean = options.isClean || isClean
    options.will = machine.availability(isOnline: false)
    if let connection { thread.end(connection) }
    connection = thread.connect(options) { [weak self, loop] event in
      loop.execute { [weak self] in
        self?.assumeIsolated { if $0.attempt == number { $0.handle(.broker(event)) } }
      }
    }
  }

  private func open(after place: EventPlace?) {
    events?.cancel()
    events = Task {
      do throws(ClientError) {
        let notices = try await client.notices(after: place, bridge: "mqtt")
        handle(.serviceOpened)
        for try await notice in notices {
          switch notice {
          case .event(let event, let place): handle(.notice(event, at: place))
          case .gap: handle(.gap)
          }
        }
        handle(.serviceClosed(reason: "the service has ended the event stream"))
      } catch {
        if !Task.isCancelled { handle(.serviceClosed(reason: "\(error)")) }
      }
    }
  }

  private func readState(_ isComplete: Bool) async -> BoxState? {
    do throws(ClientError) {
      var state = BoxState(
        status: try await client.status(), health: try await client.health(), displays: try await client.displays())
      if isComplete {
        state.library = try await client.library()
        state.sessions = try await client.sessions()
      }
      return state
    } catch {
      return nil
    }
  }

  private func answer(_ call: ServiceCall) async -> ServiceAnswer {
    do throws(ClientError) {
      let client = call.key.map(client.once) ?? client
      let (status, body) = try await client.answer(call.method, call.path, body: call.body)
      return ServiceAnswer(status: status, body: body)
    } catch {
      return ServiceAnswer(status: ServiceAnswer.lost, body: [])
    }
  }
}
