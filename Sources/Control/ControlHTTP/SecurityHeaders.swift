import Access
import NIOHTTP1

/// The security headers of every response.
enum SecurityHeaders {
  private static let policy =
    "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; "
    + "form-action 'self'"

  /// Adds the headers to the head of a response; `allowedOrigin` is the allowed origin whose page may read it.
  static func add(to headers: inout HTTPHeaders, allowedOrigin: WebOrigin?) {
    headers.add(name: "content-security-policy", value: policy)
    headers.add(name: "x-content-type-options", value: "nosniff")
    // With `no-referrer`, browsers send `Origin: null` with this server's own forms (log in, log out), as a foreign
    // page would.
    headers.add(name: "referrer-policy", value: "same-origin")
    headers.add(name: "cross-origin-opener-policy", value: "same-origin")
    headers.add(name: "cross-origin-resource-policy", value: allowedOrigin == nil ? "same-origin" : "cross-origin")
    if !headers.contains(name: "cache-control") { headers.add(name: "cache-control", value: "no-store") }
    guard let allowedOrigin else { return }
    headers.add(name: "access-control-allow-origin", value: allowedOrigin.description)
    headers.add(name: "access-control-expose-headers", value: "etag, link, location, retry-after, allow")
    headers.add(name: "vary", value: "origin")
  }

  /// The response to the preflight request of an allowed origin.
  static var preflight: Response {
    var response = Response(.noContent)
    response.headers.add(name: "access-control-allow-methods", value: "GET, HEAD, POST, PUT, DELETE")
    response.headers.add(
      name: "access-control-allow-headers",
      value: "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id")
    response.headers.add(name: "access-control-max-age", value: "600")
    return response
  }
}
