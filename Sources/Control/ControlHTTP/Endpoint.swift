import Control
import JSON
import NIOHTTP1

/// One method of one resource: its path, input, answer and implementation.
///
/// `Endpoint.all` is the only list of endpoints. The router and the OpenAPI document are derived from it.
struct Endpoint: Sendable {
  /// The body of a request.
  enum Body: Hashable, Sendable {
    /// No body; one that is sent is ignored.
    case none
    /// A JSON text of this schema.
    case json(String)
    /// A JSON text of this schema, which may be as large as an image.
    case largeJSON(String)
    /// The file of an image.
    case image
    /// An iCalendar file.
    case calendar
    /// A CSV file.
    case rows
  }

  /// A field of a query.
  struct Field: Sendable {
    let name: String
    let schema: JSONValue
    let text: String

    init(_ name: String, _ schema: JSONValue, _ text: String) {
      self.name = name
      self.schema = schema
      self.text = text
    }
  }

  /// The HTTP method: `GET`, `POST`, `PUT` or `DELETE`.
  let method: String
  /// The path as OpenAPI writes it, `/v1/displays/{display}/why`. `{session}`, `{message}` and `{loss}` are ids.
  let path: String
  /// The operation's name in client code generated from the OpenAPI document.
  let name: String
  /// A sentence that describes the operation.
  let summary: String
  /// The permitted fields of the query.
  let query: [Field]
  /// The kind of body that the request has.
  let body: Body
  /// The answer on success.
  let answer: Outcome
  /// The status codes of its errors, besides those that any similar request may cause.
  let problems: [Int]
  /// Whether the resource has revisions, so that If-Match applies to it.
  let isEditable: Bool
  /// The function that carries out the request; it throws `Problem` or `ControlError`.
  let perform: @Sendable (Call) async throws -> Answer

  init(
    _ method: String, _ path: String, _ name: String, _ summary: String, query: [Field] = [], body: Body = .none,
    answer: Outcome, problems: [Int] = [], isEditable: Bool = false,
    perform: @escaping @Sendable (Call) async throws -> Answer
  ) {
    self.method = method
    self.path = path
    self.name = name
    self.summary = summary
    self.query = query
    self.body = body
    self.answer = answer
    self.problems = problems
    self.isEditable = isEditable
    self.perform = perform
  }

  /// Whether the answer is a stream that does not end by itself, which HEAD cannot describe.
  var isStream: Bool { answer.isStream }

  /// The segments of the path.
  var segments: [String] { path.split(separator: "/").map(String.init) }
}

/// A request that was matched to its endpoint, with the parameters of its target.
struct Call: Sendable {
  /// The service that carries out the request.
  let service: any ControlService
  /// The function that finds documents served unchanged.
  let documents: ServedDocument.Lookup
  /// The rejection counters.
  let rejections: RejectionCounters
  /// The states of bridges.
  let bridges: BridgeStates
  /// The queue in which pages are made one at a time.
  let pageQueue: PageQueue
  /// The request.
  let request: Request
  /// The names in the path by parameter, such as `display` or `session`.
  let names: [String: String]
  /// The fields of the query.
  let query: [String: String]

  /// Returns a name from the path; the endpoint's template contains the parameter.
  func name(_ parameter: String) -> String { names[parameter] ?? "" }

  /// Returns an ID from the path, which the router has checked to be a whole number from 1.
  func id(_ parameter: String) -> Int { Int(name(parameter)) ?? 0 }

  /// The name of the display in the path.
  var display: String { name("display") }

  /// Decodes and checks the request in the body.
  func body<Body: InterfaceObject>(_: Body.Type = Body.self) throws(Problem) -> Body {
    try request.body.decode(Body.self)
  }

  /// Returns the entity tags of an If-Match or If-None-Match header, or nil without one.
  func tags(_ header: String) throws(Problem) -> EntityTags? {
    try EntityTags(request.headers[header], header: header)
  }
}
