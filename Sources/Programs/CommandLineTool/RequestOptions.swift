import ArgumentParser
import Control

extension InterfaceObject {
  /// Checks the value of an option against the limits of the request's field.
  ///
  /// - Parameters:
  ///   - option: The option, such as `--priority`.
  ///   - value: The value; nil if the option is absent.
  ///   - field: The name of the field.
  /// - Throws: `ValidationError` that names the option, the value and the limit.
  static func checkOption(_ option: String, _ value: Int?, of field: String) throws {
    guard let value, let field = interface[field], let limit = field.limit, !field.accepts(value) else { return }
    throw ValidationError("\(option) is \(value): it must be \(limit).")
  }

  /// Parses the value of an option that is one of the words of the request's field.
  ///
  /// - Parameters:
  ///   - option: The option, such as `--role`.
  ///   - text: The value.
  ///   - field: The name of the field.
  /// - Throws: `ValidationError` that names the option, the value and the words.
  /// - Returns: The word.
  static func word<Word: RawRepresentable<String>>(_ option: String, _ text: String, of field: String) throws -> Word {
    if let word = Word(rawValue: text) { return word }
    throw ValidationError("\(option) is \(text): it must be \(interface[field]?.limit ?? "another word").")
  }
}
