import Geometry

/// One thing that a shelf does not have: the header of a file, or its pixels at a size.
public struct PictureRequest: Hashable, Sendable {
  /// The file's path, as the scene has it.
  public let path: String
  /// The file as it was when its header was read; nil where that is asked for.
  let file: PictureFile?
  /// The size of the whole picture and the part of it that is wanted; nil for the header, which is read again only where
  /// the file is not `file` any more.
  let scaling: Scaling?

  struct Scaling: Hashable {
    var size: Size
    var part: Rect
  }
}

/// What became of a request.
public struct PictureAnswer: Sendable {
  let request: PictureRequest
  let content: Content

  enum Content: Sendable {
    /// The file as it is now, and its pixels as they are seen.
    case header(PictureFile, Size)
    /// The file has not changed.
    case unchanged
    /// The pixels, and what a person should know of them.
    case pixels(Bitmap, warning: String?)
    /// The file's content cannot be used, and will not be as long as it stays the same.
    case broken(PictureError)
    /// The file cannot be read now.
    case unreadable(PictureError)
  }

  /// The answer to a request for a file that did not come in time.
  static func late(_ request: PictureRequest, _ patience: Duration) -> PictureAnswer {
    PictureAnswer(request: request, content: .unreadable(.late(request.path, patience)))
  }

  /// The answer to a request that waits for so many other files, which do not come.
  static func stuck(_ request: PictureRequest, _ count: Int) -> PictureAnswer {
    PictureAnswer(request: request, content: .unreadable(.stuck(request.path, count)))
  }

  /// Whether another answer may follow.
  public var isLate: Bool {
    switch content {
    case .unreadable(.late), .unreadable(.stuck): true
    default: false
    }
  }
}
