import Control
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// A request as a connection sends it.
struct Outgoing: Sendable {
  /// `GET`, ...
  var method: HTTPMethod
  /// The target, with its escapes.
  var path: String
  /// Headers besides host, connection and length.
  var headers = HTTPHeaders()
  /// The body; nil for none.
  var body: [UInt8]?
  /// Whether the service answers only after a frame or a mode.
  var waits = false
}

/// A connection to the service, for one request.
struct Connection: Sendable {
  private let channel: any Channel
  private let address: ServiceAddress

  /// Connects, or continues on a connected socket; `handlers` come behind the HTTP ones and are made on the event loop.
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

  /// Sends a request; its answer goes to the handler, and so does a failure.
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

  /// Closes it, whatever is under way.
  func close() { channel.close(promise: nil) }

  /// The system's words for why the first of the host's addresses did not answer.
  private static func reason(_ error: any Error) -> String {
    let attempts = error as? NIOConnectionError
    guard attempts == nil || attempts?.connectionErrors.isEmpty == false else {
      return "no address is known by the name of \(attempts?.host ?? "the host")"
    }
    switch attempts?.connectionErrors.first?.error ?? error {
    case let error as IOError:
      guard let text = unsafe strerror(error.errnoCode) else { return "error \(error.errnoCode)" }
      return unsafe String(cString: text)
    case ChannelError.connectTimeout: return "it does not answer in time"
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
