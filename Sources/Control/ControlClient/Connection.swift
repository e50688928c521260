import Control
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import SystemCalls

/// A request to send over a connection.
struct Outgoing: Sendable {
  /// The method, such as `GET`.
  var method: HTTPMethod
  /// The percent-encoded request target.
  var path: String
  /// The headers other than `Host`, `Connection` and `Content-Length`.
  var headers = HTTPHeaders()
  /// The body; nil for a request without one.
  var body: [UInt8]?
  /// Whether the answer may take longer, for example until a frame is presented or a mode is set.
  ///
  /// The time limit then grows by `PlacardClient.waitingAllowance`.
  var waits = false
}

/// A connection to the service that carries one request.
struct Connection: Sendable {
  private let channel: any Channel
  private let address: ServiceAddress

  /// Connects to the service, or uses a socket that is already connected.
  ///
  /// - Parameters:
  ///   - address: The address to connect to, which also appears in errors and in the `Host` header.
  ///   - group: The event loops to run on.
  ///   - limit: The time limit for connecting; nil for 10 seconds.
  ///   - connected: A connected socket, which the connection then owns; nil to connect to `address`.
  ///   - handler: Creates the handler behind the HTTP handlers. It is called on the event loop.
  /// - Throws: `ClientError` if no connection is established.
  init(
    to address: ServiceAddress, on group: any EventLoopGroup, within limit: TimeAmount? = nil,
    connected: Int32? = nil,
    handler: @escaping @Sendable () -> any ChannelHandler
  ) async throws(ClientError) {
    self.address = address
    let bootstrap = ClientBootstrap(group: group).connectTimeout(limit ?? .seconds(10)).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHTTPClientHandlers()
        try channel.pipeline.syncOperations.addHandler(handler())
      }
    }
    do {
      if let connected {
        channel = try await bootstrap.withConnectedSocket(connected).get()
        return
      }
      switch address {
      case .socket(let path): channel = try await bootstrap.connect(unixDomainSocketPath: path).get()
      case .tcp(let host, let port): channel = try await bootstrap.connect(host: host, port: port).get()
      }
    } catch {
      throw Self.explain(error, address)
    }
  }

  /// Sends a request; the handler receives its response or its failure.
  func send(_ request: Outgoing) {
    var headers = request.headers
    headers.add(name: "host", value: address.authority)
    headers.add(name: "connection", value: "close")
    if let body = request.body { headers.add(name: "content-length", value: "\(body.count)") }
    let head = HTTPRequestHead(version: .http1_1, method: request.method, uri: request.path, headers: headers)
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    if let body = request.body {
      channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
    }
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
  }

  /// Closes the connection, even during a request.
  func close() { channel.close(promise: nil) }

  /// Returns why connecting failed: the system's error text for the first address of the host.
  private static func reason(_ error: any Error) -> String {
    let attempts = error as? NIOConnectionError
    guard attempts == nil || attempts?.connectionErrors.isEmpty == false else {
      return "the name \(attempts?.host ?? "of the host") has no address"
    }
    switch attempts?.connectionErrors.first?.error ?? error {
    case let error as IOError: return ErrorNumber(error.errnoCode).description
    case ChannelError.connectTimeout: return "it did not answer in time"
    case let other: return "\(other)"
    }
  }

  private static func explain(_ error: any Error, _ address: ServiceAddress) -> ClientError {
    guard case .socket(let path) = address else { return .unreachable("\(address)", reason(error)) }
    return switch (error as? IOError)?.errnoCode {
    case ENOENT, ECONNREFUSED, ENOTDIR: .noService(path)
    case EACCES, EPERM: .notPermitted(path)
    // connect(2): the socket's queue is full, so nothing accepts connections.
    case EAGAIN: .queueFull(path)
    default: .protocolError("\(path): connecting to the service failed: \(error).")
    }
  }
}
