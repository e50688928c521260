public import Control
import NIOCore
import NIOHTTP1

/// Mode changes, previews, identify screens, virtual monitors and the service's health.
extension PlacardClient {
  /// Changes a monitor's mode or rotation.
  ///
  /// Unless `request.keep` is true, the service reverts the change after 15 seconds without `confirmMode(_:)`.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - request: The mode or policy, and the rotation.
  /// - Throws: `ClientError` if the service refuses the request or does not answer.
  /// - Returns: The display with its new mode.
  @discardableResult
  public func setMode(_ display: String, _ request: ModeRequest) async throws(ClientError) -> DisplayReport {
    try await call(.PUT, Self.path("displays", display) + "/mode", body: request, waits: true).decode(
      DisplayReport.self)
  }

  /// Confirms the pending mode change of a display.
  @discardableResult
  public func confirmMode(_ display: String) async throws(ClientError) -> DisplayReport {
    try await call(.PUT, Self.path("displays", display) + "/mode/confirmation").decode(DisplayReport.self)
  }

  /// Reverts a pending mode change; without one, discards the monitor's chosen mode.
  @discardableResult
  public func resetMode(_ display: String) async throws(ClientError) -> DisplayReport {
    try await call(.DELETE, Self.path("displays", display) + "/mode").decode(DisplayReport.self)
  }

  /// Shows each display's name, mode and monitor on it for a few seconds, above all other content.
  @discardableResult
  public func identify(_ request: IdentifyRequest = IdentifyRequest()) async throws(ClientError) -> [DisplayReport] {
    try await call(.POST, "/v1/identify", body: request, waits: true).decode([DisplayReport].self)
  }

  /// Returns a small image of the frame on screen.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - request: The width, the file format, and the entity tag of the image that the caller already has.
  /// - Throws: `ClientError` if the service refuses the request or does not answer.
  /// - Returns: The image; its `bytes` are nil if the image has the tag `request.known`.
  public func preview(
    _ display: String, _ request: PreviewRequest = PreviewRequest()
  ) async throws(ClientError) -> Preview {
    let query = "/preview?width=\(request.width)&format=\(request.format.rawValue)"
    var outgoing = Outgoing(method: .GET, path: Self.path("displays", display) + query)
    if let known = request.known { outgoing.headers.add(name: "if-none-match", value: "\"\(known)\"") }
    let reply = try await exchange(outgoing)
    guard let tag = reply.tag, reply.status == 304 || reply.status == 200 else {
      _ = try reply.accepted()
      throw .protocolError("The service's preview has no entity tag; the service may have another version.")
    }
    let bytes = reply.status == 304 ? nil : Array(reply.body.readableBytesView)
    return Preview(tag: tag, type: reply.headers.first(name: "content-type") ?? "image/jpeg", bytes: bytes)
  }

  /// Returns the plugged virtual monitors and those that can be plugged.
  public func virtualMonitors() async throws(ClientError) -> VirtualReport {
    try await call(.GET, "/v1/virtual").decode(VirtualReport.self)
  }

  /// Returns the service's health.
  public func health() async throws(ClientError) -> HealthReport {
    try await call(.GET, "/v1/health").decode(HealthReport.self)
  }

  /// Acknowledges a loss of the health, which is then no reason any more.
  ///
  /// - Parameter id: The loss's number.
  /// - Throws: `ClientError` if the service cannot be reached or knows no such loss.
  public func acknowledgeLoss(_ id: Int) async throws(ClientError) {
    _ = try await call(.PUT, "/v1/losses/\(id)/acknowledgement").accepted()
  }

  /// Acknowledges all losses of the health.
  ///
  /// - Returns: The losses that were acknowledged, oldest first.
  /// - Throws: `ClientError` if the service cannot be reached.
  public func acknowledgeLosses() async throws(ClientError) -> [LossReport] {
    try await call(.PUT, "/v1/losses/acknowledgement").decode([LossReport].self)
  }
}
