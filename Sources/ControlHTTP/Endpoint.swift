import Control
import NIOHTTP1

/// One method of one resource: where it is, what it takes, and who answers. The table of all of them is `Endpoint.all`:
/// requests find their way by it, and nothing else knows what there is.
struct Endpoint: Sendable {
  /// What the body of a request may be.
  enum Body: Hashable, Sendable {
    /// None; one that is there is not looked at.
    case none
    /// A JSON text.
    case json
    /// A picture's file.
    case picture
  }

  /// `GET`, `POST`, `PUT` or `DELETE`.
  let method: String
  /// The path as OpenAPI writes it, `/v1/displays/{display}/why`. `{session}` and `{message}` are ids.
  let path: String
  /// The fields that its query may have.
  var query: [String] = []
  /// What its body may be.
  var body = Body.none
  /// Whether it answers with a stream that never ends by itself, so that a HEAD would say nothing.
  var isStream = false
  /// Whether it knows the states of its resource, so that If-Match means something to it.
  var isEditable = false
  /// Asks the service. Throws `Problem` or `ControlError`.
  let perform: @Sendable (Call) async throws -> Answer

  /// The path's segments.
  var segments: [Substring] { path.split(separator: "/").map { $0 } }
}

/// A request that has found its endpoint, with what its target says taken out.
struct Call: Sendable {
  /// Who carries it out.
  let service: any ControlService
  /// The request.
  let request: Request
  /// The names in its path, `display`, `session`.
  let names: [String: String]
  /// The fields of its query.
  let query: [String: String]

  /// A name in the path; the endpoint's template has it.
  func name(_ parameter: String) -> String { names[parameter] ?? "" }

  /// An id in the path; whole numbers from 1 only get here.
  func id(_ parameter: String) -> Int { Int(name(parameter)) ?? 0 }

  /// The display in the path.
  var display: String { name("display") }

  /// The tags of an If-Match or If-None-Match; nil without one.
  func tags(_ header: String) throws(Problem) -> EntityTags? {
    try EntityTags(request.headers[header], header: header)
  }
}
