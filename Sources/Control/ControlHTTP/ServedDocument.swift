public import JSON

/// A file that is served unchanged: a part of the web page, or a schema.
public struct ServedDocument: Sendable {
  /// The media type, such as `text/html; charset=utf-8`.
  public let type: String
  /// The bytes of the file.
  public let bytes: [UInt8]
  /// The same bytes, compressed with gzip; nil if the document is served uncompressed only.
  public let gzip: [UInt8]?

  /// Creates a document.
  public init(type: String, bytes: [UInt8], gzip: [UInt8]? = nil) {
    self.type = type
    self.bytes = bytes
    self.gzip = gzip
  }

  /// Creates a JSON document that is formatted for people to read.
  public init(json: JSONValue, type: String = "application/json") {
    self.init(type: type, bytes: json.prettyEncoded)
  }

  /// A function that returns the document at a path, such as `/page/style.css`, or nil if there is none.
  ///
  /// It is called only when a client requests the path.
  public typealias Shelf = @Sendable (_ path: String) -> ServedDocument?
}
