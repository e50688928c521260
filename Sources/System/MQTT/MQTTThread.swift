import CLinux
import Glibc
package import NIOCore
import Synchronization
package import SystemCalls

/// A thread that serves connections to brokers with libmosquitto, which looks up host names in the caller's thread.
///
/// It waits in poll(2) for sockets, commands and the next keepalive, so it is idle between messages.
package final class MQTTThread: Sendable {
  /// A function that receives the events of a connection, on this thread.
  package typealias Handler = @Sendable (MQTTEvent) -> Void

  private enum Command {
    case connect(Int, MQTTOptions, Handler)
    case publish(Int, MQTTMessage, number: Int)
    case subscribe(Int, [String])
    case end(Int)
    case stop(EventLoopPromise<Void>)
  }

  private let commands = Mutex<[Command]>([])
  private let nextID = Atomic(1)
  /// The eventfd that interrupts the wait.
  private let wakeup: Int32

  /// Starts to serve connections.
  ///
  /// - Parameter loop: An event loop whose thread is used for nothing else until `stop`.
  /// - Throws: `ErrorNumber` if no file descriptor is left.
  package init(on loop: any EventLoop) throws(ErrorNumber) {
    wakeup = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
    guard wakeup >= 0 else { throw ErrorNumber(errno) }
    loop.execute { self.run() }
  }

  deinit { close(wakeup) }

  /// Begins to connect to a broker. The events end with `MQTTEvent.ended`, after any failure.
  ///
  /// - Parameters:
  ///   - options: The broker and the login.
  ///   - handler: The function that receives the events.
  /// - Returns: The connection's number for the other functions, which ignore the numbers of ended connections.
  package func connect(_ options: MQTTOptions, handler: @escaping Handler) -> Int {
    let id = nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    send(.connect(id, options, handler))
    return id
  }

  /// Publishes a message, of which `MQTTEvent.published` has the number after the broker has acknowledged it.
  package func publish(_ message: MQTTMessage, number: Int, on connection: Int) {
    send(.publish(connection, message, number: number))
  }

  /// Subscribes to topics, and then reports `MQTTEvent.subscribed`.
  package func subscribe(_ topics: [String], on connection: Int) { send(.subscribe(connection, topics)) }

  /// Ends a connection after what was published before; the broker does not publish the will.
  package func end(_ connection: Int) { send(.end(connection)) }

  /// Ends all connections without taking leave, and the thread.
  package func stop(_ promise: EventLoopPromise<Void>) { send(.stop(promise)) }

  private func send(_ command: Command) {
    let isFirst = commands.withLock { commands in
      commands.append(command)
      return commands.count == 1
    }
    // The thread takes all commands at once, so only the first one must wake it.
    if isFirst { _ = eventfd_write(wakeup, 1) }
  }

  private func run() {
    var sessions: [Int: MQTTSession] = [:]
    while true {
      for command in takeCommands() {
        if case .stop(let promise) = command { return promise.succeed() }
        perform(command, &sessions)
      }
      let ids = Array(sessions.keys)
      let now = SystemClock.monotonicNanoseconds()
      var entries = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
      entries += ids.map { id in
        let session = sessions[id]
        return pollfd(fd: session?.descriptor ?? -1, events: session?.interest ?? 0, revents: 0)
      }
      let due = sessions.values.map(\.due).min()
      _ = unsafe poll(&entries, nfds_t(entries.count), due.map { Self.milliseconds(from: now, to: $0) } ?? -1)
      if entries[0].revents != 0 {
        var count: UInt64 = 0
        _ = unsafe eventfd_read(wakeup, &count)
      }
      let later = SystemClock.monotonicNanoseconds()
      for (id, entry) in zip(ids, entries.dropFirst()) {
        if sessions[id]?.serve(entry.revents, at: later) == false { sessions[id] = nil }
      }
    }
  }

  private func takeCommands() -> [Command] {
    commands.withLock { commands in
      defer { commands = [] }
      return commands
    }
  }

  private func perform(_ command: Command, _ sessions: inout [Int: MQTTSession]) {
    switch command {
    case .connect(let id, let options, let handler):
      do throws(MQTTFault) {
        sessions[id] = try MQTTSession(options, handler)
      } catch {
        handler(.ended(error))
      }
    case .publish(let id, let message, let number):
      if sessions[id]?.publish(message, number: number) == false { sessions[id] = nil }
    case .subscribe(let id, let topics):
      if sessions[id]?.subscribe(topics) == false { sessions[id] = nil }
    case .end(let id):
      sessions.removeValue(forKey: id)?.end()
    case .stop: break
    }
  }

  /// Returns the time until a moment for poll(2), rounded up so that the moment has come afterwards.
  private static func milliseconds(from now: UInt64, to due: UInt64) -> Int32 {
    due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
  }
}
