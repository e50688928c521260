import JSON
import SeededRandom

/// Any JSON value.
enum Anything: Codable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([Anything])
  case object([String: Anything])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([Anything].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: Anything].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// The same value with all numbers as floating-point numbers.
  var rounded: Anything {
    switch self {
    case .integer(let value): .number(Double(value))
    case .list(let values): .list(values.map(\.rounded))
    case .object(let members): .object(members.mapValues(\.rounded))
    default: self
    }
  }

  static func random(depth: Int = 4, numbers: Bool, using random: inout SeededGenerator) -> Anything {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2, 3: return .integer(.random(using: &random))
    case 4 where numbers: return .number(.random(using: &random))
    case 4, 5: return .text(.random(using: &random))
    case 6:
      let count = Int.random(in: 0...4, using: &random)
      return .list((0..<count).map { _ in .random(depth: depth - 1, numbers: numbers, using: &random) })
    default:
      let count = Int.random(in: 0...4, using: &random)
      let members = (0..<count).map { _ in
        (String.random(using: &random), Anything.random(depth: depth - 1, numbers: numbers, using: &random))
      }
      return .object(Dictionary(members) { first, _ in first })
    }
  }
}

extension Int64 {
  /// Returns small and large integers, and those at the limits.
  static func random(using random: inout SeededGenerator) -> Int64 {
    let value = Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<64, using: &random)
    return [0, -1, .max, .min, value, value, value, value].randomElement(using: &random) ?? 0
  }
}

extension Double {
  /// Returns integers, and any finite normal numbers.
  static func random(using random: inout SeededGenerator) -> Double {
    let value = Double(bitPattern: random.next())
    return Bool.random(using: &random) && value.isNormal ? value : Double(Int64.random(using: &random)) / 8
  }
}

extension String {
  /// Returns letters, characters that must be escaped, and characters of two to four bytes.
  static func random(using random: inout SeededGenerator) -> String {
    let scalars = Array("aZ0 /\\\"\n\0\u{1F}\u{7F}é€😀".unicodeScalars)
    let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      if Bool.random(using: &random) { return scalars.randomElement(using: &random) ?? "b" }
      return Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &random)) ?? "c"
    }
    return String(String.UnicodeScalarView(text))
  }
}

/// Returns JSON as a string.
func encoded(_ value: some Encodable, pretty: Bool = false) throws -> String {
  String(decoding: try JSON.encode(value, pretty: pretty), as: UTF8.self)
}

/// Decodes a value from JSON in a string.
func decoded<T: Decodable>(_ text: String, as type: T.Type = T.self) throws -> T {
  try JSON.decode(type, from: text.utf8)
}

/// Returns the kind, the path and the sentence of the decoding error of a text; nil if there is none.
func refusal<T: Decodable>(of text: String, as type: T.Type) -> (kind: String, path: [String], sentence: String)? {
  do {
    _ = try JSON.decode(type, from: text.utf8)
    return nil
  } catch {
    guard let error = error as? DecodingError else { return nil }
    let (kind, context) = parts(of: error)
    return (kind, context.codingPath.map(\.stringValue), context.debugDescription)
  }
}

private func parts(of error: DecodingError) -> (String, DecodingError.Context) {
  switch error {
  case .dataCorrupted(let context): ("dataCorrupted", context)
  case .keyNotFound(let key, let context): ("keyNotFound \(key.stringValue)", context)
  case .typeMismatch(let type, let context): ("typeMismatch \(type)", context)
  case .valueNotFound(let type, let context): ("valueNotFound \(type)", context)
  @unknown default: ("unknown", DecodingError.Context(codingPath: [], debugDescription: ""))
  }
}
