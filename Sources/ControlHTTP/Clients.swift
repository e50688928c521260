import Access
import Control
import Logging
import NIOCore
import NIOHTTP1

/// The open connections of a server, on its event loop.
final class Clients {
  /// By which door a connection came in.
  enum Door: Hashable {
    case socket
    case web
  }

  /// Decides about requests over TCP.
  let gate: Gate
  /// What the server puts up with.
  var limits: AccessLimits
  private let endpoints: Endpoints
  private let logger: Logger
  private let executor: EventLoopTaskExecutor
  private let eventLoop: any EventLoop
  private let broadcast: EventBroadcast
  private let heartbeat: Heartbeat
  private var channels: [ObjectIdentifier: any Channel] = [:]
  private var counts: [Door: Int] = [:]

  init(_ endpoints: Endpoints, gate: Gate, eventLoop: any EventLoop, limits: AccessLimits, logger: Logger) {
    self.endpoints = endpoints
    self.gate = gate
    self.limits = limits
    self.logger = logger
    self.eventLoop = eventLoop
    executor = EventLoopTaskExecutor(eventLoop)
    broadcast = EventBroadcast(eventLoop: eventLoop, executor: executor)
    heartbeat = Heartbeat(on: eventLoop)
  }

  /// Takes a new connection.
  func add(_ channel: any Channel, by door: Door) throws {
    let refusal = counts[door, default: 0] < limits.connections ? nil : Problem.busy(limit: limits.connections)
    let handler = HTTPConnection(
      endpoints, gate: door == .web ? gate : nil, peer: WebPeer(channel), limits: limits, refusal: refusal,
      logger: logger, executor: executor, broadcast: broadcast, heartbeat: heartbeat)
    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: false)
    try channel.pipeline.syncOperations.addHandler(handler)
    channels[ObjectIdentifier(channel)] = channel
    counts[door, default: 0] += 1
    channel.closeFuture.assumeIsolated().whenComplete { _ in
      self.channels[ObjectIdentifier(channel)] = nil
      self.counts[door, default: 0] -= 1
    }
  }

  /// Closes all of them.
  func close() -> EventLoopFuture<Void> {
    EventLoopFuture.andAllComplete(channels.values.map { $0.close() }, on: eventLoop)
  }
}

extension WebPeer {
  /// The ends of a channel; nil for one that is not over TCP.
  init?(_ channel: any Channel) {
    guard let address = channel.remoteAddress?.ipAddress.flatMap({ IPAddress(parsing: $0) }) else { return nil }
    self.init(address: address, own: channel.localAddress?.ipAddress.flatMap { IPAddress(parsing: $0) })
  }
}
