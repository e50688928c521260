import FoundationEssentials

/// Reports as JSON for people and programs.
enum JSONText {
  /// Over several lines, fields by name.
  static func pretty(_ value: some Encodable) throws(Failure) -> String {
    try encode(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  /// In one line, fields by name.
  static func line(_ value: some Encodable) throws(Failure) -> String {
    try encode(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func encode(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) throws(Failure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw Failure(.refused, "The report cannot be written as JSON: \(error).")
    }
  }
}
