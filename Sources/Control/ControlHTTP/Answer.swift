import Control
import JSON
import NIOHTTP1

/// The answer to a request.
enum Answer: Sendable {
  /// A response of known length.
  case response(Response)
  /// Events, until the client or the service ends the stream. The function is called once after that.
  case events(EventFeed, ended: (@Sendable () -> Void)?)
  /// A response that is written in parts.
  case parts(AnswerParts)

  /// Returns an answer with a report as JSON.
  static func json(_ value: some Encodable, _ status: HTTPResponseStatus = .ok) -> Answer {
    .response(Response(status, type: "application/json", body: Response.encode(value)))
  }

  /// Returns an answer with a report on a new resource and its location.
  static func created(_ value: some Encodable, at location: String?) -> Answer {
    var response = Response(.created, type: "application/json", body: Response.encode(value))
    if let location { response.headers.add(name: "location", value: location) }
    return .response(response)
  }

  /// Returns an answer with a report and its entity tag, or a 304 if the client has this state already.
  static func json(_ value: some Encodable, tag: EntityTag, known: EntityTags? = nil) -> Answer {
    file(Response.encode(value), "application/json", tag: tag, known: known)
  }

  /// Returns an answer with a file that clients may cache, but must revalidate for each use.
  ///
  /// - Parameters:
  ///   - bytes: The body; nil for a 304.
  ///   - type: The media type of the bytes before compression.
  ///   - tag: The entity tag of these bytes.
  ///   - known: The entity tags that the client has.
  ///   - encoding: The content coding of the bytes, `gzip` or `identity`, if it depends on Accept-Encoding.
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

  /// The answer for success without content.
  static let nothing = Answer.response(Response(.noContent))

  /// Returns an answer with an image of a media type, which clients must not cache.
  static func image(_ bytes: [UInt8], _ type: String) -> Answer { .response(Response(.ok, type: type, body: bytes)) }
}

/// A response of known length.
struct Response: Sendable {
  /// The status of the response.
  var status: HTTPResponseStatus
  /// The headers besides those that the connection adds (length, connection).
  var headers: HTTPHeaders
  /// The body, of which only the length is sent for a HEAD request.
  var body: [UInt8]

  init(_ status: HTTPResponseStatus, type: String? = nil, body: [UInt8] = []) {
    self.status = status
    self.headers = HTTPHeaders()
    self.body = body
    if let type { headers.add(name: "content-type", value: type) }
    headers.add(name: "cache-control", value: "no-store")
  }

  /// Creates a response with a problem document (RFC 9457).
  init(_ problem: Problem) {
    self.init(
      HTTPResponseStatus(statusCode: problem.status), type: "application/problem+json", body: Self.encode(problem))
  }

  /// Encodes a value as JSON.
  ///
  /// Reports contain only strings, numbers and lists, which JSON can always represent. A number that it cannot
  /// represent (an infinity) would produce an empty body rather than a wrong one.
  ///
  /// - Parameter value: The value.
  /// - Returns: The JSON text in UTF-8, or no bytes if the value cannot be represented.
  static func encode(_ value: some Encodable) -> [UInt8] {
    (try? JSON.encode(value)) ?? []
  }
}
