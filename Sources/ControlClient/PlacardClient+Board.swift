public import Control
import JSON
import NIOCore
import NIOHTTP1

/// Edits of scenes, the controller's board, and uploaded pictures.
extension PlacardClient {
  /// One session; refused with `notFound` where there is none of this id.
  public func session(_ id: Int) async throws(ClientError) -> SessionReport {
    try await call(.GET, "/v1/sessions/\(id)").decode(SessionReport.self)
  }

  /// Gives a session another scene; refused with `changed` where it is not of the revision that the edit expects.
  @discardableResult
  public func edit(_ session: Int, _ edit: SceneEdit) async throws(ClientError) -> SessionReport {
    try await put("/v1/sessions/\(session)/scene", edit).decode(SessionReport.self)
  }

  /// The controller's board.
  public func board() async throws(ClientError) -> BoardReport {
    try await call(.GET, "/v1/board").decode(BoardReport.self)
  }

  /// Gives the board other columns and cards; refused with `changed` where it is not of the revision that the edit
  /// expects.
  @discardableResult
  public func setBoard(_ edit: SceneEdit) async throws(ClientError) -> BoardReport {
    try await put("/v1/board", edit).decode(BoardReport.self)
  }

  /// The pictures that were uploaded, newest first.
  public func pictures() async throws(ClientError) -> [PictureReport] {
    try await list("/v1/pictures")
  }

  /// The file of an uploaded picture.
  public func picture(_ name: String) async throws(ClientError) -> [UInt8] {
    Array(try await call(.GET, Self.path("pictures", name)).accepted().readableBytesView)
  }

  /// Uploads a picture, a PNG's or JPEG's bytes; the same one twice is one.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - file: The file's name without its folder, by which the picture can be named; nil for none.
  /// - Returns: The picture as the service keeps it.
  /// - Throws: `ClientError` if the service refuses the picture or does not answer.
  @discardableResult
  public func addPicture(_ bytes: [UInt8], file: String? = nil) async throws(ClientError) -> PictureReport {
    let type = bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) ? "image/png" : "image/jpeg"
    let outgoing = Outgoing(
      method: .POST, path: "/v1/pictures" + (file.map { "?file=" + Self.escaped($0) } ?? ""),
      headers: ["content-type": type], body: bytes, waits: true)
    return try await exchange(outgoing).decode(PictureReport.self)
  }

  /// Removes an uploaded picture; refused with `conflict` while a scene shows it.
  public func removePicture(_ name: String) async throws(ClientError) {
    _ = try await call(.DELETE, Self.path("pictures", name)).accepted()
  }

  private func put(_ path: String, _ edit: SceneEdit) async throws(ClientError) -> Reply {
    var headers: HTTPHeaders = ["content-type": "application/json"]
    if let revision = edit.expecting { headers.add(name: "if-match", value: "\"\(revision)\"") }
    return try await exchange(Outgoing(method: .PUT, path: path, headers: headers, body: edit.scene.encoded))
  }
}
