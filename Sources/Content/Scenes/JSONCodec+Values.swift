import Calendars
import Geometry
import JSON
import Locales
import Schedules

extension JSONCodec<String> {
  /// Returns a codec for text whose length in bytes of UTF-8 is in a range; nil stands for the limit of `SceneBounds`.
  ///
  /// The schema limits code points, because JSON Schema cannot count bytes. A text never has more code points than
  /// bytes.
  ///
  /// - Parameter bytes: The allowed lengths, in bytes.
  /// - Returns: The codec.
  static func text(_ bytes: ClosedRange<Int>? = nil) -> JSONCodec {
    let most = bytes?.upperBound ?? SceneBounds.text
    let bytes = bytes ?? 0...Int.max
    return JSONCodec(
      name: "text",
      schema: [
        "type": "string", "minLength": .number(bytes.lowerBound > 0 ? "1" : "0"), "maxLength": .number("\(most)"),
      ],
      read: { json throws(DocumentError) in
        guard let text = json.text else { throw .mismatch("text", json) }
        let count = text.utf8.count
        guard count >= bytes.lowerBound else { throw DocumentError(reason: "is empty: it must have some text") }
        guard count <= bytes.upperBound else {
          throw DocumentError(reason: "has \(count) bytes: it may have at most \(bytes.upperBound)")
        }
        return text
      },
      write: { .string($0) })
  }

  /// The name of an external object: a font, a time zone or a connector.
  static let word = text(1...255)

  /// A name that clients choose and use to refer to an object.
  static let name = JSONCodec(
    name: "a name", schema: ["type": "string", "pattern": .string(Name.pattern)],
    read: { json throws(DocumentError) in
      guard let name = json.text else { throw .mismatch("a name", json) }
      if let refusal = Name.refusal(of: name) { throw DocumentError(reason: refusal) }
      return name
    },
    write: { .string($0) })

  /// A language as a BCP 47 tag.
  static let language = JSONCodec(
    name: "a language", schema: ["type": "string", "pattern": .string(Language.pattern), "maxLength": 35],
    read: { json throws(DocumentError) in
      guard let text = json.text else { throw .mismatch("a language", json) }
      guard Language(text) != nil else {
        throw DocumentError(
          reason: "is \(DocumentError.quote(text)): write a language as a BCP 47 tag, like \"de\" or \"en-GB\"")
      }
      return text
    },
    write: { .string($0) })

  /// An absolute path, which is not checked for existence.
  ///
  /// PATH_MAX in linux/limits.h is 4096 and includes the terminating NUL.
  static let path = JSONCodec(
    name: "an absolute path",
    schema: ["type": "string", "pattern": #"^/[^\u0000]*$"#, "maxLength": 4095],
    read: { json throws(DocumentError) in
      guard let path = json.text else { throw .mismatch("an absolute path", json) }
      guard path.hasPrefix("/"), !path.utf8.contains(0), path.utf8.count < 4096 else {
        let quoted = DocumentError.quote(path)
        throw DocumentError(reason: "is \(quoted): it must be an absolute path, like \"/srv/signs/map.png\"")
      }
      return path
    },
    write: { .string($0) })
}

extension JSONCodec<DataTable.Cell> {
  /// A cell of a table: a text, or a number that is shown in the format of the language.
  static let cell = JSONCodec(
    name: "a text or a number", schema: ["type": ["string", "number"], "maxLength": 1000],
    read: { json throws(DocumentError) in
      guard let cell = DataTable.Cell(json) else { throw .mismatch("a text or a number", json) }
      guard cell.text.utf8.count <= 1000 else {
        throw DocumentError(reason: "has \(cell.text.utf8.count) bytes: it may have at most 1000")
      }
      if case .text(let text) = cell, TextTemplate.mayHaveReferences(text) { _ = try TextTemplate(text) }
      return cell
    },
    write: \.json)
}

extension JSONCodec<Bool> {
  static let bool = JSONCodec(
    name: "true or false", schema: ["type": "boolean"],
    read: { json throws(DocumentError) in
      guard case .bool(let isTrue) = json else { throw .mismatch("true or false", json) }
      return isTrue
    },
    write: { .bool($0) })
}

extension JSONCodec<Int> {
  /// Returns a codec for a whole number in a range.
  static func integer(in range: ClosedRange<Int>) -> JSONCodec {
    JSONCodec(
      name: "a whole number",
      schema: [
        "type": "integer", "minimum": .number("\(range.lowerBound)"), "maximum": .number("\(range.upperBound)"),
      ],
      read: { json throws(DocumentError) in
        guard case .number(let text) = json else { throw .mismatch("a whole number", json) }
        guard let number = json.integer, range.contains(number) else {
          throw .outside(text, "a whole number", range)
        }
        return number
      },
      write: { .number("\($0)") })
  }
}

extension JSONCodec<Double> {
  /// Returns a codec for a number in a range.
  static func number(in range: ClosedRange<Double>) -> JSONCodec {
    JSONCodec(
      name: "a number",
      schema: ["type": "number", "minimum": JSONValue(range.lowerBound), "maximum": JSONValue(range.upperBound)],
      read: { json throws(DocumentError) in
        guard case .number(let text) = json else { throw .mismatch("a number", json) }
        guard let number = json.double, range.contains(number) else { throw .outside(text, "a number", range) }
        return number
      },
      write: { JSONValue($0) })
  }

