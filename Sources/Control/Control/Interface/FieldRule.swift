import JSON

/// A rule that concerns several fields of a request.
package struct FieldRule: Sendable {
  private enum Count { case exactlyOne, atMostOne, atLeastOne }

  private let count: Count
  /// The alternatives, each with the fields that belong together.
  let groups: [[String]]

  /// Returns the rule that a request has exactly one of some fields.
  static func exactlyOne(of fields: String...) -> FieldRule {
    FieldRule(count: .exactlyOne, groups: fields.map { [$0] })
  }

  /// Returns the rule that a request has exactly one of some groups of fields, and that group completely.
  static func exactlyOne(ofGroups groups: [String]...) -> FieldRule { FieldRule(count: .exactlyOne, groups: groups) }

  /// Returns the rule that a request has at most one of some fields.
  static func atMostOne(of fields: String...) -> FieldRule { FieldRule(count: .atMostOne, groups: fields.map { [$0] }) }

  /// Returns the rule that a request has one or more of some fields.
  static func atLeastOne(of fields: String...) -> FieldRule {
    FieldRule(count: .atLeastOne, groups: fields.map { [$0] })
  }

  /// The rule in JSON Schema.
  var schema: JSONValue {
    switch count {
    case .atLeastOne: ["anyOf": .array(groups.map(Self.required))]
    case .atMostOne:
      [
        "not": [
          "anyOf": .array(
            groups.indices.flatMap { first in
              groups[(first + 1)...].map { Self.required(groups[first] + $0) }
            })
        ]
      ]
    case .exactlyOne: ["oneOf": .array(groups.indices.map(alternative))]
    }
  }

  /// Returns the schema of one alternative. A group of several fields excludes each field of the others, which `oneOf`
  /// alone does not.
  private func alternative(_ index: Int) -> JSONValue {
    let group = Self.required(groups[index])
    guard groups.contains(where: { $0.count > 1 }) else { return group }
    let others = groups.indices.filter { $0 != index }.flatMap { groups[$0] }.map { Self.required([$0]) }
    return group.setting("not", others.count == 1 ? others[0] : ["anyOf": .array(others)])
  }

  private static func required(_ fields: [String]) -> JSONValue {
    ["required": .array(fields.map { .string($0) })]
  }

  /// Checks the names of the fields that a request has.
  ///
  /// - Parameters:
  ///   - names: The names.
  ///   - noun: The subject of the sentence.
  /// - Throws: `ControlError` of kind `invalid` that names the fields.
  func check(_ names: some Collection<String>, _ noun: String) throws(ControlError) {
    let given = groups.joined().filter(names.contains)
    let started = groups.count { $0.contains(where: names.contains) }
    let isWhole = groups.contains { $0.allSatisfy(names.contains) }
    let isPlain = groups.allSatisfy { $0.count == 1 }
    let choice =
      isPlain
      ? groups.flatMap(\.self).listed("or")
      : groups.map { $0.joined(separator: " and ") }.joined(separator: ", or ")
    switch count {
    case .atLeastOne where started == 0:
      throw ControlError(.invalid, "\(noun) needs \(choice): send at least one of these fields.")
    case .atMostOne where started > 1, .exactlyOne where started > 1:
      throw ControlError(.invalid, "\(noun) has \(given.listed("and")): send only \(choice).")
    case .exactlyOne where !isWhole:
      throw ControlError(.invalid, "\(noun) needs \(choice): send one of these\(isPlain ? " fields" : "").")
    default: break
    }
  }
}
