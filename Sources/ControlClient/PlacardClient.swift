public import Control
import JSON
public import NIOCore
import NIOHTTP1
import NIOPosix

/// The service, for a program that talks to it. Each call has a connection of its own; a copy costs nothing.
///
/// ```swift
/// let client = PlacardClient()
/// try await client.setMessage(MessageRequest(text: "Welcome", wait: true))
/// ```
public struct PlacardClient: Sendable {
  /// Where the service is.
  public let address: ServiceAddress
  private let group: any EventLoopGroup
  private let token: String?
  private var key: String?
  /// How long an answer may take; nil for as long as it takes.
  private var limit: TimeAmount?
  /// The answer to the first request, if another program has sent that.
  private var handed: HandedAnswer?
  /// How much longer the answer to a request may take that waits for a frame or a mode.
  static let waitingAllowance = TimeAmount.seconds(60)

  /// A client of the service at this path.
  public init(socket: String = SocketPath.default()) {
    self.init(address: .socket(socket), group: MultiThreadedEventLoopGroup.singleton)
  }

  /// A client of the service at this path, on event loops (of NIOPosix) that the caller keeps running.
  public init(socket: String, group: any EventLoopGroup) {
    self.init(address: .socket(socket), group: group)
  }

  /// A client of the service at this URL, `http://lobby.example:8080`, with the token that it wants from its clients;
  /// nil where it wants none.
  public init(url: String, token: String? = nil) throws(ClientError) {
    self.init(address: try ServiceAddress(url: url), token: token, group: MultiThreadedEventLoopGroup.singleton)
  }

  /// A client of the service at this address, on event loops (of NIOPosix) that the caller keeps running.
  public init(address: ServiceAddress, token: String? = nil, group: any EventLoopGroup) {
    self.address = address
    self.token = token
    self.group = group
  }

  /// This client for a call that is done once, however often it is made: the service knows it by the key, any text of
  /// printable ASCII that is not used for anything else, for 24 hours or until it is started anew.
  ///
  /// For the calls that make something (`post`, `open`, `plug`, `identify`, `addPicture`); all others can be made again
  /// anyway.
  public func once(_ key: String) -> PlacardClient {
    var client = self
    client.key = key
    return client
  }

  /// Returns this client with a limit on the time that each answer may take.
  ///
  /// - Parameter seconds: From the call to the last byte of the answer, greater than 0. A request that waits for a frame
  ///   may take a minute longer. For a stream of events it limits the time until the stream begins.
  public func answering(within seconds: Double) -> PlacardClient {
    var client = self
    client.limit = .milliseconds(Int64(min(max(seconds, 0.001), 1e9) * 1000))
    return client
  }

  /// Returns this client with an answer that the service gave to another program.
  ///
  /// - Parameter answer: The answer to the first request that is made, which is not sent; nil for none.
  public func taking(_ answer: HandedAnswer?) -> PlacardClient {
    var client = self
    client.handed = answer
    return client
  }

  /// The service as a whole.
  public func status() async throws(ClientError) -> ServiceStatus {
    try await call(.GET, "/v1/status").decode(ServiceStatus.self)
  }

  /// All displays that are known.
  public func displays() async throws(ClientError) -> [DisplayReport] {
    try await list("/v1/displays")
  }

  /// One display by its connector's name.
  public func display(_ name: String) async throws(ClientError) -> DisplayReport {
    try await call(.GET, Self.path("displays", name)).decode(DisplayReport.self)
  }

  /// How the mode of a display was chosen.
  public func why(_ display: String) async throws(ClientError) -> WhyReport {
    try await call(.GET, Self.path("displays", display) + "/why").decode(WhyReport.self)
  }

  /// The message of one display, or with nil the one for all.
  public func message(_ display: String? = nil) async throws(ClientError) -> MessageReport {
    try await call(.GET, Self.messagePath(display)).decode(MessageReport.self)
  }

  /// Sets the message of one display, or the one for all, in place of the last one; with `wait` it returns when it is
  /// on the glass. Only the request's text or scene, its display and `wait` may be there: `post` takes more.
  @discardableResult
  public func setMessage(_ request: MessageRequest) async throws(ClientError) -> MessageReport {
    try await call(.PUT, "/v1/message", body: request, waits: request.wait ?? false).decode(MessageReport.self)
  }

