import Control
import JSON

/// The OpenAPI 3.1 document that describes the API to programs, generated from the table of endpoints.
enum OpenAPI {
  /// Returns the document.
  ///
  /// - Parameter scenes: The scene schema, which becomes part of the document; nil accepts any object with a kind as a
  ///   scene.
  /// - Returns: The document.
  static func document(scenes: JSONValue?) -> JSONValue {
    [
      "openapi": "3.1.0", "info": info, "servers": [["url": "/"]], "paths": paths(Endpoint.all),
      "security": [[:], ["token": []], ["cookie": []]],
      "components": [
        "schemas": .object(schemas(scenes)), "responses": .object(problems), "headers": headers,
        "securitySchemes": [
          "token": ["type": "http", "scheme": "bearer", "description": "The text of the service's token file."],
          "cookie": [
            "type": "apiKey", "in": "cookie", "name": "placard", "description": "The cookie that the login page sets.",
          ],
        ],
      ],
    ]
  }

  private static let info: JSONValue = [
    "title": "Placard", "version": .string(PlacardVersion.current),
    "summary": "Messages and scenes on monitors",
    "description": """
    The API of the controller, over a Unix socket or TCP. Errors are problem documents (RFC 9457). A POST with an \
    Idempotency-Key is carried out only once, even if it is sent again within 24 hours while the service runs. Resources \
    that several clients can edit have an ETag: send it back in If-Match.
    """,
    "license": ["name": "Apache License 2.0", "identifier": "Apache-2.0"],
  ]

  // MARK: - Paths

  private static func paths(_ endpoints: [Endpoint]) -> JSONValue {
    var paths: [String: JSONValue] = [:]
    for endpoint in endpoints {
      paths[endpoint.path] = (paths[endpoint.path] ?? [:]).setting(endpoint.method.lowercased(), operation(endpoint))
    }
    return .object(paths)
  }

  private static func operation(_ endpoint: Endpoint) -> JSONValue {
    var operation: [String: JSONValue] = [
      "operationId": .string(endpoint.name), "summary": .string(endpoint.summary),
      "tags": [.string(endpoint.segments.dropFirst().first ?? "")], "responses": responses(endpoint),
    ]
    let parameters = pathParameters(endpoint) + queryParameters(endpoint) + headerParameters(endpoint)
    if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
    if let body = requestBody(endpoint.body) { operation["requestBody"] = body }
    return .object(operation)
  }

  private static func pathParameters(_ endpoint: Endpoint) -> [JSONValue] {
    endpoint.segments.filter { $0.hasPrefix("{") }.map { segment in
      let name = String(segment.dropFirst().dropLast())
      let schema =
        switch name {
        case "session", "message", "loss": APISchema.integer(1...Int.max)
        case "display": APISchema.text("Virtual-1", least: 1)
        default: APISchema.text("9f86d081884c7d65.png", least: 1)
        }
      return parameter(name, in: "path", schema).setting("required", true)
    }
  }

  private static func queryParameters(_ endpoint: Endpoint) -> [JSONValue] {
    endpoint.query.map { parameter($0.name, in: "query", $0.schema).setting("description", .string($0.text)) }
  }

