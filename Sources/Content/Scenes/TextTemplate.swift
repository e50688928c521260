import JSON

/// A text with references to live values, such as `{{temperature}}` or `{{doors | digits 0 | else unknown}}`.
///
/// A reference has the name of a value, and filters after `|`:
/// - `digits N` rounds a number to N digits after the point, 0 to 9.
/// - `percent` shows the number 0.45 as 45%.
/// - `time` and `date` show the time or the date of a moment, which is a number of seconds since 1970 or a text like
///   2026-12-31T23:59.
/// - `updated` shows when the value was set.
/// - `else TEXT` shows a text while there is no value, or while it is too old.
///
/// Other braces are ordinary text. So is a reference after a backslash, which is left out.
struct TextTemplate: Hashable, Sendable {
  /// A part of a text.
  enum Part: Hashable, Sendable {
    /// Text that is shown as it is.
    case text(String)
    /// A reference to a live value.
    case value(Reference)
  }

  /// A reference to a live value.
  struct Reference: Hashable, Sendable {
    /// The part of the value that is shown.
    enum Form: Hashable, Sendable {
      /// The value itself.
      case plain
      /// A number with this many digits after the point.
      case digits(Int)
      /// A share in percent.
      case percent
      /// The time of day of a moment.
      case time
      /// The date of a moment.
      case date
      /// The time when the value was set.
      case updated
    }

    /// The name of the value.
    var name: String
    /// The part of it that is shown.
    var form = Form.plain
    /// The text while there is no value, or while it is too old; nil for none.
    var otherwise: String?
  }

  /// The parts in their order.
  let parts: [Part]

  /// Returns whether a text can have references, which few texts do.
  static func mayHaveReferences(_ text: String) -> Bool {
    var isAfterBrace = false
    for byte in text.utf8 {
      let isBrace = byte == UInt8(ascii: "{")
      if isBrace, isAfterBrace { return true }
      isAfterBrace = isBrace
    }
    return false
  }

  /// Reads a text.
  ///
  /// - Parameter text: The text.
  /// - Throws: `DocumentError` that names the reference with a mistake, and the next step.
  init(_ text: String) throws(DocumentError) {
    var parts: [Part] = []
    var plain = Substring()
    var rest = text[...]
    while let start = rest.firstIndex(of: "{") {
      let after = rest.index(after: start)
      guard after < rest.endIndex, rest[after] == "{" else {
        plain += rest[..<after]
        rest = rest[after...]
        continue
      }
      let isEscaped = start > rest.startIndex && rest[rest.index(before: start)] == "\\"
      let inside = rest[rest.index(after: after)...]
      guard let (body, end) = Self.body(of: inside), let reference = try Self.reference(body) else {
        plain += rest[..<after]
        rest = rest[after...]
        continue
      }
      plain += rest[..<start]
      rest = inside[end...]
      if isEscaped {
        plain.removeLast()
        plain += "{{" + body + "}}"
        continue
      }
      if !plain.isEmpty { parts.append(.text(String(plain))) }
      plain = ""
      parts.append(.value(reference))
    }
    plain += rest
    if !plain.isEmpty || parts.isEmpty { parts.append(.text(String(plain))) }
    self.parts = parts
  }

  /// Returns the text up to the first `}}`, and the place after it; nil without one in the same line.
  private static func body(of text: Substring) -> (Substring, Substring.Index)? {
    for place in text.indices {
      guard !text[place].isNewline else { return nil }
      let next = text.index(after: place)
      if text[place] == "}", next < text.endIndex, text[next] == "}" {
        return (text[..<place], text.index(after: next))
      }
    }
    return nil
  }

  /// Returns the reference in a text between braces; nil if it does not begin with a name.
  private static func reference(_ body: Substring) throws(DocumentError) -> Reference? {
    let words = body.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
    guard let name = words.first, Name.refusal(of: String(name)) == nil else { return nil }
    var reference = Reference(name: String(name))
    for filter in words.dropFirst() {
      let (word, argument) = (filter.prefix { $0 != " " }, trimmed(filter.drop { $0 != " " }))
      switch (word, argument.isEmpty) {
      case ("else", _): reference.otherwise = String(argument)
      case ("digits", false):
        guard let count = Int(argument), (0...9).contains(count) else {
          throw mistake(body, "`digits` needs a number from 0 to 9, like {{\(name) | digits 1}}")
        }
        reference.form = .digits(count)
      case ("percent", true): reference.form = .percent
      case ("time", true): reference.form = .time
      case ("date", true): reference.form = .date
      case ("updated", true): reference.form = .updated
      default:
        throw mistake(
          body,
          "\(DocumentError.quote(String(filter))) is not one of `digits N`, `percent`, `time`, `date`, `updated`, "
            + "`else TEXT`; a backslash before {{ shows the braces")
      }
    }
    return reference
  }

  private static func mistake(_ body: Substring, _ reason: String) -> DocumentError {
    DocumentError(reason: "has the value {{\(body)}} with a mistake: \(reason)")
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
  }
}

extension JSONCodec<String> {
  /// A text that can refer to live values.
  static let words = words()

  /// Returns a codec for a text that can refer to live values, whose length in bytes of UTF-8 is in a range; nil stands
  /// for the limit of `SceneBounds`.
  static func words(_ bytes: ClosedRange<Int>? = nil) -> JSONCodec {
    let form = text(bytes)
    return JSONCodec(
      name: form.name, schema: form.schema,
      read: { json throws(DocumentError) in
        let text = try form.read(json)
        if TextTemplate.mayHaveReferences(text) { _ = try TextTemplate(text) }
        return text
      },
      write: { .string($0) })
  }
}
