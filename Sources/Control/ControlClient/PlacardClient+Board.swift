public import Control
import JSON
import NIOCore
import NIOHTTP1
import Primitives

/// Scene edits, the controller's board and uploaded images.
extension PlacardClient {
  /// Returns the session with this ID, or throws a refusal with `notFound`.
  public func session(_ id: Int) async throws(ClientError) -> SessionReport {
    try await call(.GET, "/v1/sessions/\(id)").decode(SessionReport.self)
  }

  /// Replaces a session's scene.
  ///
  /// - Parameters:
  ///   - session: The session's ID.
  ///   - edit: The new scene, and the revision on which it is based.
  /// - Throws: `ClientError`, with the refusal `changed` if the scene no longer has the expected revision.
  /// - Returns: The session with its new scene.
  @discardableResult
  public func edit(_ session: Int, _ edit: SceneEdit) async throws(ClientError) -> SessionReport {
    try await put("/v1/sessions/\(session)/scene", edit).decode(SessionReport.self)
  }

  /// Returns the controller's board.
  public func board() async throws(ClientError) -> BoardReport {
    try await call(.GET, "/v1/board").decode(BoardReport.self)
  }

  /// Replaces the columns and cards of the controller's board.
  ///
  /// - Parameter edit: The new board, and the revision on which it is based.
  /// - Throws: `ClientError`, with the refusal `changed` if the board no longer has the expected revision.
  /// - Returns: The new board.
  @discardableResult
  public func setBoard(_ edit: SceneEdit) async throws(ClientError) -> BoardReport {
    try await put("/v1/board", edit).decode(BoardReport.self)
  }

  /// Returns the uploaded images, newest first.
  public func images() async throws(ClientError) -> [ImageReport] {
    try await list("/v1/images")
  }

  /// Returns the bytes of an uploaded image.
  public func image(_ name: String) async throws(ClientError) -> [UInt8] {
    Array(try await call(.GET, Self.path("images", name)).accepted().readableBytesView)
  }

  /// Uploads a PNG or JPEG image.
  ///
  /// Uploading the same bytes again does not create a second image.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - file: The file's name without its directory, as another name for the image; nil for none.
  /// - Throws: `ClientError` if the service refuses the image or does not answer.
  /// - Returns: The image as stored by the service.
  @discardableResult
  public func addImage(_ bytes: [UInt8], file: String? = nil) async throws(ClientError) -> ImageReport {
    let type = bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) ? "image/png" : "image/jpeg"
    let outgoing = Outgoing(
      method: .POST, path: "/v1/images" + (file.map { "?file=" + PercentEncoding.encode($0) } ?? ""),
      headers: ["content-type": type], body: bytes, waits: true)
    return try await exchange(outgoing).decode(ImageReport.self)
  }

  /// Removes an uploaded image, or throws a refusal with `conflict` while a scene shows it.
  public func removeImage(_ name: String) async throws(ClientError) {
    _ = try await call(.DELETE, Self.path("images", name)).accepted()
  }

  private func put(_ path: String, _ edit: SceneEdit) async throws(ClientError) -> Reply {
    var headers: HTTPHeaders = ["content-type": "application/json"]
    if let revision = edit.expecting { headers.add(name: "if-match", value: "\"\(revision)\"") }
    return try await exchange(Outgoing(method: .PUT, path: path, headers: headers, body: edit.scene.encoded))
  }
}
