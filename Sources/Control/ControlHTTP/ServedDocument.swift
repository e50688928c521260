package import JSON

/// A file that is served unchanged: a part of the web page, or a schema.
package struct ServedDocument: Sendable {
  /// The media type, such as `text/html; charset=utf-8`.
  package let type: String
  /// The bytes of the file.
  package let bytes: [UInt8]
  /// The same bytes, compressed with gzip; nil if the document is served uncompressed only.
  package let gzip: [UInt8]?

  /// Creates a document.
  package init(type: String, bytes: [UInt8], gzip: [UInt8]? = nil) {
    self.type = type
    self.bytes = bytes
    self.gzip = gzip
  }

  /// Creates a JSON document that is formatted for people to read.
  package init(json: JSONValue, type: String = "application/json") {
    self.init(type: type, bytes: json.prettyEncoded)
  }

  /// A function that returns the document at a path, such as `/page/style.css`, or nil if there is none.
  ///
  /// It is called only when a client requests the path.
  package typealias Lookup = @Sendable (_ path: String) -> ServedDocument?
}
