import Access
import Control
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import ControlHTTP

/// A server's connections without sockets, on a loop whose clock is set by hand. For tests that are not asynchronous.
final class Wire {
  /// The lines that the log was told.
  final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    fileprivate func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private struct Keeper: LogHandler {
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
  let cuts: Cuts
  let gate: Gate
  let clients: Clients

  init(limits: AccessLimits = AccessLimits(), rules: AccessRules = AccessRules()) {
    let logger = Logger(label: "test") { [lines] _ in Keeper(lines: lines) }
    cuts = Cuts(logger: logger)
    gate = Gate(rules, limits: limits, hostName: "box.example", cuts: cuts, logger: logger)
    let endpoints = Endpoints(service: service, eventLoop: loop, cuts: cuts)
    clients = Clients(endpoints, gate: gate, eventLoop: loop, limits: limits, cuts: cuts, logger: logger)
  }

  /// A connection from an address, or with nil one over the Unix socket.
  func connect(from address: String? = nil) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel(loop: loop)
    let place =
      try address.map { try SocketAddress(ipAddress: $0, port: 1) } ?? SocketAddress(unixDomainSocketPath: "/s")
    channel.connect(to: place, promise: nil)
    try clients.add(channel, by: address == nil ? .socket : .web)
    loop.run()
    return channel
  }

  /// Sends bytes and lets the service answer.
  func send(_ text: String, on channel: EmbeddedChannel) throws {
    try channel.writeInbound(ByteBuffer(string: text))
    loop.run()
  }

  /// What has come back by now.
  func received(_ channel: EmbeddedChannel) throws -> String {
    var text = ""
    while let part = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
    return text
  }

  /// Lets pages be made, which pause between their parts.
  func letPagesBeMade() { loop.advanceTime(by: .milliseconds(50)) }

  func wait(_ seconds: Int64) { loop.advanceTime(by: .seconds(seconds)) }
}

/// Holds back what is written, as a client that does not read.
final class Dam: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  private var held: [EventLoopPromise<Void>] = []

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if let promise { held.append(promise) }
  }

  /// Lets one part through.
  func takeOne() { if !held.isEmpty { held.removeFirst().succeed() } }

  func handlerRemoved(context: ChannelHandlerContext) {
    held.forEach { $0.fail(ChannelError.ioOnClosedChannel) }
    held = []
  }
}
