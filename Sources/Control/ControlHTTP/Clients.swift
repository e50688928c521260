import Access
import Control
import Logging
import NIOCore
import NIOHTTP1

/// The open connections of a server, confined to its event loop.
final class Clients {
  /// The listener that accepted a connection.
  enum Listener: Hashable {
    case socket
    case web
  }

  /// The maximum number of connections beyond the limit that get a 503; further ones are closed at once.
  private static let mostRefused = 32

  /// The authorizer of requests over TCP.
  let authorizer: RequestAuthorizer
  /// The limits of the server.
  var limits: AccessLimits {
    didSet { authorizer.setLimits(limits) }
  }
  private let endpoints: Endpoints
  private let rejections: RejectionCounters
  private let writes: WriteLog
  private let logger: Logger
  private let executor: EventLoopTaskExecutor
  private let eventLoop: any EventLoop
  private let bodies = BodyBudget()
  private let backlog = Backlog()
  private let broadcast: EventBroadcast
  private let heartbeat: Heartbeat
  private var channels: [ObjectIdentifier: (channel: any Channel, listener: Listener)] = [:]
  private var counts: [Listener: Int] = [:]
  private var shares: [IPAddress: Int] = [:]
  /// The number of connections over the socket by user ID.
  private var users: [UInt32: Int] = [:]
  private var refused = 0

  init(
    _ endpoints: Endpoints, authorizer: RequestAuthorizer, eventLoop: any EventLoop, limits: AccessLimits,
    rejections: RejectionCounters, logger: Logger
  ) {
    self.endpoints = endpoints
    self.authorizer = authorizer
    self.limits = limits
    self.rejections = rejections
    self.logger = logger
    self.eventLoop = eventLoop
    writes = WriteLog(logger)
    executor = EventLoopTaskExecutor(eventLoop)
    broadcast = EventBroadcast(eventLoop: eventLoop, executor: executor)
    heartbeat = Heartbeat(on: eventLoop)
  }

  /// Adds a new connection after identifying its client.
  func add(_ channel: any Channel, by listener: Listener) throws {
    guard listener == .web else {
      guard let client = LocalClient.peer(channel) else { return try add(channel, .local(nil), by: listener) }
      client.assumeIsolated().whenComplete { client in
        do {
          try self.add(channel, .local(try? client.get()), by: listener)
        } catch {
          channel.close(promise: nil)
        }
      }
      return
    }
    guard let peer = WebPeer(channel) else { return channel.close(promise: nil) }
    try add(channel, .web(peer), by: listener)
  }

  /// Adds a new connection of an identified client.
  func add(_ channel: any Channel, _ client: Client, by listener: Listener) throws {
    let cut = limit(that: client, by: listener)
    if let cut {
      rejections.count(cut, of: client, at: eventLoop.now)
      guard refused < Self.mostRefused else { return channel.close(promise: nil) }
      refused += 1
    }
    let connection = HTTPConnection(
      endpoints,
      ConnectionContext(
        client: client, authorizer: listener == .web ? authorizer : nil, limits: limits,
        refusal: cut.map { Problem.busy($0, limits) },
        rejections: rejections, bodies: bodies, writes: writes, backlog: backlog, broadcast: broadcast,
        heartbeat: heartbeat,
        logger: logger),
      executor: executor, eventLoop: eventLoop)
    try channel.pipeline.syncOperations.configure(connection, limits: limits)
    channels[ObjectIdentifier(channel)] = (channel, listener)
    if cut == nil { count(1, client, listener) }
    channel.closeFuture.assumeIsolated().whenComplete { _ in
      self.channels[ObjectIdentifier(channel)] = nil
      if cut == nil { self.count(-1, client, listener) } else { self.refused -= 1 }
    }
  }

  /// Returns the limit that a new connection exceeds, or nil if there is room.
  private func limit(that client: Client, by listener: Listener) -> AccessLimit? {
    if counts[listener, default: 0] >= limits.connections { return .connections }
    switch client {
    case .local(nil): return nil
    case .local(let local?):
      return users[local.user, default: 0] >= limits.connectionsPerUser ? .connectionsPerUser : nil
    case .web(let peer):
      guard !authorizer.isProxy(peer.address) else { return nil }
      return shares[peer.address.share, default: 0] >= limits.connectionsPerAddress ? .connectionsPerAddress : nil
    }
  }

  private func count(_ change: Int, _ client: Client, _ listener: Listener) {
    counts[listener, default: 0] += change
    switch client {
    case .local(nil): break
    case .local(let local?):
      users[local.user, default: 0] += change
      if users[local.user] == 0 { users[local.user] = nil }
    case .web(let peer):
      let share = peer.address.share
      shares[share, default: 0] += change
      if shares[share] == 0 { shares[share] = nil }
    }
  }

  /// Closes all connections.
  func close() -> EventLoopFuture<Void> {
    EventLoopFuture.andAllComplete(channels.values.map { $0.channel.close() }, on: eventLoop)
  }

  /// Closes all TCP connections, because the token or the listener has changed.
  func closeWeb() {
    for (channel, listener) in channels.values where listener == .web { channel.close(promise: nil) }
  }
}

/// The budget of body bytes for all connections together, confined to the event loop.
final class BodyBudget {
  private var held = 0

  /// Reserves bytes and returns true, or returns false if more than `most` would be held.
  func reserve(_ count: Int, of most: Int) -> Bool {
    guard count <= most - held else { return false }
    held += count
    return true
  }

  /// Releases reserved bytes.
  func release(_ count: Int) { held -= count }
}

extension ChannelPipeline.SynchronousOperations {
  /// Adds the handlers that turn bytes into requests, one at a time, and responses into bytes.
  func configure(_ connection: HTTPConnection, limits: AccessLimits) throws {
    var decoding = NIOHTTPDecoderLimitConfiguration()
    decoding.maxHeaderFieldSize = limits.head
    decoding.maxHeaderListSize = limits.head
    decoding.maxHeaderFieldCount = limits.headers
    let lines = RequestLines(connection, most: limits.head)
    try addHandlers([
      lines, HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: decoding)),
      RequestEnds(lines), HTTPServerPipelineHandler(), NIOHTTPResponseHeadersValidator(), connection,
    ])
  }
}
