public import Control
import JSON
public import NIOCore
package import NIOHTTP1
import NIOPosix
import Primitives

/// A client for the service.
///
/// Each call opens its own connection. Copying a client is cheap.
///
/// ```swift
/// let client = PlacardClient()
/// try await client.setMessage(MessageRequest(text: "Welcome", wait: true))
/// ```
public struct PlacardClient: Sendable {
  /// The service's address.
  public let address: ServiceAddress
  private let group: any EventLoopGroup
  private let token: String?
  private var key: String?
  /// The time limit for an answer; nil for none.
  private var limit: TimeAmount?
  /// The answer to the first request, if another process has sent that request.
  private var handed: InheritedReply?
  /// The function that replaces connections; nil to connect.
  private var answer: Exchange?
  /// The additional time for requests that wait for a frame or a modeset.
  static let waitingAllowance = TimeAmount.seconds(60)

  /// Creates a client for the service at a socket path.
  public init(socket: String = SocketPath.default()) {
    self.init(address: .socket(socket), group: MultiThreadedEventLoopGroup.singleton)
  }

  /// Creates a client for the service at a socket path, on NIOPosix event loops that the caller keeps running.
  public init(socket: String, group: any EventLoopGroup) {
    self.init(address: .socket(socket), group: group)
  }

  /// Creates a client for the service at a URL.
  ///
  /// - Parameters:
  ///   - url: A URL such as `http://lobby.example:8080`.
  ///   - token: The token that the service requires; nil if it requires none.
  /// - Throws: `ClientError.badAddress` if the URL is malformed.
  public init(url: String, token: String? = nil) throws(ClientError) {
    self.init(address: try ServiceAddress(url: url), token: token, group: MultiThreadedEventLoopGroup.singleton)
  }

  /// Creates a client for the service at an address, on NIOPosix event loops that the caller keeps running.
  public init(address: ServiceAddress, token: String? = nil, group: any EventLoopGroup) {
    self.address = address
    self.token = token
    self.group = group
  }

  /// A function that answers a request (method, target, headers and body) with a status, headers and a body.
  package typealias Exchange =
    @Sendable (String, String, HTTPHeaders, [UInt8]) async -> (
      status: Int, headers: HTTPHeaders, body: [UInt8]
    )

  /// Creates a client for a service in the same process, without connections and time limits.
  ///
  /// - Parameters:
  ///   - name: The name of the service in errors.
  ///   - group: An event loop that the client does not use.
  ///   - answer: The function that answers each request.
  package init(name: String, group: any EventLoopGroup, answer: @escaping Exchange) {
    self.init(address: .socket(name), group: group)
    self.answer = answer
  }

  /// Returns a client whose call takes effect once, even if it is repeated.
  ///
  /// The service recognizes the call by its key for 24 hours, until it restarts or newer keys displace this one. The
  /// key applies to the calls that create something (`post`, `open`, `plug`, `identify`, `addImage`) and to all other
  /// POST requests. Requests with other methods can be repeated without a key.
  ///
  /// - Parameter key: 1 to 255 visible ASCII characters that are used for no other call.
  /// - Returns: A copy of this client that sends the key.
  public func once(_ key: String) -> PlacardClient {
    var client = self
    client.key = key
    return client
  }

  /// Returns this client with a time limit for each answer.
  ///
  /// - Parameter seconds: The time from the call to the last byte of the answer, greater than 0. Requests that wait for
  ///   a frame may take a minute longer. For an event stream, the time until it begins.
  /// - Returns: A copy of this client with the limit.
  public func answering(within seconds: Double) -> PlacardClient {
    var client = self
    client.limit = .milliseconds(Int64(min(max(seconds, 0.001), 1e9) * 1000))
    return client
  }

  /// Returns this client with an answer that the service gave to another process.
  ///
  /// - Parameter answer: The answer to the first request, which does not reach the service again; nil for none.
  /// - Returns: A copy of this client that reads the answer.
  public func taking(_ answer: InheritedReply?) -> PlacardClient {
    var client = self
    client.handed = answer
    return client
  }

  /// Returns the state of the service.
  public func status() async throws(ClientError) -> ServiceStatus {
    try await call(.GET, "/v1/status").decode(ServiceStatus.self)
  }

  /// Returns all known displays.
  public func displays() async throws(ClientError) -> [DisplayReport] {
    try await list("/v1/displays")
  }

