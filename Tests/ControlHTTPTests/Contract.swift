import Control
import Foundation
import JSON
import Testing

@testable import ControlHTTP

/// A validator of responses against the OpenAPI document. It supports the keywords of JSON Schema that the document
/// uses.
struct Contract {
  static let folder = URL(filePath: "\(#filePath)/../../../scripts").standardized

  /// The committed document, with the committed schema of scenes.
  static let document: JSONValue = {
    let scenes = try? JSONValue(parsing: Data(contentsOf: folder.appending(path: "scene.schema.json")))
    return OpenAPI.document(scenes: scenes)
  }()

  /// Returns the faults of a response, given as bytes from the server; empty if it matches the document.
  static func faults(_ answer: String, to method: String, _ target: String) -> [String] {
    guard let end = answer.range(of: "\r\n\r\n"), let status = answer.split(separator: " ").dropFirst().first else {
      return []
    }
    let head = answer[..<end.lowerBound].lowercased()
    let body = answer[end.upperBound...]
    let found = (try? Target(target)).flatMap { try? Router(Endpoint.all).find(method, $0) }
    guard let endpoint = found?.endpoint else {
      return body.isEmpty || status < "400" ? [] : check(body, APISchema.ref("Problem"))
    }
    let promised = document["paths"]?[endpoint.path]?[endpoint.method.lowercased()]?["responses"]?[String(status)]
    guard let promised else { return ["\(endpoint.name): status \(status) is not documented"] }
    guard case .object(let types)? = resolved(promised)["content"] else {
      return body.isEmpty ? [] : ["\(endpoint.name): \(status) has a body"]
    }
    guard let (type, content) = types.first(where: { head.contains("content-type: \($0.key)") }) else {
      return ["\(endpoint.name): the response to \(status) has none of the types \(types.keys)"]
    }
    for header in ["etag", "location"] where promised["headers"]?[header == "etag" ? "ETag" : "Location"] != nil {
      if !head.contains("\r\n\(header): ") { return ["\(endpoint.name): no \(header)"] }
    }
    guard type.hasSuffix("json"), method != "HEAD" else { return [] }
    return check(body, content["schema"] ?? .null).map { "\(endpoint.name): \($0)" }
  }

  /// Returns the faults of a value, according to the schema with this name.
  static func faults(_ value: JSONValue, of name: String) -> [String] { faults(value, APISchema.ref(name), name) }

  private static func check(_ body: Substring, _ schema: JSONValue) -> [String] {
    guard let value = try? JSONValue(parsing: body.utf8) else { return ["\(body.prefix(80)) is not JSON"] }
    return faults(value, schema, "it")
  }

  private static func resolved(_ schema: JSONValue) -> JSONValue {
    guard let reference = schema["$ref"]?.text else { return schema }
    let target = reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? .null }
    #expect(target != .null, "the target of \(reference) does not exist")
    return resolved(target)
  }

  private static func faults(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
    let schema = resolved(schema)
    var faults = combined(value, schema, place)
    if let constant = schema["const"], constant != value { faults.append("\(place) is not \(constant)") }
    if case .array(let words)? = schema["enum"], !words.contains(value) {
      faults.append("\(place) is not in the enum: \(value)")
    }
    if let type = schema["type"]?.text, !isOf(type, value) { faults.append("\(place) is not of type \(type)") }
    if case .object(let members) = value { faults += inside(members, schema, place) }
    if case .array(let elements) = value, let items = schema["items"] {
      faults += elements.enumerated().flatMap { Self.faults($1, items, "\(place)[\($0)]") }
    }
    if case .string(let text) = value { faults += checked(text, schema, place) }
    if let number = value.double {
      if let least = schema["minimum"]?.double, number < least { faults.append("\(place) is below \(least)") }
      if let most = schema["maximum"]?.double, number > most { faults.append("\(place) is above \(most)") }
    }
    return faults
  }

  private static func combined(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
    var faults: [String] = []
    func fitting(_ key: String) -> Int? {
      guard case .array(let schemas)? = schema[key] else { return nil }
      return schemas.count { Self.faults(value, $0, place).isEmpty }
    }
    if let count = fitting("oneOf"), count != 1 { faults.append("\(place) matches \(count) schemas of oneOf") }
    if fitting("anyOf") == 0 { faults.append("\(place) matches no schema of anyOf") }
    if let other = schema["not"], Self.faults(value, other, place).isEmpty {
      faults.append("\(place) matches the schema of not")
    }
    return faults
  }

  private static func inside(_ members: [String: JSONValue], _ schema: JSONValue, _ place: String) -> [String] {
    var faults: [String] = []
    if case .array(let required)? = schema["required"] {
      faults += required.compactMap(\.text).filter { members[$0] == nil }.map { "\(place).\($0) is missing" }
    }
    for (name, member) in members {
      if let known = schema["properties"]?[name] {
        faults += Self.faults(member, known, "\(place).\(name)")
      } else if let other = schema["additionalProperties"], other != true {
        faults += other == false ? ["\(place).\(name) is not known"] : Self.faults(member, other, "\(place).\(name)")
      }
    }
    return faults
  }

  private static func checked(_ text: String, _ schema: JSONValue, _ place: String) -> [String] {
    var faults: [String] = []
    let count = text.unicodeScalars.count
    if let least = schema["minLength"]?.integer, count < least { faults.append("\(place) is too short") }
    if let most = schema["maxLength"]?.integer, count > most { faults.append("\(place) is too long") }
    if let pattern = schema["pattern"]?.text, let regex = try? Regex(pattern), text.firstMatch(of: regex) == nil {
      faults.append("\(place) does not match \(pattern)")
    }
    return faults
  }

  private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
      ("number", .number):
      true
    case ("integer", .number): value.integer != nil || value.double.map { $0 == $0.rounded() } == true
    default: false
    }
  }
}
