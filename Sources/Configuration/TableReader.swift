import Scenes

/// Takes typed values out of one TOML table; each refusal names the key's line and what would be right.
struct TableReader {
  /// The parsed table.
  let table: TOMLTable
  /// The keys that lead to it from the root.
  let path: [String]
  /// What errors call the text.
  let file: String

  /// An error about a key of this table, or about the table itself.
  func error(_ key: String? = nil, _ reason: String) -> ConfigurationError {
    let line = key.flatMap { table.entries[$0]?.line } ?? table.line
    return ConfigurationError(file: file, line: line, reason: reason)
  }

  /// The key as a person would write it, `style.foreground`.
  func name(_ key: String) -> String {
    (path + [key]).joined(separator: ".")
  }

  private func mismatch(_ key: String, _ wanted: String, _ value: TOMLValue) -> ConfigurationError {
    error(key, "\(name(key)) must be \(wanted), but this is \(value.kind)")
  }

  /// Whether the key is there.
  func has(_ key: String) -> Bool { table.entries[key] != nil }

  /// Refuses keys that are not in the list, with the nearest that is.
  func refuseUnknownKeys(except known: [String]) throws(ConfigurationError) {
    let unknown = table.entries.keys.filter { !known.contains($0) }.map { key in
      let hint = Spelling.nearest(to: key, in: known).map { "did you mean \"\($0)\"?" }
      return error(key, "unknown key \"\(name(key))\": \(hint ?? "known here are \(known.joined(separator: ", "))")")
    }
    if let first = unknown.min(by: { $0.line ?? 0 < $1.line ?? 0 }) { throw first }
  }

  /// A string, or nil where the key is absent.
  func string(_ key: String) throws(ConfigurationError) -> String? {
    guard let value = table.entries[key]?.value else { return nil }
    guard case .string(let string) = value else { throw mismatch(key, "a string in quotes", value) }
    return string
  }

  /// A string that is not empty, or nil where the key is absent.
  func word(_ key: String) throws(ConfigurationError) -> String? {
    let string = try string(key)
    if string?.isEmpty == true { throw error(key, "\(name(key)) is empty; leave the line out instead") }
    return string
  }

  /// Strings that are not empty, or nil where the key is absent.
  func words(_ key: String) throws(ConfigurationError) -> [String]? {
    guard let value = table.entries[key]?.value else { return nil }
    guard case .array(let nodes) = value else { throw mismatch(key, "an array of strings, [\"lobby\"]", value) }
    return try nodes.map { node throws(ConfigurationError) in
      guard case .string(let word) = node.value, !word.isEmpty else {
        throw ConfigurationError(
          file: file, line: node.line, reason: "\(name(key)) holds strings that are not empty: [\"lobby\"]")
      }
      return word
    }
  }

  /// True or false, or nil where the key is absent.
  func bool(_ key: String) throws(ConfigurationError) -> Bool? {
    guard let value = table.entries[key]?.value else { return nil }
    guard case .bool(let bool) = value else { throw mismatch(key, "true or false, without quotes", value) }
    return bool
  }

  /// A number in the range, whole or not, or nil where the key is absent.
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

  /// A whole number in the range, or nil where the key is absent.
  func integer(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
    guard let value = table.entries[key]?.value else { return nil }
    guard case .integer(let number) = value else { throw mismatch(key, "a whole number", value) }
    guard range.contains(number) else {
      throw error(key, "\(name(key)) is \(number); it must lie in \(range.lowerBound)...\(range.upperBound)")
    }
    return number
  }

  /// A text that displays show, or nil where the key is absent. A blank one is refused: it would be taken for a display
  /// that does not work.
  func message(_ key: String) throws(ConfigurationError) -> String? {
    let text = try string(key)
    guard let text, text.allSatisfy(\.isWhitespace) else { return text }
    throw error(
      key, "\(name(key)) = \"\(text)\": the text is empty; write what displays are to show, or leave the line out")
  }

  /// A size in bytes, written with its unit like `"32 MiB"`, or nil where the key is absent.
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

  /// A string that `read` understands, or nil where the key is absent; `wanted` says what would be right.
  func value<Value>(
    _ key: String, _ wanted: String, _ read: (String) -> Value?
  ) throws(ConfigurationError) -> Value? {
    guard let text = try string(key) else { return nil }
    guard let value = read(text) else { throw error(key, "\(name(key)) = \"\(text)\": \(wanted)") }
    return value
  }

  /// One of the words that a type has, or nil where the key is absent.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Choice.Type
  ) throws(ConfigurationError) -> Choice? {
    let words = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return try value(key, "it must be one of \(words)") { Choice(rawValue: $0) }
  }

  /// A table inside this one, or nil where the key is absent.
  func table(_ key: String) throws(ConfigurationError) -> TableReader? {
    guard let value = table.entries[key]?.value else { return nil }
    guard case .table(let inner) = value else { throw mismatch(key, "a table: [\(name(key))]", value) }
    return TableReader(table: inner, path: path + [key], file: file)
  }

  /// The tables that `[[key]]` headers made; none where the key is absent.
  func tables(_ key: String) throws(ConfigurationError) -> [TableReader] {
    guard let value = table.entries[key]?.value else { return [] }
    guard case .tables(let tables) = value else { throw mismatch(key, "written as [[\(name(key))]]", value) }
    return tables.map { TableReader(table: $0, path: path + [key], file: file) }
  }
}

/// The bytes that a number with a unit stands for; nil for anything else.
private func bytes(_ text: String) -> Int? {
  let digits = text.prefix { ("0"..."9").contains($0) }
  let unit = text.dropFirst(digits.count).drop { $0 == " " }
  let units: [Substring: Int] = ["B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
  guard let number = Int(digits), let size = units[unit] else { return nil }
  let (count, overflow) = number.multipliedReportingOverflow(by: size)
  return overflow ? nil : count
}