  private static func headerParameters(_ endpoint: Endpoint) -> [JSONValue] {
    let tags = APISchema.text(pattern: #"^(\*|(W/)?"[!#-~]*"(, (W/)?"[!#-~]*")*)?$"#)
    var headers: [(String, JSONValue, String)] = []
    if endpoint.answer.isCached {
      headers.append(("If-None-Match", tags, "The ETag that the client has; the answer is 304 if it has not changed."))
    }
    if endpoint.isEditable {
      headers.append(
        ("If-Match", tags, "The ETag that the edit is based on; the answer is 412 if it has changed since."))
    }
    if endpoint.method == "POST" {
      let key = APISchema.text(least: 1, most: 255, pattern: "^[!-~]+$")
      headers.append(
        (
          "Idempotency-Key", key,
          "A unique ID of this request, so that it is not carried out twice if it is sent again."
        ))
    }
    if endpoint.isStream {
      headers.append(("Last-Event-ID", place, "The ID of the last event received; it takes precedence over the query."))
    }
    return headers.map { name, schema, text in
      parameter(name, in: "header", schema).setting("description", .string(text))
    }
  }

  /// The schema of a place in the events.
  static let place = APISchema.text("4f1c09aa-17", pattern: "^[0-9A-Za-z]+-[0-9]{1,19}$")

  private static func parameter(_ name: String, in place: String, _ schema: JSONValue) -> JSONValue {
    ["name": .string(name), "in": .string(place), "schema": schema]
  }

  private static func requestBody(_ body: Endpoint.Body) -> JSONValue? {
    switch body {
    case .none: return nil
    case .json(let schema), .largeJSON(let schema):
      var content: [String: JSONValue] = ["schema": APISchema.ref(schema)]
      if let examples = examples[schema] { content["examples"] = examples }
      return ["required": true, "content": ["application/json": .object(content)]]
    case .image:
      let file: JSONValue = ["schema": ["type": "string", "contentEncoding": "binary", "minLength": 1]]
      return ["required": true, "content": ["image/png": file, "image/jpeg": file]]
    case .calendar:
      let example = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\nEND:VCALENDAR\r\n"
      let file: JSONValue = ["schema": ["type": "string", "minLength": 1], "example": .string(example)]
      return ["required": true, "content": ["text/calendar": file]]
    case .rows:
      let file: JSONValue = ["schema": ["type": "string"], "example": "10:24,Berlin,5\n10:31,Hamburg,7\n"]
      return ["required": true, "content": ["text/csv": file]]
    }
  }

  // MARK: - Responses

  private static func responses(_ endpoint: Endpoint) -> JSONValue {
    let answer = endpoint.answer
    var response: [String: JSONValue] = ["description": .string(answer.text)]
    if !answer.content.isEmpty { response["content"] = .object(answer.content.mapValues { ["schema": $0] }) }
    var headers: [String: JSONValue] = [:]
    if answer.isTagged { headers["ETag"] = ["$ref": "#/components/headers/ETag"] }
    if answer.made != nil { headers["Location"] = ["$ref": "#/components/headers/Location"] }
    if answer.isPaged { headers["Link"] = ["$ref": "#/components/headers/Link"] }
    if !headers.isEmpty { response["headers"] = .object(headers) }
    if let made = answer.made { response["links"] = links(made) }
    var responses = ["\(answer.status)": JSONValue.object(response)]
    if answer.isCached {
      responses["304"] = [
        "description": "The client's copy is current.",
        "headers": ["ETag": ["$ref": "#/components/headers/ETag"]],
      ]
    }
    for status in statuses(endpoint) { responses["\(status)"] = ["$ref": .string("#/components/responses/\(status)")] }
    return .object(responses)
  }

  /// Returns the links of a created resource: the endpoints that have its name in their paths.
  private static func links(_ made: Outcome.Made) -> JSONValue {
    let users = Endpoint.all.filter { $0.segments.contains("{\(made.parameter)}") }
    let source = JSONValue.string("$response.body#/\(made.field)")
    return .object(
      Dictionary(
        users.map { user in
          (user.name, ["operationId": .string(user.name), "parameters": .object([made.parameter: source])])
        }
      ) { first, _ in first })
  }

  /// Returns the status codes of the errors that a request may cause.
  private static func statuses(_ endpoint: Endpoint) -> [Int] {
    var statuses = [400, 401, 403, 408, 417, 421, 429, 431, 500, 501, 503] + endpoint.problems
    if endpoint.path.contains("{") { statuses.append(404) }
    if endpoint.isEditable { statuses.append(412) }
    if endpoint.body != .none { statuses += [413, 415, 422] }
    if endpoint.method == "POST" { statuses.append(422) }
    return statuses
  }

  private static let problems: [String: JSONValue] = [
    400: "The request is malformed.", 401: "A token is required.",
    403: "The request comes from a web page of another origin.", 404: "The object does not exist.",
    408: "The request did not arrive in time.", 409: "The request is valid, but impossible in the current state.",
    412: "The object was changed by another client.", 413: "The body is too large.",
    415: "The type of the body is not supported.", 417: "The expectation is not supported.",
    421: "The request is for another host.", 422: "The request is not valid.",
    429: "The client sent too many requests.", 431: "The head of the request is too large.",
    500: "The service failed to carry out the request.",
    501: "The transfer coding is not supported.",
    503: "The service is starting, or has too many connections.",
  ].reduce(into: [:]) { problems, problem in
    problems["\(problem.key)"] = [
      "description": .string(problem.value),
      "content": ["application/problem+json": ["schema": APISchema.ref("Problem")]],
    ]
  }

  private static let headers: JSONValue = [
    "ETag": [
      "description": "The entity tag of the resource.", "schema": ["type": "string"], "required": true,
    ],
    "Location": ["description": "The URL of the new resource.", "schema": ["type": "string"]],
    "Link": [
      "description": "The target of the next page, with rel=\"next\"; absent on the last page (RFC 8288).",
      "schema": ["type": "string"],
    ],
  ]

  // MARK: - Schemas

  private static func schemas(_ scenes: JSONValue?) -> [String: JSONValue] {
    var schemas = InterfaceCatalog.schemas
    guard case .object(let definitions)? = scenes?["$defs"] else {
      schemas["scene"] = APISchema.ref("SceneDocument")
      schemas["scene.board"] = APISchema.ref("SceneDocument")
      return schemas
    }
    for (name, definition) in definitions { schemas[sceneName(name)] = moved(definition) }
    return schemas
  }

  /// Returns a definition of the scene schema with references to its definitions in this document.
  private static func moved(_ schema: JSONValue) -> JSONValue {
    switch schema {
    case .object(let members):
      var moved = members.mapValues(moved)
      if let name = members["$ref"]?.text?.split(separator: "/").last {
        moved["$ref"] = APISchema.ref(sceneName(name))["$ref"]
      }
      return .object(moved)
    case .array(let elements): return .array(elements.map(moved))
    default: return schema
    }
  }

  private static func sceneName(_ name: some StringProtocol) -> String { name == "scene" ? "scene" : "scene.\(name)" }

  private static let emptyBackup: JSONValue = {
    let backup = Backup(
      version: PlacardVersion.current, host: nil, made: Timestamp(milliseconds: 0), records: [], images: [])
    return (try? JSON.encode(backup)).flatMap { try? JSONValue(parsing: $0) } ?? .null
  }()

  /// Example bodies that can be sent unchanged.
  private static let examples: [String: JSONValue] = [
    "MessageRequest": [
      "fire": ["value": ["text": "Fire drill at 11:00", "name": "drill", "priority": 50, "seconds": 600]],
      "card": [
        "value": ["scene": ["kind": "card", "title": "Lift 2", "content": "Out of order"], "role": "external"]
      ],
    ],
    "PlainMessageRequest": ["welcome": ["value": ["text": "Welcome", "wait": true]]],
    "DisplayMessageRequest": ["closed": ["value": ["text": "Closed"]]],
    "OpenRequest": [
      "markdown": ["value": ["scene": ["kind": "markdown", "text": "# Today\n\n* Soup"], "display": "Virtual-1"]]
    ],
    "LibraryRequest": [
      "menu": [
        "value": ["scene": ["kind": "markdown", "text": "# Menu\n\n* Soup"], "title": "Menu", "tags": ["food"]]
      ]
    ],
    "ValueRequest": [
      "temperature": ["value": ["value": JSONValue(21.5), "unit": "°C", "maxAge": 600]],
      "departures": ["value": ["value": [["10:04", "Harbour", "2"], ["10:09", "Airport", "5"]]]],
    ],
    "RenderRequest": [
      "clock": ["value": ["scene": ["kind": "clock"], "width": 640, "height": 360]]
    ],
    "RenameRequest": ["lunch": ["value": ["name": "lunch"]]],
    "Backup": ["empty": ["value": emptyBackup]],
    "MoveRequest": ["move": ["value": ["display": "Virtual-1"]]],
    "ScrollRequest": ["half": ["value": ["position": JSONValue(0.5)]], "next": ["value": ["page": 1]]],
    "SleepRequest": ["wake": ["value": ["asleep": false]]],
    "ModeRequest": ["turn": ["value": ["rotation": 90]], "native": ["value": ["mode": "native", "keep": true]]],
    "IdentifyRequest": ["all": ["value": ["seconds": 1]]],
    "PlugRequest": ["small": ["value": ["width": 800, "height": 480]]],
    "scene": ["banner": ["value": ["kind": "banner", "text": "Welcome"]]],
    "scene.board": [
      "one": [
        "value": [
          "kind": "board", "columns": [["title": "Today", "cards": [["id": "lift", "title": "Lift 2"]]]],
        ]
      ]
    ],
  ]
}
