import NIOCore
import NIOHTTP1

/// Requests that another program has composed.
extension PlacardClient {
  /// Sends a request, and returns the answer whatever its status.
  ///
  /// - Parameters:
  ///   - method: The method, such as `PUT`.
  ///   - target: The percent-encoded request target, such as `/v1/message`.
  ///   - body: The body, as JSON; nil for none.
  /// - Throws: `ClientError` if the service does not answer.
  /// - Returns: The status code and the body.
  package func answer(
    _ method: String, _ target: String, body: [UInt8]?
  ) async throws(ClientError) -> (status: Int, body: [UInt8]) {
    let headers: HTTPHeaders = body == nil ? [:] : ["content-type": "application/json"]
    let reply = try await exchange(
      Outgoing(method: HTTPMethod(rawValue: method), path: target, headers: headers, body: body, waits: true))
    return (reply.status, Array(reply.body.readableBytesView))
  }
}
