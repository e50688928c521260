import Scenes

/// A reader of typed values from one TOML table, whose errors name the key's line and the expected value.
struct TableReader {
  /// The parsed table.
  let table: TOMLTable
  /// The keys from the root to this table.
  let path: [String]
  /// The name of the text in errors.
  let file: String

  /// Creates an error about a key of this table, or about the table itself.
  func error(_ key: String? = nil, _ reason: String) -> ConfigurationError {
    let line = key.flatMap { table.entries[$0]?.line } ?? table.line
    return ConfigurationError(file: file, line: line, reason: reason)
  }

  /// Returns the full dotted name of a key, such as `style.foreground`.
  func name(_ key: String) -> String {
    (path + [key]).joined(separator: ".")
  }

  private func mismatch(_ key: String, _ wanted: String, _ value: TOMLValue) -> ConfigurationError {
    error(key, "\(name(key)) must be \(wanted), but this is \(value.kind)")
  }

  /// Returns whether the key exists.
  func has(_ key: String) -> Bool { table.entries[key] != nil }

  /// Throws for a key that is not in the list, and suggests the most similar one.
  func refuseUnknownKeys(except known: [String]) throws(ConfigurationError) {
    let unknown = table.entries.keys.filter { !known.contains($0) }.map { key in
      let hint = Suggestion.nearest(to: key, in: known).map { "did you mean \"\($0)\"?" }
      let advice = hint ?? "the known keys are \(known.joined(separator: ", "))"
      return error(key, "unknown key \"\(name(key))\": \(advice)")
    }
    if let first = unknown.min(by: { $0.line ?? 0 < $1.line ?? 0 }) { throw first }
  }

  /// Returns a string, or nil if the key is absent.
  func string(_ key: String) throws(ConfigurationError) -> String? {
    guard let value = table.entries[key]?.value else { return nil }
    guard case .string(let string) = value else { throw mismatch(key, "a string in quotes", value) }
    return string
  }

  /// Returns a nonempty string, or nil if the key is absent.
  func word(_ key: String) throws(ConfigurationError) -> String? {
    let string = try string(key)
    if string?.isEmpty == true { throw error(key, "\(name(key)) is empty; leave the line out instead") }
    return string
  }

  /// Returns nonempty strings, or nil if the key is absent.
  func words(_ key: String) throws(ConfigurationError) -> [String]? {
    guard let value = table.entries[key]?.value else { return nil }
    guard case .array(let nodes) = value else { throw mismatch(key, "an array of strings, [\"lobby\"]", value) }
    return try nodes.map { node throws(ConfigurationError) in
      guard case .string(let word) = node.value, !word.isEmpty else {
        throw ConfigurationError(
          file: file, line: node.line, reason: "\(name(key)) must be an array of nonempty strings, [\"lobby\"]")
      }
      return word
    }
  }

  /// Returns a boolean, or nil if the key is absent.
  func bool(_ key: String) throws(ConfigurationError) -> Bool? {
    guard let value = table.entries[key]?.value else { return nil }
    guard case .bool(let bool) = value else { throw mismatch(key, "true or false, without quotes", value) }
    return bool
  }

  /// Returns a number within the range, or nil if the key is absent.
  func number(_ key: String, in range: ClosedRange<Double>) throws(ConfigurationError) -> Double? {
    guard let value = table.entries[key]?.value else { return nil }
    let number: Double
    switch value {
    case .float(let float): number = float
    case .integer(let integer): number = Double(integer)
    default: throw mismatch(key, "a number", value)
    }
    guard range.contains(number) else {
      throw error(key, "\(name(key)) is \(number); it must lie in \(range.lowerBound)...\(range.upperBound)")
    }
    return number
  }

  /// Returns an integer within the range, or nil if the key is absent.
  func integer(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
    guard let value = table.entries[key]?.value else { return nil }
    guard case .integer(let number) = value else { throw mismatch(key, "a whole number", value) }
    guard range.contains(number) else {
      throw error(key, "\(name(key)) is \(number); it must lie in \(range.lowerBound)...\(range.upperBound)")
    }
    return number
  }

  /// Returns a message text, or nil if the key is absent.
  ///
  /// A blank text is rejected, because a display that shows it would seem defective.
  ///
  /// - Parameter key: The key.
  /// - Throws: `ConfigurationError` if the value is not a string or is blank.
  /// - Returns: The text.
  func message(_ key: String) throws(ConfigurationError) -> String? {
    let text = try string(key)
    guard let text, text.allSatisfy(\.isWhitespace) else { return text }
    throw error(
      key, "\(name(key)) = \"\(text)\": the text is empty; write the text to show, or leave the line out")
  }

  /// Returns a size in bytes, given with a unit such as `"32 MiB"`, or nil if the key is absent.
  func byteCount(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
    guard let value = table.entries[key]?.value else { return nil }
    let wanted = "a size with its unit, such as \"32 MiB\" (B, KiB, MiB or GiB)"
    if case .integer(let number) = value { throw error(key, "\(name(key)) = \(number): it must be \(wanted)") }
    guard case .string(let text) = value else { throw mismatch(key, wanted, value) }
    guard let count = bytes(text) else { throw error(key, "\(name(key)) = \"\(text)\": it must be \(wanted)") }
    guard range.contains(count) else {
      throw error(
        key, "\(name(key)) = \"\(text)\" is \(count) bytes; it must lie in \(range.lowerBound)...\(range.upperBound)")
    }
    return count
  }

  /// Returns a string converted with `read`, or nil if the key is absent; `wanted` describes a valid value.
  func value<Value>(
    _ key: String, _ wanted: String, _ read: (String) -> Value?
  ) throws(ConfigurationError) -> Value? {
    guard let text = try string(key) else { return nil }
    guard let value = read(text) else { throw error(key, "\(name(key)) = \"\(text)\": \(wanted)") }
    return value
  }

  /// Returns one of the raw values of a type, or nil if the key is absent.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Choice.Type
  ) throws(ConfigurationError) -> Choice? {
    let words = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return try value(key, "it must be one of \(words)") { Choice(rawValue: $0) }
  }

  /// Returns an inner table, or nil if the key is absent.
  func table(_ key: String) throws(ConfigurationError) -> TableReader? {
    guard let value = table.entries[key]?.value else { return nil }
    guard case .table(let inner) = value else { throw mismatch(key, "a table: [\(name(key))]", value) }
    return TableReader(table: inner, path: path + [key], file: file)
  }

  /// Returns the tables of `[[key]]` headers; none if the key is absent.
  func tables(_ key: String) throws(ConfigurationError) -> [TableReader] {
    guard let value = table.entries[key]?.value else { return [] }
    guard case .tables(let tables) = value else { throw mismatch(key, "written as [[\(name(key))]]", value) }
    return tables.map { TableReader(table: $0, path: path + [key], file: file) }
  }
}

/// Parses a number with a unit as bytes; nil for other texts and on overflow.
private func bytes(_ text: String) -> Int? {
  let digits = text.prefix { ("0"..."9").contains($0) }
  let unit = text.dropFirst(digits.count).drop { $0 == " " }
  let units: [Substring: Int] = ["B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
  guard let number = Int(digits), let size = units[unit] else { return nil }
  let (count, overflow) = number.multipliedReportingOverflow(by: size)
  return overflow ? nil : count
}
