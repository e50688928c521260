import Access
import Control
import ControlClient
import ControlHTTP
import Glibc
import Logging
import NIOCore
import NIOPosix
import Testing

extension AccessLimits {
  /// The default limits with much longer times, because a test can stall for many seconds on a busy machine.
  static var patient: AccessLimits {
    var limits = AccessLimits()
    (limits.headSeconds, limits.bodySeconds, limits.idleSeconds, limits.stalledSeconds) = (600, 600, 600, 600)
    return limits
  }
}

/// A fake service behind a real server, for the duration of a test.
struct Serving {
  let service: FakeService
  let socket: String
  let server: ControlServer

  var client: PlacardClient { PlacardClient(socket: socket) }

  static func run(
    limits: ControlServer.Limits = .patient, web: WebListenerSettings? = nil,
    documents: @escaping ServedDocument.Lookup = { _ in nil }, _ body: (Serving) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let service = FakeService()
      let server = try await ControlServer.start(
        service: service, socket: SocketClaim(path: "\(directory)/s"),
        eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
        logger: quiet, limits: limits, web: web, documents: documents)
      do {
        try await body(Serving(service: service, socket: "\(directory)/s", server: server))
      } catch {
        await server.close()
        throw error
      }
      await server.close()
    }
  }

  static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Sends bytes; returns the server's bytes up to the end of the connection.
  func answer(to bytes: String) async throws -> String {
    let connection = try await RawConnection.open(socket)
    connection.send(bytes)
    return await connection.readToEnd()
  }

  /// Sends a request on a new connection; returns its response, which must match the OpenAPI document.
  func request(_ method: String, _ path: String, body: String? = nil) async throws -> String {
    let length = body.map { "content-length: \($0.utf8.count)\r\n" } ?? ""
    let answer = try await answer(
      to: "\(method) \(path) HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\(length)\r\n\(body ?? "")")
    #expect(Contract.faults(answer, to: method, path) == [])
    return answer
  }
}

/// Calls `body` with a directory in /tmp, short enough for a socket's path, and removes it with the test's files.
func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
  var template = Array("/tmp/placard-test-XXXXXX".utf8CString)
  try #require(unsafe mkdtemp(&template) != nil)
  let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer {
    unsafe unlink("\(path)/s")
    unsafe rmdir("\(path)/sub")
    unsafe rmdir(path)
  }
  try await body(path)
}

/// A client that sends and receives bytes.
struct RawConnection {
  private let channel: any Channel
  private let bytes: AsyncStream<[UInt8]>

  static func open(_ path: String, reads: Bool = true) async throws -> RawConnection {
    try await open(SocketAddress(unixDomainSocketPath: path), reads: reads)
  }

  static func open(_ address: SocketAddress, reads: Bool = true) async throws -> RawConnection {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      // NIO's default of ten seconds is too short beside many other tests, which share the event loops.
      .connectTimeout(.minutes(1))
      .channelOption(.autoRead, value: reads)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ByteCollector(continuation))
        }
      }.connect(to: address).get()
    return RawConnection(channel: channel, bytes: stream)
  }

  func send(_ text: String) { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }

  func send(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

  func close() { channel.close(promise: nil) }

  /// Reads until the server closes its side.
  func readToEnd() async -> String {
    var all: [UInt8] = []
    for await part in bytes { all += part }
    return String(decoding: all, as: UTF8.self)
  }

  /// Reads until a text has arrived.
  func read(until text: String) async -> String {
    var all = ""
    for await part in bytes {
      all += String(decoding: part, as: UTF8.self)
      if all.contains(text) { break }
    }
    return all
  }
}

private final class ByteCollector: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let bytes: AsyncStream<[UInt8]>.Continuation

  init(_ bytes: AsyncStream<[UInt8]>.Continuation) { self.bytes = bytes }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes.yield(Array(Self.unwrapInboundIn(data).readableBytesView))
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) { bytes.finish() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
