/// Codable values as JSON (RFC 8259) and back.
///
/// It is our own since FoundationEssentials' coders bring 6 MB, and take what is no JSON: a comma behind the last
/// element, a byte order mark. Any bytes are read or refused; none end the process.
public enum JSON {
  /// A value as JSON in UTF-8, the keys of objects in the order of their code points.
  ///
  /// - Parameters:
  ///   - value: What to encode; it may nest as deep as the stack lets it.
  ///   - pretty: Over several lines, indented by two spaces, instead of in one.
  /// - Returns: The bytes, without a newline at the end.
  /// - Throws: `EncodingError.invalidValue` with the path of a number that is infinite or none at all; what the value's
  ///   own `encode(to:)` throws.
  public static func encode(_ value: some Encodable, pretty: Bool = false) throws -> [UInt8] {
    let json = try ValueEncoder.json(of: value, at: CodingPath())
    return JSONWriter.write(json, isPretty: pretty)
  }

  /// The value that JSON in UTF-8 holds. Of a key that is there twice the first counts; unknown ones are passed over.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - bytes: One JSON text, nested at most 128 deep, with blanks but nothing else around it.
  /// - Returns: A value of that type.
  /// - Throws: `DecodingError.dataCorrupted` for what is no JSON, with line, column and what must stand there, and for
  ///   a number that does not fit its type, with its path. `keyNotFound`, `valueNotFound` (null, or the end of an
  ///   array) and `typeMismatch` with the path; what the type's own `init(from:)` throws.
  public static func decode<T: Decodable>(_ type: T.Type, from bytes: some Collection<UInt8>) throws -> T {
    let value = try JSONParser.parse(Array(bytes))
    return try ValueDecoder(value: value, path: CodingPath()).decode(type)
  }
}
