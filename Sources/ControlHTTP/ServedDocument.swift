/// A file that is served as it is: the page's, or a schema.
public struct ServedDocument: Sendable {
  /// Its media type, `text/html; charset=utf-8`.
  public let type: String
  /// Its bytes.
  public let bytes: [UInt8]

  /// A document from its parts.
  public init(type: String, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }

  /// Finds the document of a path, `/page/style.css`; nil where there is none. Asked only when a client asks.
  public typealias Shelf = @Sendable (_ path: String) -> ServedDocument?
}
