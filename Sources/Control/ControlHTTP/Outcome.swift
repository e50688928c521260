import Control
import JSON

/// The answer of an endpoint on success.
struct Outcome: Sendable {
  /// A created resource.
  struct Made: Sendable {
    /// The name of its path parameter, such as `session`.
    let parameter: String
    /// The field of the report that contains its name or ID, such as `id`.
    let field: String
  }

  /// The HTTP status code.
  let status: Int
  /// A sentence that describes the answer.
  let text: String
  /// The media types of the body and their schemas; empty without a body.
  let content: [String: JSONValue]
  /// Whether the answer has an ETag.
  var isTagged = false
  /// Whether a client that sends the current ETag gets a 304.
  var isCached = false
  /// The resource that the request creates, whose location the answer contains; nil for none.
  var made: Made?
  /// Whether the answer is a stream that does not end by itself.
  var isStream = false
  /// Whether the answer is a page of a list, with a link to the next page in `Link`.
  var isPaged = false

  /// Returns the outcome with a report of a schema.
  static func report(_ name: String, _ text: String) -> Outcome { json(APISchema.ref(name), text) }

  /// Returns the outcome with a list of reports of a schema.
  static func list(_ name: String, _ text: String) -> Outcome { json(APISchema.list(of: APISchema.ref(name)), text) }

  /// Returns the outcome with a page of a list of reports of a schema.
  static func page(_ name: String, _ text: String) -> Outcome {
    var outcome = list(name, text)
    outcome.isPaged = true
    return outcome
  }

  /// Returns the outcome with JSON of a schema.
  static func json(_ schema: JSONValue, _ text: String) -> Outcome {
    Outcome(status: 200, text: text, content: ["application/json": schema])
  }

  /// Returns the outcome with a report on a resource that can be edited.
  static func tagged(_ name: String, _ text: String) -> Outcome {
    var outcome = report(name, text)
    outcome.isTagged = true
    return outcome
  }

  /// Returns the outcome with a report on a created resource.
  static func created(_ name: String, _ text: String, _ parameter: String, by field: String) -> Outcome {
    Outcome(
      status: 201, text: text, content: ["application/json": APISchema.ref(name)],
      made: Made(parameter: parameter, field: field))
  }

  /// Returns the outcome without a body.
  static func done(_ text: String) -> Outcome { Outcome(status: 204, text: text, content: [:]) }

  /// Returns the outcome with a file, which clients may cache, but must revalidate, if `isCached` is true.
  static func file(_ types: [String], _ text: String, isCached: Bool = true) -> Outcome {
    let schema: JSONValue = ["type": "string", "contentEncoding": "binary"]
    return Outcome(
      status: 200, text: text, content: Dictionary(types.map { ($0, schema) }) { first, _ in first },
      isTagged: isCached, isCached: isCached)
  }

  /// Returns the outcome with a JSON document, which clients may cache, but must revalidate.
  static func document(_ schema: JSONValue, _ text: String, type: String = "application/json") -> Outcome {
    Outcome(status: 200, text: text, content: [type: schema], isTagged: true, isCached: true)
  }
}
