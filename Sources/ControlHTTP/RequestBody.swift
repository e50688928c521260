import Control
import FoundationEssentials

/// Requests that name their fields, so that a misspelt one is refused instead of ignored.
protocol StrictRequest: Decodable {
  /// What it is called in sentences.
  static var noun: String { get }
  /// The names of all its fields.
  static var fields: [String] { get }
}

extension MessageRequest: StrictRequest {
  static var noun: String { "A message" }
  static var fields: [String] { ["text", "display", "wait"] }
}

extension PlugRequest: StrictRequest {
  static var noun: String { "A virtual monitor" }
  static var fields: [String] { ["display", "width", "height", "edid"] }
}

/// The body of a request.
struct RequestBody: Sendable {
  /// Its bytes as they came.
  var bytes: [UInt8]

  /// The request that it holds; the problem says what is wrong with it.
  func decode<Request: StrictRequest>(_: Request.Type) throws(Problem) -> Request {
    let known = "\(Request.noun) has the fields \(Request.fields.joined(separator: ", "))"
    guard !bytes.isEmpty else { throw .malformed("The request has no body: send JSON. \(known).") }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .malformed("The body is not UTF-8: send JSON in UTF-8.")
    }
    let fields = try decode(FieldNames.self, known: known).names
    let unknown = fields.filter { !Request.fields.contains($0) }
    guard unknown.isEmpty else {
      throw .invalid("\(known), and no \(unknown.sorted().joined(separator: ", ")): check the spelling.")
    }
    return try decode(Request.self, known: known)
  }

  private func decode<Value: Decodable>(_ type: Value.Type, known: String) throws(Problem) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch let error as DecodingError {
      throw Self.problem(error, known: known)
    } catch {
      throw .malformed("The body is not JSON: \(error).")
    }
  }

  private static func problem(_ error: DecodingError, known: String) -> Problem {
    switch error {
    case .keyNotFound(let key, _):
      return .invalid("The field \(key.stringValue) is missing. \(known).")
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      guard let field = context.codingPath.last else {
        return .invalid("The body is JSON, but no object in braces. \(known).")
      }
      return .invalid("The field \(field.stringValue) is no \(name(of: type)).")
    case .dataCorrupted(let context):
      guard let field = context.codingPath.last else {
        return .malformed("The body is not JSON: \(reason(context)).")
      }
      return .invalid("The field \(field.stringValue) is not valid: \(reason(context)).")
    @unknown default:
      return .malformed("The body is not understood: \(error). \(known).")
    }
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text in quotes"
    case is Bool.Type: "true or false"
    case is Int.Type: "whole number"
    default: "value of the right sort"
    }
  }

  /// Why in the parser's words, without the full stop.
  private static func reason(_ context: DecodingError.Context) -> String {
    let text = context.underlyingError.map { "\($0)" } ?? context.debugDescription
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

/// The names of an object's fields, whatever is in them.
private struct FieldNames: Decodable {
  let names: [String]

  struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
  }
}
