import Access
import Control
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import ControlHTTP

/// A server's connections without sockets, on an event loop whose clock is set by hand, for tests that are not
/// asynchronous.
final class Wire {
  /// The lines that were logged.
  final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    fileprivate func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private struct Persistence: LogHandler {
    let lines: Lines
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) { lines.add("\(event.level): \(event.message)") }
  }

  let loop = EmbeddedEventLoop()
  let service = FakeService()
  let lines = Lines()
  let rejections: RejectionCounters
  let authorizer: RequestAuthorizer
  let clients: Clients

  init(limits: AccessLimits = AccessLimits(), rules: AccessRules = AccessRules()) {
    let logger = Logger(label: "test") { [lines] _ in Persistence(lines: lines) }
    rejections = RejectionCounters(logger: logger)
    authorizer = RequestAuthorizer(
      rules, limits: limits, hostName: "box.example", rejections: rejections, logger: logger)
    let endpoints = Endpoints(service: service, eventLoop: loop, rejections: rejections)
    clients = Clients(
      endpoints, authorizer: authorizer, eventLoop: loop, limits: limits, rejections: rejections, logger: logger)
  }

  /// Opens a connection from an address, or over the Unix socket if it is nil.
  func connect(from address: String? = nil) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel(loop: loop)
    let place =
      try address.map { try SocketAddress(ipAddress: $0, port: 1) } ?? SocketAddress(unixDomainSocketPath: "/s")
    channel.connect(to: place, promise: nil)
    try clients.add(channel, by: address == nil ? .socket : .web)
    loop.run()
    return channel
  }

  /// Sends bytes and runs the event loop.
  func send(_ text: String, on channel: EmbeddedChannel) throws {
    try channel.writeInbound(ByteBuffer(string: text))
    loop.run()
  }

  /// Returns the bytes that have arrived so far.
  func received(_ channel: EmbeddedChannel) throws -> String {
    var text = ""
    while let part = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
    return text
  }

  /// Runs the event loop until pages are complete, because their generation pauses between parts.
  func letPagesBeMade() { loop.advanceTime(by: .milliseconds(50)) }

  func wait(_ seconds: Int64) { loop.advanceTime(by: .seconds(seconds)) }
}

/// Holds writes back, like a client that does not read.
final class Dam: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  private var held: [EventLoopPromise<Void>] = []

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if let promise { held.append(promise) }
  }

  /// Releases one write.
  func takeOne() { if !held.isEmpty { held.removeFirst().succeed() } }

  func handlerRemoved(context: ChannelHandlerContext) {
    held.forEach { $0.fail(ChannelError.ioOnClosedChannel) }
    held = []
  }
}
