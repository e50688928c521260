package import Control
package import Logging
package import NIOCore
package import NIOHTTP1

/// The HTTP interface of a service without connections, for simulations.
///
/// A request goes directly to its endpoint. Origins, tokens and the limits of connections are not checked.
package struct DirectRequests: Sendable {
  private let endpoints: Endpoints

  /// Creates the interface.
  ///
  /// - Parameters:
  ///   - service: The service that carries out the requests.
  ///   - eventLoop: The event loop for lists and for requests with an idempotency key.
  ///   - logger: The log for rejections.
  package init(service: any ControlService, eventLoop: any EventLoop, logger: Logger) {
    endpoints = Endpoints(
      service: service, eventLoop: eventLoop, rejections: RejectionCounters(logger: logger))
  }

  /// Carries out a request.
  ///
  /// - Parameters:
  ///   - method: The method, such as `GET`.
  ///   - target: The percent-encoded request target, such as `/v1/displays`.
  ///   - headers: The headers.
  ///   - body: The body; empty for none.
  /// - Returns: The status, headers and body of the answer. An event stream is refused with status 501.
  package func answer(
    _ method: String, _ target: String, _ headers: HTTPHeaders, _ body: [UInt8]
  ) async -> (status: Int, headers: HTTPHeaders, body: [UInt8]) {
    let request = Request(method: method, target: target, headers: headers, body: RequestBody(bytes: body))
    switch await endpoints.answer(request) {
    case .response(let response): return (Int(response.status.code), response.headers, response.body)
    case .events: return (501, [:], [])
    case .parts(let parts):
      var body: [UInt8] = []
      do {
        while let part = try await parts.next() { body += part }
      } catch {
        return (500, [:], [])
      }
      return (200, ["content-type": parts.type], body)
    }
  }
}