  /// Returns a codec for a fraction that documents give in percent.
  static func percent(in range: ClosedRange<Double>) -> JSONCodec {
    let form = number(in: range)
    return JSONCodec(
      name: "percent", schema: form.schema,
      read: { json throws(DocumentError) in try form.read(json) / 100 },
      write: { share in
        // 0.07 * 100 is 7.000000000000001. The original number is one of these, the one with the shortest description.
        let near = [share * 100, (share * 100).nextDown, (share * 100).nextUp].filter { $0 / 100 == share }
        return JSONValue(near.min { $0.description.count < $1.description.count } ?? share * 100)
      })
  }
}

extension JSONCodec<Color> {
  static let color = JSONCodec(
    name: "a color", schema: ["type": "string", "pattern": "^#([0-9a-fA-F]{3}){1,2}$"],
    read: { json throws(DocumentError) in
      guard let text = json.text else { throw .mismatch("a color", json) }
      guard let color = Color(parsing: text) else {
        let quoted = DocumentError.quote(text)
        throw DocumentError(reason: "is \(quoted): write a color as #rrggbb or #rgb, like \"#0b1f4b\"")
      }
      return color
    },
    write: { .string($0.description) })
}

extension JSONCodec<DateTime> {
  static let moment = JSONCodec(
    name: "a date and time",
    schema: ["type": "string", "pattern": #"^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d)?([Zz]|[+-]\d\d(:?\d\d)?)?)?$"#],
    read: { json throws(DocumentError) in
      guard let text = json.text else { throw .mismatch("a date and time", json) }
      do throws(DateTimeError) { return try DateTime(text) } catch { throw .moment(text, error) }
    },
    write: { .string($0.description) })
}

extension JSONCodec<DisplayHours> {
  static let openingHours = JSONCodec(
    name: "hours", schema: ["type": "string", "minLength": 1, "maxLength": 8000],
    read: { json throws(DocumentError) in
      guard let text = json.text else { throw .mismatch("hours, like \"Mo-Fr 07:00-19:00\"", json) }
      do throws(HoursError) { return try DisplayHours(parsing: text) } catch {
        throw DocumentError(reason: "is \(DocumentError.quote(text)): \(error)")
      }
    },
    write: { .string($0.text) })
}

extension JSONCodec<HourCycle> {
  static let hours = JSONCodec(
    name: "12 or 24", schema: ["enum": [12, 24]],
    read: { json throws(DocumentError) in
      switch json.integer {
      case 12: return .hours12
      case 24: return .hours24
      default: throw .mismatch("12 or 24", json)
      }
    },
    write: { $0 == .hours12 ? 12 : 24 })
}

extension JSONCodec where Value: RawRepresentable<String> & CaseIterable {
  /// A codec for one of the raw values of an enumeration.
  static var choice: JSONCodec {
    let words = Value.allCases.map(\.rawValue)
    return JSONCodec(
      name: "one of " + words.map { "`\($0)`" }.joined(separator: ", "),
      schema: ["enum": .array(words.map { .string($0) })],
      read: { json throws(DocumentError) in
        guard let text = json.text else { throw .mismatch(DocumentError.guess("", words, "one of "), json) }
        guard let value = Value(rawValue: text) else {
          throw DocumentError(reason: "is \(DocumentError.quote(text)): \(DocumentError.guess(text, words))")
        }
        return value
      },
      write: { .string($0.rawValue) })
  }
}

extension DocumentError {
  /// Returns the error for a text that is not a valid date and time.
  fileprivate static func moment(_ text: String, _ error: DateTimeError) -> DocumentError {
    let reason =
      switch error {
      case .form: "write a date and time like 2026-12-31T23:59, 2026-12-31T23:59:30 or 2026-12-31T23:59+01:00"
      case .value(_, let reason): reason
      }
    return DocumentError(reason: "is \(quote(text)): \(reason)")
  }

  /// Returns the error for a number that is out of range.
  fileprivate static func outside<Number>(
    _ text: String, _ wanted: String, _ range: ClosedRange<Number>
  ) -> DocumentError {
    let bounds = ["\(range.lowerBound)", "\(range.upperBound)"].map { $0.hasSuffix(".0") ? $0.dropLast(2) : $0[...] }
    return DocumentError(reason: "is \(text.prefix(40)): it must be \(wanted) from \(bounds[0]) to \(bounds[1])")
  }
}
