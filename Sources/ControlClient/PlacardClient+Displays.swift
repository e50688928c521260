public import Control
import NIOCore
import NIOHTTP1

/// Modes on trial, previews, names on the glass, virtual monitors, and how the service is.
extension PlacardClient {
  /// Gives one monitor another mode or turn; unless it is to be kept at once, it is taken back after 15 seconds without
  /// `confirmMode`.
  @discardableResult
  public func setMode(_ display: String, _ request: ModeRequest) async throws(ClientError) -> DisplayReport {
    try await call(.PUT, Self.path("displays", display) + "/mode", body: request, waits: true).decode(
      DisplayReport.self)
  }

  /// Keeps the mode that is on trial.
  @discardableResult
  public func confirmMode(_ display: String) async throws(ClientError) -> DisplayReport {
    try await call(.PUT, Self.path("displays", display) + "/mode/confirmation").decode(DisplayReport.self)
  }

  /// Takes a mode on trial back at once; without a trial, forgets what was chosen for this monitor.
  @discardableResult
  public func resetMode(_ display: String) async throws(ClientError) -> DisplayReport {
    try await call(.DELETE, Self.path("displays", display) + "/mode").decode(DisplayReport.self)
  }

  /// Lets displays tell their names, modes and monitors for some seconds, above all else.
  @discardableResult
  public func identify(_ request: IdentifyRequest = IdentifyRequest()) async throws(ClientError) -> [DisplayReport] {
    try await call(.POST, "/v1/identify", body: request, waits: true).decode([DisplayReport].self)
  }

  /// A small picture of what the display shows now; without bytes where it is the one of `request.known`.
  public func preview(
    _ display: String, _ request: PreviewRequest = PreviewRequest()
  ) async throws(ClientError) -> Preview {
    let query = "/preview?width=\(request.width)&format=\(request.format.rawValue)"
    var outgoing = Outgoing(method: .GET, path: Self.path("displays", display) + query)
    if let known = request.known { outgoing.headers.add(name: "if-none-match", value: "\"\(known)\"") }
    let reply = try await exchange(outgoing)
    guard let tag = reply.tag, reply.status == 304 || reply.status == 200 else {
      _ = try reply.accepted()
      throw .protocolError("The service's preview has no entity tag, is it of another version?")
    }
    let bytes = reply.status == 304 ? nil : Array(reply.body.readableBytesView)
    return Preview(tag: tag, type: reply.headers.first(name: "content-type") ?? "image/jpeg", bytes: bytes)
  }

  /// The virtual monitors that are plugged in, and those that can be chosen from.
  public func virtualMonitors() async throws(ClientError) -> VirtualReport {
    try await call(.GET, "/v1/virtual").decode(VirtualReport.self)
  }

  /// How the service is.
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
