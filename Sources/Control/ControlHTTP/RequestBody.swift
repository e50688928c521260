import Control
import JSON

/// The body of a request.
struct RequestBody: Sendable {
  /// The bytes as received.
  var bytes: [UInt8]

  /// Decodes and checks the request in the body; the problem names the mistake.
  func decode<Request: StrictRequest>(_: Request.Type) throws(Problem) -> Request {
    let known = "\(Request.noun) has the fields \(Request.fields.joined(separator: ", "))"
    guard !bytes.isEmpty else { throw .malformed("The request has no body: send JSON. \(known).") }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .malformed("The body is not UTF-8: send JSON in UTF-8.")
    }
    let members = try members(known)
    let unknown = members.keys.filter { !Request.fields.contains($0) }
    guard unknown.isEmpty else {
      throw .invalid("\(known), but not \(unknown.sorted().joined(separator: ", ")): check the spelling.")
    }
    if let empty = Request.fields.first(where: { members[$0] == .null }) {
      throw .invalid("The field \(empty) is null: omit it, or give it a value.")
    }
    let request: Request
    do {
      request = try JSON.decode(Request.self, from: bytes)
    } catch {
      throw .invalid(Self.sentence(on: error, known: known))
    }
    try request.check()
    return request
  }

  /// Returns the scene document in the body; the service decides whether it is a valid scene.
  func document() throws(Problem) -> JSONValue {
    guard !bytes.isEmpty else { throw .malformed("The request has no body: send a scene document as JSON.") }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .malformed("The body is not UTF-8: send JSON in UTF-8.")
    }
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw .malformed("The body is not JSON: check its quotes, commas and braces.")
    }
  }

  private func members(_ known: String) throws(Problem) -> [String: JSONValue] {
    do {
      guard case .object(let members) = try JSONValue(parsing: bytes) else {
        throw Problem.invalid("The body is JSON, but not an object. \(known).")
      }
      return members
    } catch let problem as Problem {
      throw problem
    } catch {
      throw .malformed("The body is not JSON: check its quotes, commas and braces. \(known).")
    }
  }

  /// Returns a sentence that describes the mistake in an object without unknown fields.
  private static func sentence(on error: any Error, known: String) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, _): "The field \(key.stringValue) is missing. \(known)."
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "The field \(context.codingPath.last?.stringValue ?? "") is not \(name(of: type))."
    case .dataCorrupted(let context):
      "The field \(context.codingPath.last?.stringValue ?? "") is not a whole number, or too large. \(known)."
    default: "\(error). \(known)."
    }
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Int.Type: "a whole number"
    case is Double.Type: "a number"
    default: "a value of the right type"
    }
  }
}