  /// Returns a display by its connector's name.
  public func display(_ name: String) async throws(ClientError) -> DisplayReport {
    try await call(.GET, Self.path("displays", name)).decode(DisplayReport.self)
  }

  /// Returns how the mode of a display was chosen.
  public func why(_ display: String) async throws(ClientError) -> WhyReport {
    try await call(.GET, Self.path("displays", display) + "/why").decode(WhyReport.self)
  }

  /// Returns the message for a display, or the message for all displays if the name is nil.
  public func message(_ display: String? = nil) async throws(ClientError) -> MessageReport {
    try await call(.GET, Self.messagePath(display)).decode(MessageReport.self)
  }

  /// Replaces the message for one display or for all displays.
  ///
  /// - Parameter request: The text or scene, the display and `wait`; `post(_:)` accepts all other fields. With `wait`,
  ///   the call returns after the frame is presented.
  /// - Throws: `ClientError` if the service refuses the request or does not answer.
  /// - Returns: The message.
  @discardableResult
  public func setMessage(_ request: MessageRequest) async throws(ClientError) -> MessageReport {
    try await call(.PUT, "/v1/message", body: request, waits: request.wait ?? false).decode(MessageReport.self)
  }

  /// Ends the message of `setMessage(_:)`, which uncovers the content below it.
  ///
  /// - Parameter display: The display's name; nil for the message on all displays.
  /// - Throws: `ClientError` if the service cannot be reached or refuses.
  /// - Returns: The removed messages, and the messages that displays still show.
  @discardableResult
  public func removeMessage(_ display: String? = nil) async throws(ClientError) -> ClearReport {
    try await call(.DELETE, Self.messagePath(display)).decode(ClearReport.self)
  }

  /// Ends all messages, which uncovers the content below them.
  ///
  /// - Throws: `ClientError` if the service cannot be reached or refuses.
  /// - Returns: The removed messages.
  @discardableResult
  public func removeAllMessages() async throws(ClientError) -> ClearReport {
    try await call(.DELETE, "/v1/messages").decode(ClearReport.self)
  }

  /// Puts one display or all displays to sleep, or wakes them.
  public func setAsleep(_ request: SleepRequest) async throws(ClientError) -> [DisplayReport] {
    try await call(.PUT, "/v1/sleep", body: request, waits: !request.asleep).decode([DisplayReport].self)
  }

  /// Returns the frame on screen as an image file.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - request: The file format, and whether the frame is turned upright.
  /// - Throws: `ClientError` if the service cannot be reached or refuses.
  /// - Returns: The bytes of a PNG or JPEG file.
  public func screenshot(
    _ display: String, _ request: ScreenshotRequest = ScreenshotRequest()
  ) async throws(ClientError) -> [UInt8] {
    let query = "?format=\(request.format.rawValue)" + (request.isAsScannedOut ? "&as-scanned-out=true" : "")
    let body = try await call(.GET, Self.path("displays", display) + "/screenshot" + query).accepted()
    return Array(body.readableBytesView)
  }

  /// Plugs a virtual monitor.
  public func plug(_ request: PlugRequest) async throws(ClientError) -> DisplayReport {
    try await call(.POST, "/v1/virtual", body: request, waits: true).decode(DisplayReport.self)
  }

  /// Unplugs a virtual monitor.
  public func unplug(_ display: String) async throws(ClientError) {
    _ = try await call(.DELETE, Self.path("virtual", display)).accepted()
  }

  /// Subscribes to the events that happen after this call returns.
  public func events() async throws(ClientError) -> ControlEvents {
    ControlEvents(notices: try await notices())
  }

  /// Subscribes to events and gaps, optionally from an earlier place in the stream.
  ///
  /// - Parameters:
  ///   - place: The place of the last event that the caller has seen; nil for new events only.
  ///   - bridge: The name of the bridge that reads the events; nil for other programs. The service reports a bridge as
  ///     ended when the stream has ended.
  /// - Throws: `ClientError` if the service refuses the request or does not answer.
  /// - Returns: The events since `place` that the service remembers, then new ones. A notice marks each gap.
  public func notices(
    after place: EventPlace? = nil, bridge: String? = nil
  ) async throws(ClientError) -> EventNotices {
    let query = bridge.map { "?bridge=\(PercentEncoding.encode($0))" } ?? ""
    var request = Outgoing(method: .GET, path: "/v1/events\(query)")
    if let place { request.headers.add(name: "last-event-id", value: "\(place)") }
    return try await EventNotices.open(address, try signed(request), group: group, within: limit)
  }
}

