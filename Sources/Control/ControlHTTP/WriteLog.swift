import Access
import Logging
import NIOHTTP1

/// The log of clients that make changes, confined to the event loop.
///
/// At `info`, it contains each user and program once, which shows the clients that control the displays. At `debug`, it
/// contains each request.
final class WriteLog {
  private struct Writer: Hashable {
    var who: String
    var program: String?
  }

  /// The maximum number of remembered writers; beyond it, all are forgotten and logged again.
  private static let most = 256

  private let logger: Logger
  private var known: Set<Writer> = []

  /// Creates a log that writes to a logger.
  init(_ logger: Logger) { self.logger = logger }

  /// Logs an admitted request if it makes a change.
  func note(_ head: HTTPRequestHead, from client: Client, _ requestPeer: RequestPeer?) {
    guard ![.GET, .HEAD, .OPTIONS].contains(head.method) else { return }
    let path = RequestTarget.path(of: head.uri)
    switch client {
    case .local(let local?):
      let program = local.program()
      log(Writer(who: "user \(local.user)", program: program), "process \(local.process)")
      logger.debug("\(head.method) \(path) by \(local) (\(program ?? "ended"))")
    case .local(nil): logger.debug("\(head.method) \(path) by a client of the socket")
    case .web(let peer):
      let address = requestPeer?.address ?? peer.address
      log(Writer(who: "\(address)"), "over TCP")
      logger.debug("\(head.method) \(path) by \(address)")
    }
  }

  private func log(_ writer: Writer, _ detail: String) {
    if known.count >= Self.most { known.removeAll() }
    guard known.insert(writer).inserted else { return }
    let program = writer.program.map { " with \($0)" } ?? ""
    logger.info("\(writer.who) changes something for the first time\(program), \(detail)")
  }
}
