import Geometry

/// A request for an item missing from the cache: the header of a file, or its pixels at a size.
public struct PictureRequest: Hashable, Sendable {
  /// The path of the file, as in the scene.
  public let path: String
  /// The known state of the file: required for pixels, and nil for a header that was never read.
  let file: PictureFile?
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
public struct PictureAnswer: Sendable {
  let request: PictureRequest
  let content: Content

  enum Content: Sendable {
    /// The current file, and the size of the upright image.
    case header(PictureFile, Size)
    /// A file that has not changed.
    case unchanged
    /// The pixels, and a warning for the user.
    case pixels(Bitmap, warning: String?)
    /// A file whose content cannot be used as long as it stays the same.
    case broken(PictureError)
    /// A file that cannot be read at present.
    case unreadable(PictureError)
  }

  /// Returns the answer for a file that could not be read in time.
  static func late(_ request: PictureRequest, _ patience: Duration) -> PictureAnswer {
    PictureAnswer(request: request, content: .unreadable(.late(request.path, patience)))
  }

  /// Returns the answer for a request that is blocked by `count` other files, which cannot be read.
  static func stuck(_ request: PictureRequest, _ count: Int) -> PictureAnswer {
    PictureAnswer(request: request, content: .unreadable(.stuck(request.path, count)))
  }

  /// The reason that the image cannot be shown now; nil if it can.
  public var failure: PictureError? {
    switch content {
    case .broken(let error), .unreadable(let error): error
    case .header, .unchanged, .pixels: nil
    }
  }

  /// Whether another answer may follow.
  public var isLate: Bool {
    switch content {
    case .unreadable(.late), .unreadable(.stuck): true
    default: false
    }
  }
}
