// What swift-argument-parser uses of FoundationEssentials, for release builds (build_release in scripts/setup.sh). It is
// compiled together with the files of Sources/JSON.

/// An error with a text for people.
public protocol LocalizedError: Error {
  /// The text; nil if there is none.
  var errorDescription: String? { get }
}

extension LocalizedError {
  /// No text.
  public var errorDescription: String? { nil }
}

/// Bytes.
public struct Data: Sendable {
  fileprivate let bytes: [UInt8]
}

/// Encodes values as JSON, the keys of objects in the order of their code points.
public final class JSONEncoder {
  /// How the text looks.
  public struct OutputFormatting: OptionSet, Sendable {
    /// The options' bits.
    public let rawValue: UInt

    /// Options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Over several lines.
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    /// Has no effect: keys are always sorted.
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }

  /// How the text looks.
  public var outputFormatting: OutputFormatting = []

  /// An encoder that writes one line.
  public init() {}

  /// Returns a value as JSON in UTF-8.
  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    Data(bytes: try JSON.encode(value, pretty: outputFormatting.contains(.prettyPrinted)))
  }
}

extension String {
  /// The encoding of a text's bytes.
  public enum Encoding: Sendable {
    /// UTF-8 (RFC 3629).
    case utf8
  }

  /// The text of these bytes; nil if they are not in the encoding.
  public init?(data: Data, encoding: Encoding) { self.init(validating: data.bytes, as: UTF8.self) }
}
