public import Control
import NIOCore
import NIOHTTP1

/// Sessions, messages beside each other, and what was shown.
extension PlacardClient {
  /// What all monitors show, also those that are not plugged in now.
  public func sessions() async throws(ClientError) -> [SessionReport] {
    try await list("/v1/sessions")
  }

  /// Opens a scene on a display, or brings the session that has it forward; with `wait` it returns when it is on the
  /// glass.
  @discardableResult
  public func open(_ request: OpenRequest) async throws(ClientError) -> SessionReport {
    try await call(.POST, "/v1/sessions", body: request, waits: request.wait ?? false).decode(SessionReport.self)
  }

  /// Brings a session to another display; the one that was there ends.
  @discardableResult
  public func move(_ session: Int, to display: String) async throws(ClientError) -> SessionReport {
    try await call(.PUT, "/v1/sessions/\(session)", body: MoveRequest(display: display), waits: true)
      .decode(SessionReport.self)
  }

  /// Ends a session; its display falls back to what its role shows.
  public func close(_ session: Int) async throws(ClientError) {
    _ = try await call(.DELETE, "/v1/sessions/\(session)").accepted()
  }

  /// The sessions that ended last.
  ///
  /// - Returns: At most 10 sessions, the newest first.
  /// - Throws: `ClientError` if the service cannot be reached.
  public func closedSessions() async throws(ClientError) -> [ClosedSessionReport] {
    try await call(.GET, "/v1/closed-sessions").decode([ClosedSessionReport].self)
  }

  /// Opens a session again that ended, on the monitor that it was on. What is open there ends.
  ///
  /// - Parameter session: The number of one of `closedSessions()`.
  /// - Returns: The session as it is now.
  /// - Throws: `ClientError` if the service cannot be reached or knows no such session.
  @discardableResult
  public func reopen(_ session: Int) async throws(ClientError) -> SessionReport {
    try await call(.POST, "/v1/closed-sessions/\(session)/reopen").decode(SessionReport.self)
  }

  /// Turns to another place of a session's scene.
  @discardableResult
  public func scroll(_ session: Int, _ request: ScrollRequest) async throws(ClientError) -> SessionReport {
    try await call(.PUT, "/v1/sessions/\(session)/scroll", body: request).decode(SessionReport.self)
  }

  /// Reads the files of a session's scene anew, and draws it again.
  @discardableResult
  public func refresh(_ session: Int) async throws(ClientError) -> SessionReport {
    try await call(.POST, "/v1/sessions/\(session)/refresh").decode(SessionReport.self)
  }

  /// All live messages, those that cover others first.
  public func messages() async throws(ClientError) -> [LiveMessage] {
    try await list("/v1/messages")
  }

  /// Posts a message beside the others; one of the same name takes the place of the last.
  @discardableResult
  public func post(_ request: MessageRequest) async throws(ClientError) -> MessageReport {
    try await call(.POST, "/v1/messages", body: request, waits: request.wait ?? false).decode(MessageReport.self)
  }

  /// Tells that somebody has seen a message: one that waits for that is over.
  public func acknowledge(_ message: Int) async throws(ClientError) {
    _ = try await call(.PUT, "/v1/messages/\(message)/acknowledgement").accepted()
  }

  /// Takes a message away.
  public func withdraw(_ message: Int) async throws(ClientError) {
    _ = try await call(.DELETE, "/v1/messages/\(message)").accepted()
  }

  /// What was shown, newest first: as many lines as the query's limit says, or those of one page.
  public func history(_ query: HistoryQuery = HistoryQuery()) async throws(ClientError) -> [HistoryLine] {
    guard let limit = query.limit else { return try await call(.GET, Self.path(query)).decode([HistoryLine].self) }
    return try await list(Self.path(query), most: limit)
  }

  /// What was shown, newest first, as a table of comma-separated values (RFC 4180) in UTF-8, with a head.
  public func historyTable(_ query: HistoryQuery = HistoryQuery()) async throws(ClientError) -> [UInt8] {
    Array(try await call(.GET, Self.path(query, "format=csv")).accepted().readableBytesView)
  }

  private static func path(_ query: HistoryQuery, _ format: String? = nil) -> String {
    let fields = [
      query.since.map { "since=\($0)" }, query.until.map { "until=\($0)" },
      query.display.map { "display=\(escaped($0))" }, query.limit.map { "limit=\($0)" },
      query.after.map { "after=\(escaped($0))" }, format,
    ]
    return "/v1/history?" + fields.compactMap(\.self).joined(separator: "&")
  }
}
