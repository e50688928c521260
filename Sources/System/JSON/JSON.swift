/// A coder between Codable values and JSON (RFC 8259).
///
/// FoundationEssentials' coders add 6 MB and accept invalid JSON, such as a trailing comma or a byte order mark. This
/// parser accepts or rejects any bytes without ending the process.
public enum JSON {
  /// Encodes a value as JSON in UTF-8, with the keys of objects in code point order.
  ///
  /// - Parameters:
  ///   - value: The value. Its nesting depth is limited only by the stack.
  ///   - pretty: Whether to use several lines, indented by two spaces, instead of one.
  /// - Throws: `EncodingError.invalidValue` with the path of a number that is infinite or NaN, or any error that the
  ///   value's `encode(to:)` throws.
  /// - Returns: The bytes, without a newline at the end.
  public static func encode(_ value: some Encodable, pretty: Bool = false) throws -> [UInt8] {
    let json = try ValueEncoder.json(of: value, at: CodingPath())
    return JSONWriter.write(json, isPretty: pretty)
  }

  /// Decodes a value from JSON in UTF-8.
  ///
  /// The first of several equal keys of an object counts; unknown keys are ignored.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - bytes: One JSON text, nested at most 128 levels deep, optionally surrounded by whitespace.
  /// - Throws: `DecodingError.dataCorrupted` with line, column, and expected token for invalid JSON, and with the path
  ///   for a number that does not fit its type. `keyNotFound`, `valueNotFound` (null, or the end of an array), and
  ///   `typeMismatch` with the path. Any error that the type's `init(from:)` throws.
  /// - Returns: The decoded value.
  public static func decode<T: Decodable>(_ type: T.Type, from bytes: some Collection<UInt8>) throws -> T {
    let value = try JSONParser.parse(Array(bytes))
    return try ValueDecoder(value: value, path: CodingPath()).decode(type)
  }
}
