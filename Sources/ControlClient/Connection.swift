import Control
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// A connection to the service, for one request.
struct Connection: Sendable {
  private let channel: any Channel

  /// Connects; `handlers` come behind the HTTP ones and are made on the event loop.
  init(
    to path: String, on group: any EventLoopGroup, handler: @escaping @Sendable () -> any ChannelHandler
  ) async throws(ClientError) {
    do {
      channel = try await ClientBootstrap(group: group).channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(handler())
        }
      }.connect(unixDomainSocketPath: path).get()
    } catch {
      throw Self.explain(error, path)
    }
  }

  /// Sends a request; its answer goes to the handler, and so does a failure.
  func send(_ method: HTTPMethod, _ path: String, body: [UInt8]?) {
    var headers = HTTPHeaders([("host", "placard"), ("connection", "close")])
    if let body {
      headers.add(name: "content-type", value: "application/json")
      headers.add(name: "content-length", value: "\(body.count)")
    }
    let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    if let body { channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil) }
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
  }

  /// Closes it, whatever is under way.
  func close() { channel.close(promise: nil) }

  private static func explain(_ error: any Error, _ path: String) -> ClientError {
    switch (error as? IOError)?.errnoCode {
    case ENOENT, ECONNREFUSED, ENOTDIR: .noService(path)
    case EACCES, EPERM: .notPermitted(path)
    default: .protocolError("\(path): connecting to the service failed: \(error).")
    }
  }
}
