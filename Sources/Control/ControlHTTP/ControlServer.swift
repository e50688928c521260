package import Access
package import Control
package import Logging
package import NIOCore
import NIOHTTP1
import NIOPosix

/// The control service over HTTP/1.1, on a Unix socket and optionally on TCP.
///
/// Everything runs on one event loop. There is no periodic timer: an idle server never wakes up.
package final class ControlServer: Sendable {
  /// The limits of the server.
  package typealias Limits = AccessLimits

  /// A TCP listener.
  private struct Web {
    /// The configured address and port.
    let listen: ListenAddress
    let channel: any Channel
  }

  private let channel: any Channel
  private let socket: ListeningSocket
  private let clients: NIOLoopBound<Clients>
  private let web: NIOLoopBoundBox<Web?>

  private init(channel: any Channel, socket: ListeningSocket, clients: NIOLoopBound<Clients>) {
    self.channel = channel
    self.socket = socket
    self.clients = clients
    web = .makeEmptyBox(valueType: Web.self, eventLoop: channel.eventLoop)
  }

  /// Opens the socket and serves requests until `close()`.
  ///
  /// - Parameters:
  ///   - service: The service that carries out the requests.
  ///   - claim: The claimed path of the socket.
  ///   - group: The group that may use the socket besides the owner; nil for the group `placard`, if possible.
  ///   - eventLoop: The NIOPosix event loop on which everything runs.
  ///   - logger: The logger for rejections, logins and changes by clients.
  ///   - limits: The limits of the server.
  ///   - web: The configuration of the TCP listener; nil for none.
  ///   - documents: Finds the documents served besides the API: the web page and the scene schema.
  /// - Throws: `ControlServerError` if a listener cannot be opened.
  /// - Returns: The running server.
  package static func start(
    service: any ControlService, socket claim: SocketClaim, group: String? = nil, eventLoop: any EventLoop,
    logger: Logger,
    limits: Limits = Limits(), web: WebListenerSettings? = nil,
    documents: @escaping ServedDocument.Lookup = { _ in nil }
  ) async throws(ControlServerError) -> ControlServer {
    let socket = try ListeningSocket(claim, group: group)
    let server: ControlServer
    do {
      server = try await eventLoop.flatSubmit {
        let rejections = RejectionCounters(logger: logger)
        let authorizer = RequestAuthorizer(
          web?.rules ?? AccessRules(), limits: limits, hostName: Machine.hostName(), rejections: rejections,
          logger: logger)
        let endpoints = Endpoints(service: service, eventLoop: eventLoop, documents: documents, rejections: rejections)
        let clients = Clients(
          endpoints, authorizer: authorizer, eventLoop: eventLoop, limits: limits, rejections: rejections,
          logger: logger)
        let bound = NIOLoopBound(clients, eventLoop: eventLoop)
        return bootstrap(bound, .socket, on: eventLoop).withBoundSocket(socket.descriptor).map { channel in
          ControlServer(channel: channel, socket: socket, clients: bound)
        }
      }.get()
    } catch {
      throw .eventLoop(path: claim.path, message: "\(error)")
    }
    do {
      try await server.setWeb(web, limits: limits)
    } catch {
      await server.close()
      throw error
    }
    return server
  }

  /// Opens, changes or closes the TCP listener.
  ///
  /// If the address and the token stay the same, no connection is closed; otherwise all TCP connections are closed.
  ///
  /// - Parameters:
  ///   - listener: The configuration of the TCP listener; nil to close it.
  ///   - limits: The limits of the server.
  /// - Throws: `ControlServerError` if the listener cannot be opened. The previous one then remains, with its rules.
  package func setWeb(_ listener: WebListenerSettings?, limits: Limits) async throws(ControlServerError) {
    let descriptor = try await onLoop { server throws(ControlServerError) -> Int32? in
      guard let listener, listener.listen != server.web.value?.listen else { return nil }
      do throws(ControlServerError) {
        return try WebListener.open(listener.listen)
      } catch .portInUse where server.web.value?.listen.port == listener.listen.port {
        return try server.replaceWeb(by: listener.listen)
      }
    }
    do {
      try await channel.eventLoop.flatSubmit { self.apply(descriptor, listener, limits) }.get()
    } catch {
      throw .eventLoop(path: listener.map { "\($0.listen)" } ?? "", message: "\(error)")
    }
  }

  /// Returns the address of the TCP listener, with the port that the kernel chose, or nil without a listener.
  package func webAddress() async -> ListenAddress? {
    await onLoop { server in
      guard let web = server.web.value else { return nil }
      return ListenAddress(web.listen.address, port: web.channel.localAddress?.port ?? web.listen.port)
    }
  }

  /// Stops listening, removes the socket's file, and returns after all connections are closed.
  package func close() async {
    socket.removeFile()
    try? await channel.close()
    try? await channel.eventLoop.flatSubmit {
      self.closeWeb()
      return self.clients.value.close()
    }.get()
  }
}

// MARK: - On the event loop

extension ControlServer {
  private func apply(_ descriptor: Int32?, _ listener: WebListenerSettings?, _ limits: Limits) -> EventLoopFuture<Void>
  {
    let clients = clients.value
    clients.limits = limits
    let isSame = descriptor == nil && listener?.rules.token == clients.authorizer.rules.token
    clients.authorizer.rules = listener?.rules ?? AccessRules()
    if !isSame || listener == nil { clients.closeWeb() }
    guard let descriptor, let listener else {
      if listener == nil { closeWeb() }
      return channel.eventLoop.makeSucceededVoidFuture()
    }
    closeWeb()
    return serve(descriptor, at: listener.listen)
  }

  /// Opens a listener at another address, on the port of this server's own listener.
  ///
  /// The current listener is closed first, and opened again if the new one fails.
  ///
  /// - Parameter listen: The new address and port.
  /// - Throws: `ControlServerError` if the new listener cannot be opened.
  /// - Returns: The descriptor of the new listener, owned by the caller.
  private func replaceWeb(by listen: ListenAddress) throws(ControlServerError) -> Int32 {
    let last = web.value?.listen
    closeWeb()
    do throws(ControlServerError) {
      return try WebListener.open(listen)
    } catch {
      if let last, let descriptor = try? WebListener.open(last) { _ = serve(descriptor, at: last) }
      throw error
    }
  }

  /// Serves the clients of a TCP listener.
  private func serve(_ descriptor: Int32, at listen: ListenAddress) -> EventLoopFuture<Void> {
    Self.bootstrap(clients, .web, on: channel.eventLoop).withBoundSocket(descriptor).map { channel in
      self.web.value = Web(listen: listen, channel: channel)
    }
  }

  private func closeWeb() {
    web.value?.channel.close(promise: nil)
    web.value = nil
  }

  private func onLoop<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (ControlServer) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    // The future of a submission erases the error's type, and fails for no other reason while the loop runs.
    let result = try? await channel.eventLoop.submit { () -> Result<Value, Failure> in
      do throws(Failure) { return .success(try body(self)) } catch { return .failure(error) }
    }.get()
    guard let result else { preconditionFailure("the control loop has ended") }
    return try result.get()
  }

  private static func bootstrap(
    _ clients: NIOLoopBound<Clients>, _ listener: Clients.Listener, on eventLoop: any EventLoop
  ) -> ServerBootstrap {
    ServerBootstrap(group: eventLoop).serverChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        // Without free file descriptors, accept again after a second instead of in a busy loop.
        try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
      }
    }.childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture { try clients.value.add(channel, by: listener) }
    }
  }
}