  /// Ends the message that `setMessage` showed on one display, or with nil on all. What it covered is seen again.
  ///
  /// - Parameter display: The display's name; nil for the message on all displays.
  /// - Returns: What was removed, and the messages that displays show all the same.
  /// - Throws: `ClientError` if the service cannot be reached or refuses.
  @discardableResult
  public func removeMessage(_ display: String? = nil) async throws(ClientError) -> ClearReport {
    try await call(.DELETE, Self.messagePath(display)).decode(ClearReport.self)
  }

  /// Ends all messages. What they covered is seen again.
  ///
  /// - Returns: What was removed.
  /// - Throws: `ClientError` if the service cannot be reached or refuses.
  @discardableResult
  public func removeAllMessages() async throws(ClientError) -> ClearReport {
    try await call(.DELETE, "/v1/messages").decode(ClearReport.self)
  }

  /// Sends one display, or with nil all, to sleep, or wakes it.
  public func setAsleep(_ request: SleepRequest) async throws(ClientError) -> [DisplayReport] {
    try await call(.PUT, "/v1/sleep", body: request, waits: !request.asleep).decode([DisplayReport].self)
  }

  /// The frame that a display shows.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - request: The file format and whether the frame is turned upright.
  /// - Returns: The bytes of a PNG or JPEG file.
  /// - Throws: `ClientError` if the service cannot be reached or refuses.
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

  /// What happens from the moment that this returns.
  public func events() async throws(ClientError) -> ControlEvents {
    ControlEvents(notices: try await notices())
  }

  /// What happened since a place in the events, as far as the service remembers it, and what happens from now on; with
  /// nil only the latter. Where events are lost in between, a notice says so.
  public func notices(after place: EventPlace? = nil) async throws(ClientError) -> EventNotices {
    var request = Outgoing(method: .GET, path: "/v1/events")
    if let place { request.headers.add(name: "last-event-id", value: "\(place)") }
    return try await EventNotices.open(address, try signed(request), group: group, within: limit)
  }
}

extension PlacardClient {
  /// All items of a list, page by page.
  ///
  /// - Parameters:
  ///   - path: The target of the first page.
  ///   - most: Most items; nil for all.
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
    let loop = group.next()
    let promise = loop.makePromise(of: Reply.self)
    let limit = limit.map { request.waits ? $0 + Self.waitingAllowance : $0 }
    let timer = Self.failLate(promise, on: loop, address, limit)
    defer { timer?.cancel() }
    let connection: Connection
    do throws(ClientError) {
      connection = try await Connection(to: address, on: loop, within: limit, connected: handed?.take()) {
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
      if reply.status == 401 { throw ClientError.wantsToken("\(address)") }
      return reply
    } catch {
      connection.close()
      throw error as? ClientError ?? .protocolError("\(error)")
    }
  }

  /// Fails a promise with `ClientError.noAnswer` unless it is kept within the limit.
  static func failLate<Value>(
    _ promise: EventLoopPromise<Value>, on loop: any EventLoop, _ address: ServiceAddress, _ limit: TimeAmount?
  ) -> Scheduled<Void>? {
    limit.map { limit in
      loop.scheduleTask(in: limit) {
        promise.fail(ClientError.noAnswer("\(address)", seconds: Double(limit.nanoseconds) / 1e9))
      }
    }
  }

  /// The request with what it says of this client. A token is sent over TCP only: a socket's file says who may use it.
  private func signed(_ request: Outgoing) throws(ClientError) -> Outgoing {
    var request = request
    for text in [key, token].compactMap(\.self) where !text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) {
      throw .protocolError("A token, and a call's key, are printable ASCII: this one is not.")
    }
    if let key, request.method == .POST { request.headers.add(name: "idempotency-key", value: key) }
    if let token, case .tcp = address { request.headers.add(name: "authorization", value: "Bearer \(token)") }
    return request
  }

  private static func messagePath(_ display: String?) -> String {
    display.map { path("displays", $0) + "/message" } ?? "/v1/message"
  }

  /// The name is a path segment: all but RFC 3986's unreserved characters is escaped.
  static func path(_ collection: String, _ name: String) -> String { "/v1/\(collection)/" + escaped(name) }

  static func escaped(_ name: String) -> String {
    let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
    return name.utf8.reduce(into: "") { path, byte in
      if unreserved.contains(byte) {
        path.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        path += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
