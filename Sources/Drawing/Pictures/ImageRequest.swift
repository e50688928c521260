import Geometry

/// A request for an item missing from the cache: the header of a file, or its pixels at a size.
package struct ImageRequest: Hashable, Sendable {
  /// The path of the file, as in the scene.
  package let path: String
  /// The known state of the file: required for pixels, and nil for a header that was never read.
  let file: FileRevision?
  /// The size of the whole image and the wanted part of it; nil for a header request.
  ///
  /// A header is read again only if the file no longer matches `file`.
  let scaling: Scaling?

  struct Scaling: Hashable {
    var size: Size
    var part: Rect
  }
}

/// The answer to a request.
package struct ImageResponse: Sendable {
  let request: ImageRequest
  let content: Content

  enum Content: Sendable {
    /// The current file, and the size of the upright image.
    case header(FileRevision, Size)
    /// A file that has not changed.
    case unchanged
    /// The pixels, and a warning for the user.
    case pixels(Bitmap, warning: String?)
    /// A file whose content cannot be used as long as it stays the same.
    case broken(ImageError)
    /// A file that cannot be read at present.
    case unreadable(ImageError)
  }

  /// Returns the answer for a file that could not be read in time.
  static func late(_ request: ImageRequest, _ patience: Duration) -> ImageResponse {
    ImageResponse(request: request, content: .unreadable(.late(request.path, patience)))
  }

  /// Returns the answer for a request that is blocked by `count` other files, which cannot be read.
  static func stuck(_ request: ImageRequest, _ count: Int) -> ImageResponse {
    ImageResponse(request: request, content: .unreadable(.stuck(request.path, count)))
  }

  /// The reason that the image cannot be shown now; nil if it can.
  package var failure: ImageError? {
    switch content {
    case .broken(let error), .unreadable(let error): error
    case .header, .unchanged, .pixels: nil
    }
  }

  /// Whether another answer may follow.
  package var isLate: Bool {
    switch content {
    case .unreadable(.late), .unreadable(.stuck): true
    default: false
    }
  }
}
