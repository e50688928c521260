import Control
import JSON
import NIOHTTP1

/// One method of one resource: where it is, what it takes, what it answers, and who answers. The table of all of them is
/// `Endpoint.all`: requests find their way by it, the OpenAPI document is made of it, and nothing else knows what there
/// is.
struct Endpoint: Sendable {
  /// What the body of a request is.
  enum Body: Hashable, Sendable {
    /// None; one that is there is not looked at.
    case none
    /// A JSON text of this schema.
    case json(String)
    /// A picture's file.
    case picture
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

  /// `GET`, `POST`, `PUT` or `DELETE`.
  let method: String
  /// The path as OpenAPI writes it, `/v1/displays/{display}/why`. `{session}`, `{message}` and `{loss}` are ids.
  let path: String
  /// What programs that are made from the document call it.
  let name: String
  /// What it does, in a sentence.
  let summary: String
  /// The fields that its query may have.
  let query: [Field]
  /// What its body is.
  let body: Body
  /// What it answers where all goes well.
  let answer: Outcome
  /// The statuses of its refusals, besides those that any request like it may meet.
  let problems: [Int]
  /// Whether it knows the states of its resource, so that If-Match means something to it.
  let isEditable: Bool
  /// Asks the service. Throws `Problem` or `ControlError`.
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

  /// Whether it answers with a stream that never ends by itself, so that a HEAD would say nothing.
  var isStream: Bool { answer.isStream }

  /// The path's segments.
  var segments: [String] { path.split(separator: "/").map(String.init) }
}

/// A request that has found its endpoint, with what its target says taken out.
struct Call: Sendable {
  /// Who carries it out.
  let service: any ControlService
  /// What is served besides, as it is.
  let documents: ServedDocument.Shelf
  /// What limits have cut.
  let cuts: Cuts
  /// Where pages are made, one at a time.
  let gate: PageGate
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

  /// The request in its body.
  func body<Wish: StrictRequest>(_: Wish.Type = Wish.self) throws(Problem) -> Wish {
    try request.body.decode(Wish.self)
  }

  /// The tags of an If-Match or If-None-Match; nil without one.
  func tags(_ header: String) throws(Problem) -> EntityTags? {
    try EntityTags(request.headers[header], header: header)
  }
}
