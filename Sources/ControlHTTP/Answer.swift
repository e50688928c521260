import Control
import JSON
import NIOHTTP1

/// What a request is answered with.
enum Answer: Sendable {
  /// A response of known length.
  case response(Response)
  /// Events, until the client or the service ends.
  case events(EventFeed)
  /// A response that is written in parts.
  case parts(AnswerParts)

  /// A report as JSON.
  static func json(_ value: some Encodable, _ status: HTTPResponseStatus = .ok) -> Answer {
    .response(Response(status, type: "application/json", body: Response.encode(value)))
  }

  /// A report on something new, and where it is.
  static func created(_ value: some Encodable, at location: String?) -> Answer {
    var response = Response(.created, type: "application/json", body: Response.encode(value))
    if let location { response.headers.add(name: "location", value: location) }
    return .response(response)
  }

  /// A report on something of which several states are known; only its head where the client has this one already.
  static func json(_ value: some Encodable, tag: EntityTag, known: EntityTags? = nil) -> Answer {
    file(Response.encode(value), "application/json", tag: tag, known: known)
  }

  /// A file that clients may keep, if they ask each time whether it is still the same.
  ///
  /// - Parameters:
  ///   - bytes: The body; nil if only the head is wanted.
  ///   - type: The media type of what the bytes hold.
  ///   - tag: The tag of these bytes.
  ///   - known: The tags that the client has.
  ///   - encoding: How the bytes are compressed, `gzip` or `identity`, if the client's Accept-Encoding decided it.
  /// - Returns: The file, or a 304 if the client has it.
  static func file(
    _ bytes: [UInt8]?, _ type: String, tag: EntityTag, known: EntityTags? = nil, encoding: String? = nil
  ) -> Answer {
    var response: Response
    if let bytes, known?.hold(weakly: tag) != true {
      response = Response(.ok, type: type, body: bytes)
    } else {
      response = Response(.notModified)
    }
    response.headers.replaceOrAdd(name: "cache-control", value: "no-cache")
    response.headers.add(name: "etag", value: "\(tag)")
    if let encoding {
      response.headers.add(name: "vary", value: "accept-encoding")
      if response.status == .ok, encoding != "identity" {
        response.headers.add(name: "content-encoding", value: encoding)
      }
    }
    return .response(response)
  }

  /// Done, and nothing to say of it.
  static let nothing = Answer.response(Response(.noContent))

  /// An image of this media type, which clients do not cache.
  static func image(_ bytes: [UInt8], _ type: String) -> Answer { .response(Response(.ok, type: type, body: bytes)) }
}

/// A response of known length.
struct Response: Sendable {
  /// The status of the response.
  var status: HTTPResponseStatus
  /// Headers besides those that the connection adds (length, connection).
  var headers: HTTPHeaders
  /// The body; a HEAD request gets its length only.
  var body: [UInt8]

  init(_ status: HTTPResponseStatus, type: String? = nil, body: [UInt8] = []) {
    self.status = status
    self.headers = HTTPHeaders()
    self.body = body
    if let type { headers.add(name: "content-type", value: type) }
    headers.add(name: "cache-control", value: "no-store")
  }

  /// A refusal as a problem document (RFC 9457).
  init(_ problem: Problem) {
    self.init(
      HTTPResponseStatus(statusCode: problem.status), type: "application/problem+json", body: Self.encode(problem))
  }

  /// The reports hold strings, numbers and lists only, which JSON can always say; should one ever hold a number
  /// that it cannot (an infinity), the client gets no body rather than a wrong one.
  static func encode(_ value: some Encodable) -> [UInt8] {
    (try? JSON.encode(value)) ?? []
  }
}
