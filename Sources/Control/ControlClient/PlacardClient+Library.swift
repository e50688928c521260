public import Control
public import JSON
import NIOCore
import NIOHTTP1
import Primitives

/// The library, schedules and backups.
extension PlacardClient {
  /// Returns the library entries in natural order of their names, without their scenes.
  public func library() async throws(ClientError) -> [LibraryReport] { try await list("/v1/library") }

  /// Returns a library entry with its scene, or throws a refusal with `notFound`.
  public func entry(_ name: String) async throws(ClientError) -> LibraryReport {
    try await call(.GET, Self.path("library", name)).decode(LibraryReport.self)
  }

  /// Adds a library entry, or replaces the one with its name.
  ///
  /// - Parameters:
  ///   - name: The entry's name.
  ///   - request: The scene, the title and the tags.
  ///   - revision: The revision on which the change is based; nil for any.
  /// - Throws: `ClientError`, with the refusal `changed` if the entry no longer has the revision.
  /// - Returns: The entry after the change.
  @discardableResult
  public func setEntry(
    _ name: String, _ request: LibraryRequest, expecting revision: String? = nil
  ) async throws(ClientError) -> LibraryReport {
    var headers: HTTPHeaders = ["content-type": "application/json"]
    if let revision { headers.add(name: "if-match", value: "\"\(revision)\"") }
    guard let body = try? JSON.encode(request) else { throw .protocolError("The request cannot be written as JSON.") }
    return try await exchange(Outgoing(method: .PUT, path: Self.path("library", name), headers: headers, body: body))
      .decode(LibraryReport.self)
  }

  /// Replaces the events of a library entry that is a calendar, or adds the entry.
  ///
  /// - Parameters:
  ///   - name: The entry's name.
  ///   - file: An iCalendar file.
  /// - Throws: `ClientError`, with a refusal that names the event and its mistake if the file has one.
  /// - Returns: The entry after the change.
  @discardableResult
  public func setEvents(_ name: String, _ file: [UInt8]) async throws(ClientError) -> LibraryReport {
    let outgoing = Outgoing(
      method: .POST, path: Self.path("library", name) + "/events", headers: ["content-type": "text/calendar"],
      body: file)
    return try await exchange(outgoing).decode(LibraryReport.self)
  }

  /// Removes a library entry, or throws a refusal with `conflict` while something refers to it.
  public func removeEntry(_ name: String) async throws(ClientError) {
    _ = try await call(.DELETE, Self.path("library", name)).accepted()
  }

  /// Renames a library entry, and the references to it.
  @discardableResult
  public func renameEntry(_ name: String, to new: String) async throws(ClientError) -> LibraryReport {
    try await call(.POST, Self.path("library", name) + "/rename", body: RenameRequest(name: new))
      .decode(LibraryReport.self)
  }

  /// Returns what a display has by its schedules at a time.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - query: The time, and the number of days from it.
  /// - Throws: `ClientError` if the service refuses the request or does not answer.
  /// - Returns: The slots, the first of which contains the time.
  public func schedule(_ display: String, _ query: ScheduleQuery = ScheduleQuery()) async throws(ClientError)
    -> [ScheduleSlot]
  {
    let fields = [query.at.map { "at=\($0)" }, query.days.map { "days=\($0)" }]
    let text = fields.compactMap(\.self).joined(separator: "&")
    return try await call(.GET, Self.path("displays", display) + "/schedule" + (text.isEmpty ? "" : "?" + text))
      .decode([ScheduleSlot].self)
  }

  /// Returns the live values in natural order of their names.
  public func values() async throws(ClientError) -> [ValueReport] { try await list("/v1/values") }

  /// Returns a live value, or throws a refusal with `notFound`.
  public func value(_ name: String) async throws(ClientError) -> ValueReport {
    try await call(.GET, Self.path("values", name)).decode(ValueReport.self)
  }

  /// Sets a live value.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - request: The value, its unit and its maximum age.
  /// - Throws: `ClientError` if the service refuses the request or does not answer.
  /// - Returns: The value after the change.
  @discardableResult
  public func setValue(_ name: String, _ request: ValueRequest) async throws(ClientError) -> ValueReport {
    try await call(.PUT, Self.path("values", name), body: request).decode(ValueReport.self)
  }

  /// Removes a live value, or throws a refusal with `notFound`.
  public func removeValue(_ name: String) async throws(ClientError) {
    _ = try await call(.DELETE, Self.path("values", name)).accepted()
  }

  /// Returns a backup, without the files of images.
  public func backup() async throws(ClientError) -> JSONValue {
    try await call(.GET, "/v1/backup").decode(JSONValue.self)
  }

  /// Replaces the library, the board, stored values, monitors, sessions and messages by those of a backup.
  ///
  /// - Parameters:
  ///   - backup: The backup.
  ///   - isTrial: Whether to check the backup only.
  /// - Throws: `ClientError` with the reason if the backup has a newer format or is damaged. Nothing is changed then.
  /// - Returns: The content of the backup, and the images that the service's machine does not have.
  @discardableResult
  public func restore(_ backup: JSONValue, isTrial: Bool) async throws(ClientError) -> RestoreReport {
    let headers: HTTPHeaders = ["content-type": "application/json"]
    let path = "/v1/restore?dry-run=\(isTrial)"
    return try await exchange(
      Outgoing(method: .POST, path: path, headers: headers, body: backup.encoded, waits: true)
    ).decode(RestoreReport.self)
  }

  /// Returns the bytes of a PNG file with a picture of a scene, which no display shows.
  public func render(_ request: RenderRequest) async throws(ClientError) -> [UInt8] {
    Array(try await call(.POST, "/v1/render", body: request, waits: true).accepted().readableBytesView)
  }
}
