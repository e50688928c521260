public import Control
import NIOCore
import NIOHTTP1
import Primitives

/// Sessions, messages with names and priorities, and the display history.
extension PlacardClient {
  /// Returns what each monitor shows, including unplugged monitors.
  public func sessions() async throws(ClientError) -> [SessionReport] {
    try await list("/v1/sessions")
  }

  /// Opens a scene as a session on a display, or brings forward the session that has it.
  ///
  /// - Parameter request: The scene and the display. With `wait`, the call returns after the frame is presented.
  /// - Throws: `ClientError` if the service refuses the request or does not answer.
  /// - Returns: The session.
  @discardableResult
  public func open(_ request: OpenRequest) async throws(ClientError) -> SessionReport {
    try await call(.POST, "/v1/sessions", body: request, waits: request.wait ?? false).decode(SessionReport.self)
  }

  /// Moves a session to another display and ends the session there.
  @discardableResult
  public func move(_ session: Int, to display: String) async throws(ClientError) -> SessionReport {
    try await call(.PUT, "/v1/sessions/\(session)", body: MoveRequest(display: display), waits: true)
      .decode(SessionReport.self)
  }

  /// Ends a session; its display then shows the content for its role.
  public func close(_ session: Int) async throws(ClientError) {
    _ = try await call(.DELETE, "/v1/sessions/\(session)").accepted()
  }

  /// Returns the sessions that ended most recently.
  ///
  /// - Throws: `ClientError` if the service cannot be reached.
  /// - Returns: At most 10 sessions, newest first.
  public func closedSessions() async throws(ClientError) -> [ClosedSessionReport] {
    try await call(.GET, "/v1/closed-sessions").decode([ClosedSessionReport].self)
  }

  /// Reopens an ended session on its monitor and ends the session that is open there.
  ///
  /// - Parameter session: The ID of a session in `closedSessions()`.
  /// - Throws: `ClientError` if the service cannot be reached or knows no such session.
  /// - Returns: The reopened session.
  @discardableResult
  public func reopen(_ session: Int) async throws(ClientError) -> SessionReport {
    try await call(.POST, "/v1/closed-sessions/\(session)/reopen").decode(SessionReport.self)
  }

  /// Scrolls a session's scene.
  @discardableResult
  public func scroll(_ session: Int, _ request: ScrollRequest) async throws(ClientError) -> SessionReport {
    try await call(.PUT, "/v1/sessions/\(session)/scroll", body: request).decode(SessionReport.self)
  }

  /// Rereads the files of a session's scene and redraws it.
  @discardableResult
  public func refresh(_ session: Int) async throws(ClientError) -> SessionReport {
    try await call(.POST, "/v1/sessions/\(session)/refresh").decode(SessionReport.self)
  }

  /// Returns all live messages, with covering messages before covered ones.
  public func messages() async throws(ClientError) -> [LiveMessage] {
    try await list("/v1/messages")
  }

  /// Posts a message alongside the others and replaces any message of the same name.
  @discardableResult
  public func post(_ request: MessageRequest) async throws(ClientError) -> MessageReport {
    try await call(.POST, "/v1/messages", body: request, waits: request.wait ?? false).decode(MessageReport.self)
  }

  /// Confirms that a message was seen, which ends a message sent with `acknowledge`.
  public func acknowledge(_ message: Int) async throws(ClientError) {
    _ = try await call(.PUT, "/v1/messages/\(message)/acknowledgement").accepted()
  }

  /// Withdraws a message.
  public func withdraw(_ message: Int) async throws(ClientError) {
    _ = try await call(.DELETE, "/v1/messages/\(message)").accepted()
  }

  /// Returns the display history, newest first.
  ///
  /// - Parameter query: The time range, the display and the maximum number of lines; nil for one page of lines.
  /// - Throws: `ClientError` if the service refuses the query or does not answer.
  /// - Returns: The lines of the history.
  public func history(_ query: HistoryQuery = HistoryQuery()) async throws(ClientError) -> [HistoryLine] {
    guard let limit = query.limit else { return try await call(.GET, Self.path(query)).decode([HistoryLine].self) }
    return try await list(Self.path(query), most: limit)
  }

  /// Returns the display history, newest first, as CSV in UTF-8 with a header line (RFC 4180).
  public func historyTable(_ query: HistoryQuery = HistoryQuery()) async throws(ClientError) -> [UInt8] {
    Array(try await call(.GET, Self.path(query, "format=csv")).accepted().readableBytesView)
  }

  private static func path(_ query: HistoryQuery, _ format: String? = nil) -> String {
    let fields = [
      query.since.map { "since=\($0)" }, query.until.map { "until=\($0)" },
      query.display.map { "display=\(PercentEncoding.encode($0))" }, query.limit.map { "limit=\($0)" },
      query.after.map { "after=\(PercentEncoding.encode($0))" }, format,
    ]
    return "/v1/history?" + fields.compactMap(\.self).joined(separator: "&")
  }
}
