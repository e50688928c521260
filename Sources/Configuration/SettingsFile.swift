/// Reads settings from TOML. A file that is wrong in any point is refused as a whole, with the line and the reason.
public enum SettingsFile {
  /// Where the service looks unless it is told otherwise.
  public static let defaultPath = "/etc/placard/placard.toml"

  /// The settings of the file that was asked for, which must exist; or with nil those of the default file, whose
  /// absence means the defaults.
  public static func load(
    _ path: String?, facts: ReadingFacts = ReadingFacts()
  ) throws(ConfigurationError) -> Settings {
    if let path { return try read(path, facts: facts) }
    guard let bytes = try readFile(defaultPath) else { return Settings() }
    return try parse(bytes, name: defaultPath, facts)
  }

  /// The settings of this file; an error where there is no such file, it cannot be read, or it is wrong.
  public static func read(
    _ path: String, facts: ReadingFacts = ReadingFacts()
  ) throws(ConfigurationError) -> Settings {
    guard let bytes = try readFile(path) else {
      throw ConfigurationError(
        file: path, line: nil, reason: "there is no such file; scripts/placard.toml is one to start from")
    }
    return try parse(bytes, name: path, facts)
  }

  /// The settings of a text; `name` is what errors call it.
  public static func parse(
    _ text: String, name: String, facts: ReadingFacts = ReadingFacts()
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
    _ bytes: [UInt8], name: String, _ facts: ReadingFacts
  ) throws(ConfigurationError) -> Settings {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(
        file: name, line: firstInvalidLine(bytes), reason: "this is not UTF-8; save the file as UTF-8 text")
    }
    return try parse(text, name: name, facts: facts)
  }

  private static func firstInvalidLine(_ bytes: [UInt8]) -> Int? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
  }
}
