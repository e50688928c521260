package import MQTT
package import NIOCore
import NIOPosix
import SystemCalls

/// A connection of a fleet's operator to the broker.
package actor FleetSession {
  /// The executor of the event loop passed to `init`.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  private nonisolated let loop: any EventLoop
  private let thread: MQTTThread
  private let options: MQTTOptions
  private var connection: Int?
  private var nextNumber = 0
  /// The caller that waits for the broker's answer to the connection or a subscription.
  private var waiter: CheckedContinuation<MQTTFault?, Never>?
  /// The messages that the broker has not acknowledged, by number.
  private var unacknowledged: [Int: CheckedContinuation<MQTTFault?, Never>] = [:]
  private var fault: MQTTFault?

  /// The messages of all subscriptions, for one consumer. The stream ends with the connection.
  package nonisolated let messages: AsyncStream<MQTTMessage>
  nonisolated let receiver: AsyncStream<MQTTMessage>.Continuation

  /// Creates a session that is not connected.
  ///
  /// - Parameters:
  ///   - options: The broker and the login.
  ///   - thread: The thread of the connection.
  ///   - loop: The event loop of the session.
  package init(options: MQTTOptions, thread: MQTTThread, loop: any EventLoop) {
    self.options = options
    self.thread = thread
    self.loop = loop
    (messages, receiver) = AsyncStream.makeStream(of: MQTTMessage.self)
  }

  /// Connects.
  ///
  /// - Throws: `MQTTFault` if there is no connection.
  package func connect() async throws(MQTTFault) {
    let fault = await withCheckedContinuation { waiter in
      self.waiter = waiter
      connection = thread.connect(options) { [weak self, loop] event in
        loop.execute { [weak self] in self?.assumeIsolated { $0.handle(event) } }
      }
    }
    if let fault { throw fault }
  }

  /// Subscribes to topics.
  ///
  /// - Parameter topics: The topics, which may have wildcards.
  /// - Throws: `MQTTFault` if the broker refuses one of them or the connection has ended.
  package func subscribe(_ topics: [String]) async throws(MQTTFault) {
    guard let connection, fault == nil else { throw fault ?? MQTTFault(.lost, "there is no connection") }
    let refusal = await withCheckedContinuation { waiter in
      self.waiter = waiter
      thread.subscribe(topics, on: connection)
    }
    if let refusal { throw refusal }
  }

  /// Publishes a message, and waits until the broker has acknowledged it.
  ///
  /// - Parameter message: The message.
  /// - Throws: `MQTTFault` if the connection ends before.
  package func publish(_ message: MQTTMessage) async throws(MQTTFault) {
    guard let connection, fault == nil else { throw fault ?? MQTTFault(.lost, "there is no connection") }
    nextNumber += 1
    let number = nextNumber
    let refusal = await withCheckedContinuation { waiter in
      unacknowledged[number] = waiter
      thread.publish(message, number: number, on: connection)
    }
    if let refusal { throw refusal }
  }

  /// Takes leave of the broker.
  package func end() {
    if let connection { thread.end(connection) }
    receiver.finish()
  }

  private func handle(_ event: MQTTEvent) {
    switch event {
    case .connected: resume(nil)
    case .subscribed(let isAccepted):
      resume(isAccepted ? nil : MQTTFault(.refusedLogin, "the broker refuses to subscribe to the topics of the fleet"))
    case .message(let message): receiver.yield(message)
    case .oversized: break
    case .published(let number): unacknowledged.removeValue(forKey: number)?.resume(returning: nil)
    case .ended(let fault):
      self.fault = fault
      resume(fault)
      for waiter in unacknowledged.values { waiter.resume(returning: fault) }
      unacknowledged = [:]
      receiver.finish()
    }
  }

  private func resume(_ fault: MQTTFault?) {
    waiter?.resume(returning: fault)
    waiter = nil
  }
}