extension PlacardClient {
  /// Returns all items of a list, requested page by page.
  ///
  /// - Parameters:
  ///   - path: The target of the first page.
  ///   - most: The maximum number of items; nil for all.
  /// - Throws: `ClientError` if a page is refused or missing.
  /// - Returns: The items in the service's order.
  func list<Item: Decodable>(_ path: String, most: Int? = nil) async throws(ClientError) -> [Item] {
    var items: [Item] = []
    var next: String? = path
    while let path = next, most.map({ items.count < $0 }) ?? true {
      let reply = try await call(.GET, path)
      let page = try reply.decode([Item].self)
      items += page
      next = page.isEmpty ? nil : reply.nextPage
    }
    return most.map { Array(items.prefix($0)) } ?? items
  }

  func call(_ method: HTTPMethod, _ path: String) async throws(ClientError) -> Reply {
    try await exchange(Outgoing(method: method, path: path))
  }

  func call(
    _ method: HTTPMethod, _ path: String, body: some Encodable, waits: Bool = false
  ) async throws(ClientError) -> Reply {
    guard let data = try? JSON.encode(body) else {
      throw .protocolError("The request cannot be written as JSON.")
    }
    let headers: HTTPHeaders = ["content-type": "application/json"]
    return try await exchange(Outgoing(method: method, path: path, headers: headers, body: data, waits: waits))
  }

  func exchange(_ request: Outgoing) async throws(ClientError) -> Reply {
    let request = try signed(request)
    if let answer {
      let (status, headers, body) = await answer(
        request.method.rawValue, request.path, request.headers, request.body ?? [])
      return Reply(status: status, headers: headers, body: ByteBuffer(bytes: body))
    }
    let loop = group.next()
    let promise = loop.makePromise(of: Reply.self)
    let limit = limit.map { request.waits ? $0 + Self.waitingAllowance : $0 }
    let timer = Self.scheduleTimeout(promise, on: loop, address, limit)
    defer { timer?.cancel() }
    let connection: Connection
    do throws(ClientError) {
      connection = try await Connection(to: address, on: loop, within: limit, connected: handed?.claim()) {
        ReplyCollector(promise)
      }
    } catch {
      promise.fail(error)
      throw error
    }
    connection.send(request)
    do {
      let reply = try await withTaskCancellationHandler {
        try await promise.futureResult.get()
      } onCancel: {
        connection.close()
      }
      if reply.status == 401 { throw ClientError.tokenRequired("\(address)") }
      return reply
    } catch {
      connection.close()
      throw error as? ClientError ?? .protocolError("\(error)")
    }
  }

  /// Schedules a promise to fail with `ClientError.noAnswer` after the limit.
  static func scheduleTimeout<Value>(
    _ promise: EventLoopPromise<Value>, on loop: any EventLoop, _ address: ServiceAddress, _ limit: TimeAmount?
  ) -> Scheduled<Void>? {
    limit.map { limit in
      loop.scheduleTask(in: limit) {
        promise.fail(ClientError.noAnswer("\(address)", seconds: Double(limit.nanoseconds) / 1e9))
      }
    }
  }

  /// Returns the request with this client's idempotency key, and with its token over TCP.
  private func signed(_ request: Outgoing) throws(ClientError) -> Outgoing {
    var request = request
    for text in [key, token].compactMap(\.self) where !text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) {
      throw .protocolError("The token or the idempotency key contains a character that is not printable ASCII.")
    }
    if let key, request.method == .POST { request.headers.add(name: "idempotency-key", value: key) }
    // The permissions of a Unix socket's file already control access.
    if let token, case .tcp = address { request.headers.add(name: "authorization", value: "Bearer \(token)") }
    return request
  }

  private static func messagePath(_ display: String?) -> String {
    display.map { path("displays", $0) + "/message" } ?? "/v1/message"
  }

  /// Returns the target of an item; its name is percent-encoded.
  static func path(_ collection: String, _ name: String) -> String {
    "/v1/\(collection)/" + PercentEncoding.encode(name)
  }
}
