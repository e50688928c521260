public import Control
public import Logging
public import NIOCore
import NIOHTTP1
import NIOPosix

/// The control service over HTTP/1.1 on a Unix socket.
///
/// Everything runs on one event loop. Nothing is periodic: an idle server never wakes.
public final class ControlServer: Sendable {
  /// What the server puts up with.
  public struct Limits: Hashable, Sendable {
    /// Most bytes of a request's body.
    public var body = 1 << 20
    /// Most bytes of a picture's file.
    public var picture = 32 << 20
    /// Most bytes of a refused body that are read, so that the client gets to see the refusal.
    public var discarded = 16 << 20
    /// Most events that wait for a client that does not read; one more closes its connection.
    public var events = 256
    /// Most connections at a time; the next ones are answered with 503.
    public var connections = 64

    /// The usual limits.
    public init() {}
  }

  private let channel: any Channel
  private let socket: ListeningSocket
  private let clients: NIOLoopBound<Clients>

  private init(channel: any Channel, socket: ListeningSocket, clients: NIOLoopBound<Clients>) {
    self.channel = channel
    self.socket = socket
    self.clients = clients
  }

  /// Opens the socket and serves until `close`.
  ///
  /// - Parameters:
  ///   - service: Who carries the requests out.
  ///   - path: The socket's path; a dead service's socket is replaced, a missing directory made.
  ///   - group: Who may use it besides the owner; nil gives it to group `placard` where that is possible.
  ///   - eventLoop: A loop of NIOPosix, where everything runs.
  ///   - logger: Told about clients that are dropped.
  ///   - limits: What the server puts up with.
  ///   - documents: What is served besides the service's own resources: the page, the schema of scenes.
  public static func start(
    service: any ControlService, socket path: String, group: String? = nil, eventLoop: any EventLoop, logger: Logger,
    limits: Limits = Limits(), documents: @escaping ServedDocument.Shelf = { _ in nil }
  ) async throws(ControlServerError) -> ControlServer {
    let socket = try ListeningSocket(path: path, group: group)
    do {
      return try await eventLoop.flatSubmit {
        let endpoints = Endpoints(service: service, documents: documents)
        let clients = Clients(endpoints, eventLoop: eventLoop, limits: limits, logger: logger)
        let bound = NIOLoopBound(clients, eventLoop: eventLoop)
        return bootstrap(bound, on: eventLoop).withBoundSocket(socket.descriptor).map { channel in
          ControlServer(channel: channel, socket: socket, clients: bound)
        }
      }.get()
    } catch {
      throw .eventLoop(path: path, message: "\(error)")
    }
  }

  /// Stops listening, removes the socket's file and closes all connections; returns when they are closed.
  public func close() async {
    socket.removeFile()
    try? await channel.close()
    let clients = self.clients
    try? await channel.eventLoop.flatSubmit { clients.value.close() }.get()
  }

  private static func bootstrap(_ clients: NIOLoopBound<Clients>, on eventLoop: any EventLoop) -> ServerBootstrap {
    ServerBootstrap(group: eventLoop).childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture { try clients.value.add(channel) }
    }
  }
}

/// The open connections of a server, on its event loop.
private final class Clients {
  private let endpoints: Endpoints
  private let limits: ControlServer.Limits
  private let logger: Logger
  private let executor: EventLoopTaskExecutor
  private let eventLoop: any EventLoop
  private var channels: [ObjectIdentifier: any Channel] = [:]

  init(_ endpoints: Endpoints, eventLoop: any EventLoop, limits: ControlServer.Limits, logger: Logger) {
    self.endpoints = endpoints
    self.limits = limits
    self.logger = logger
    self.eventLoop = eventLoop
    executor = EventLoopTaskExecutor(eventLoop)
  }

  func add(_ channel: any Channel) throws {
    let refusal = channels.count < limits.connections ? nil : Problem.busy(limit: limits.connections)
    let handler = HTTPConnection(endpoints, limits: limits, refusal: refusal, logger: logger, executor: executor)
    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: false)
    try channel.pipeline.syncOperations.addHandler(handler)
    channels[ObjectIdentifier(channel)] = channel
    channel.closeFuture.assumeIsolated().whenComplete { _ in self.channels[ObjectIdentifier(channel)] = nil }
  }

  func close() -> EventLoopFuture<Void> {
    EventLoopFuture.andAllComplete(channels.values.map { $0.close() }, on: eventLoop)
  }
}
