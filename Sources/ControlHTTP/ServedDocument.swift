public import JSON

/// A file that is served as it is: the page's, or a schema.
public struct ServedDocument: Sendable {
  /// Its media type, `text/html; charset=utf-8`.
  public let type: String
  /// Its bytes.
  public let bytes: [UInt8]
  /// The same bytes, compressed with gzip; nil if the document is served as it is only.
  public let gzip: [UInt8]?

  /// A document from its parts.
  public init(type: String, bytes: [UInt8], gzip: [UInt8]? = nil) {
    self.type = type
    self.bytes = bytes
    self.gzip = gzip
  }

  /// A document in JSON, written for people to read, too.
  public init(json: JSONValue, type: String = "application/json") {
    self.init(type: type, bytes: json.prettyEncoded)
  }

  /// Finds the document of a path, `/page/style.css`; nil where there is none. Asked only when a client asks.
  public typealias Shelf = @Sendable (_ path: String) -> ServedDocument?
}
