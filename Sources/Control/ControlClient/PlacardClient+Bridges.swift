public import Control
import NIOHTTP1

/// The states of bridges.
extension PlacardClient {
  /// Reports the state of a bridge.
  ///
  /// - Parameters:
  ///   - name: The name of the bridge: 1 to 32 small letters, digits and hyphens.
  ///   - request: The state.
  /// - Throws: `ClientError` if the service refuses the request or does not answer.
  /// - Returns: The state as the service reports it.
  @discardableResult
  public func setBridge(_ name: String, _ request: BridgeRequest) async throws(ClientError) -> BridgeReport {
    try await call(.PUT, Self.path("bridges", name), body: request).decode(BridgeReport.self)
  }

  /// Removes a bridge that has ended.
  public func removeBridge(_ name: String) async throws(ClientError) {
    _ = try await call(.DELETE, Self.path("bridges", name)).accepted()
  }
}
