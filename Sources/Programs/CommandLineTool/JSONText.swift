import JSON

/// Reports as JSON for people and programs.
enum JSONText {
  /// Returns JSON on several lines, with members sorted by name.
  static func pretty(_ value: some Encodable) throws(Failure) -> String {
    try encode(value, isPretty: true)
  }

  /// Returns JSON on one line, with members sorted by name.
  static func line(_ value: some Encodable) throws(Failure) -> String {
    try encode(value, isPretty: false)
  }

  private static func encode(_ value: some Encodable, isPretty: Bool) throws(Failure) -> String {
    do {
      return SafeText.json(String(decoding: try JSON.encode(value, pretty: isPretty), as: UTF8.self))
    } catch {
      throw Failure(.refused, "The report cannot be written as JSON: \(error).")
    }
  }
}
