// The parts of FoundationEssentials that swift-argument-parser uses, for release builds (build_release in
// scripts/setup.sh). This file is compiled together with the files of Sources/System/JSON.

/// An error with a localized description.
public protocol LocalizedError: Error {
  /// The error's description, or nil.
  var errorDescription: String? { get }
}

extension LocalizedError {
  /// The default description: nil.
  public var errorDescription: String? { nil }
}

/// A buffer of bytes.
public struct Data: Sendable {
  fileprivate let bytes: [UInt8]
}

/// An encoder for JSON that sorts the keys of objects by code point.
public final class JSONEncoder {
  /// Options for the format of the JSON text.
  public struct OutputFormatting: OptionSet, Sendable {
    /// The options as a bit mask.
    public let rawValue: UInt

    /// Creates options from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Indents the text over several lines.
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    /// Has no effect: keys are always sorted.
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }

  /// The format of the JSON text.
  public var outputFormatting: OutputFormatting = []

  /// Creates an encoder that writes one line.
  public init() {}

  /// Returns a value as JSON in UTF-8.
  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    Data(bytes: try JSON.encode(value, pretty: outputFormatting.contains(.prettyPrinted)))
  }
}

extension String {
  /// A text encoding.
  public enum Encoding: Sendable {
    /// UTF-8 (RFC 3629).
    case utf8
  }

  /// Creates a string from bytes; nil if they are not valid in the encoding.
  public init?(data: Data, encoding: Encoding) { self.init(validating: data.bytes, as: UTF8.self) }
}
