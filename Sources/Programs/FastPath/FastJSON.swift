import CLinux

/// A reader for JSON as the service writes it: without whitespace between tokens, and with few escapes.
struct FastJSON {
  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) { rest = text }

  /// Whether all of the text has been read.
  var isAtEnd: Bool { rest.isEmpty }

  /// Reads an object; the closure reads the value of each key and returns whether it is acceptable.
  mutating func members(_ each: ([UInt8], inout FastJSON) -> Bool) -> Bool {
    list("{", "}") { json in
      guard let key = json.string(), json.consume(":") else { return false }
      return each(key, &json)
    }
  }

  mutating func list(
    _ start: Unicode.Scalar, _ end: Unicode.Scalar, _ each: (inout FastJSON) -> Bool
  ) -> Bool {
    guard consume(start) else { return false }
    if consume(end) { return true }
    repeat {
      guard each(&self) else { return false }
    } while consume(",")
    return consume(end)
  }

  mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads a string and returns the bytes between its quotes, with escapes unchanged.
  mutating func string() -> [UInt8]? {
    guard consume("\"") else { return nil }
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return text }
      text.append(byte)
      guard byte == UInt8(ascii: "\\") else { continue }
      guard let escaped = rest.popFirst() else { return nil }
      text.append(escaped)
    }
    return nil
  }

  mutating func number() -> Double? {
    let digits = rest.prefix { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
    guard let first = digits.first, (48...57).contains(first), digits.count < 40 else { return nil }
    rest = rest.dropFirst(digits.count)
    let text = digits.map { CChar(bitPattern: $0) } + [0]
    return unsafe strtod(text, nil)
  }

  mutating func integer() -> Int? {
    let isNegative = consume("-")
    let digits = rest.prefix { (48...57).contains($0) }
    guard !digits.isEmpty, digits.count < 17 else { return nil }
    rest = rest.dropFirst(digits.count)
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    return isNegative ? -number : number
  }

  /// Skips a value; returns false for null.
  mutating func skip() -> Bool {
    switch rest.first {
    case UInt8(ascii: "\""): return string() != nil
    case UInt8(ascii: "{"): return members { _, json in json.skip() }
    case UInt8(ascii: "["): return list("[", "]") { $0.skip() }
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return bool() != nil
    default:
      _ = consume("-")
      return number() != nil
    }
  }

  mutating func bool() -> Bool? {
    for (word, value) in [("true", true), ("false", false)] where rest.starts(with: word.utf8) {
      rest = rest.dropFirst(word.utf8.count)
      return value
    }
    return nil
  }

  /// Reads a string as one line for the terminal, with a space for each line feed and tab.
  ///
  /// - Returns: Nil if the value is not a string, or contains characters that are not plain (see `FastText`).
  mutating func line() -> String? {
    guard var raw = string()?[...] else { return nil }
    var text: [UInt8] = []
    while let byte = raw.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escaped = raw.popFirst() else {
        text.append(byte)
        continue
      }
      switch escaped {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escaped)
      case UInt8(ascii: "n"), UInt8(ascii: "t"): text.append(UInt8(ascii: " "))
      default: return nil
      }
    }
    return FastText.isPlain(text) ? String(decoding: text, as: UTF8.self) : nil
  }

  /// Reads an array of strings, each with `line()`.
  mutating func lines() -> [String]? {
    var lines: [String] = []
    let isPlain = list("[", "]") { json in
      guard let line = json.line() else { return false }
      lines.append(line)
      return true
    }
    return isPlain ? lines : nil
  }
}
