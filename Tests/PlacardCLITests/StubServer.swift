import NIOCore
import NIOPosix

/// A server on a Unix socket whose answers a test determines.
protocol StubServer: Sendable {
  /// Adds the handlers of a connection.
  func configure(_ pipeline: ChannelPipeline.SynchronousOperations) throws
}

extension StubServer {
  /// Serves on a socket while the body runs.
  func serve(at socket: String, _ body: () async throws -> Void) async throws {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try configure(channel.pipeline.syncOperations) }
      }.bind(unixDomainSocketPath: socket).get()
    do {
      try await body()
    } catch {
      try await server.close()
      throw error
    }
    try await server.close()
  }
}
