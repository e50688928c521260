import JSON

/// What an endpoint answers where all goes well.
struct Outcome: Sendable {
  /// Something new.
  struct Made: Sendable {
    /// What paths call it, `session`.
    let parameter: String
    /// The field of the report that has its name, `id`.
    let field: String
  }

  /// The HTTP status.
  let status: Int
  /// What it means, in a sentence.
  let text: String
  /// The media types that its body may have, with their schemas; none where there is no body.
  let content: [String: JSONValue]
  /// Whether the answer names its state by an ETag.
  var isTagged = false
  /// Whether a client that names the state that it has gets a 304.
  var isCached = false
  /// What it made, where it made something; the answer says where that is.
  var made: Made?
  /// Whether it goes on until somebody ends it.
  var isStream = false
  /// Whether it is a page of a list, which names the next one in `Link`.
  var isPaged = false

  /// A report of this schema.
  static func report(_ name: String, _ text: String) -> Outcome { json(APISchema.ref(name), text) }

  /// A list of reports of this schema.
  static func list(_ name: String, _ text: String) -> Outcome { json(APISchema.list(of: APISchema.ref(name)), text) }

  /// A page of a list of reports of this schema.
  static func page(_ name: String, _ text: String) -> Outcome {
    var outcome = list(name, text)
    outcome.isPaged = true
    return outcome
  }

  /// JSON of this schema.
  static func json(_ schema: JSONValue, _ text: String) -> Outcome {
    Outcome(status: 200, text: text, content: ["application/json": schema])
  }

  /// A report on something that can be edited.
  static func tagged(_ name: String, _ text: String) -> Outcome {
    var outcome = report(name, text)
    outcome.isTagged = true
    return outcome
  }

  /// A report on something new.
  static func created(_ name: String, _ text: String, _ parameter: String, by field: String) -> Outcome {
    Outcome(
      status: 201, text: text, content: ["application/json": APISchema.ref(name)],
      made: Made(parameter: parameter, field: field))
  }

  /// Nothing to say.
  static func done(_ text: String) -> Outcome { Outcome(status: 204, text: text, content: [:]) }

  /// A file of one of these types, which clients may keep if they ask whether it is still the same.
  static func file(_ types: [String], _ text: String, isCached: Bool = true) -> Outcome {
    let schema: JSONValue = ["type": "string", "contentEncoding": "binary"]
    return Outcome(
      status: 200, text: text, content: Dictionary(types.map { ($0, schema) }) { first, _ in first },
      isTagged: isCached, isCached: isCached)
  }

  /// A document in JSON, which clients may keep if they ask whether it is still the same.
  static func document(_ schema: JSONValue, _ text: String, type: String = "application/json") -> Outcome {
    Outcome(status: 200, text: text, content: [type: schema], isTagged: true, isCached: true)
  }
}
