/// A reader of settings in TOML, which rejects a whole file for any error and reports its line and reason.
package enum SettingsFile {
  /// The default path of the configuration file.
  package static let defaultPath = "/etc/placard/placard.toml"

  /// Reads the settings of a file, or of the default file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which must exist; nil for the default file, whose absence means the default
  ///     settings.
  ///   - facts: The context for validation.
  /// - Throws: `ConfigurationError` if the file cannot be read or is invalid.
  /// - Returns: The settings.
  package static func load(
    _ path: String?, facts: ValidationContext = ValidationContext()
  ) throws(ConfigurationError) -> Settings {
    if let path { return try read(path, facts: facts) }
    guard let bytes = try readFile(defaultPath) else { return Settings() }
    return try parse(bytes, name: defaultPath, facts)
  }

  /// Reads the settings of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - facts: The context for validation.
  /// - Throws: `ConfigurationError` if the file does not exist, cannot be read, or is invalid.
  /// - Returns: The settings.
  package static func read(
    _ path: String, facts: ValidationContext = ValidationContext()
  ) throws(ConfigurationError) -> Settings {
    guard let bytes = try readFile(path) else {
      throw ConfigurationError(
        file: path, line: nil, reason: "the file does not exist; start from scripts/placard.toml")
    }
    return try parse(bytes, name: path, facts)
  }

  /// Parses the settings of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - name: The name of the text in errors.
  ///   - facts: The context for validation.
  /// - Throws: `ConfigurationError` if the text is invalid.
  /// - Returns: The settings.
  package static func parse(
    _ text: String, name: String, facts: ValidationContext = ValidationContext()
  ) throws(ConfigurationError) -> Settings {
    let root: TOMLTable
    do {
      root = try TOMLParser.parse(text)
    } catch {
      throw ConfigurationError(file: name, line: error.line, reason: error.reason)
    }
    return try settings(from: TableReader(table: root, path: [], file: name), facts)
  }

  private static func parse(
    _ bytes: [UInt8], name: String, _ facts: ValidationContext
  ) throws(ConfigurationError) -> Settings {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(
        file: name, line: firstInvalidLine(bytes), reason: "the file is not UTF-8; save it as UTF-8 text")
    }
    return try parse(text, name: name, facts: facts)
  }

  private static func firstInvalidLine(_ bytes: [UInt8]) -> Int? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
  }
}
