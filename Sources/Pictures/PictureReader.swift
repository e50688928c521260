import Glibc

/// A reader that answers image requests from files.
///
/// Its calls block while a disk or network share does not respond, and while an image is decoded.
public struct PictureReader: Sendable {
  /// Opens a file for reading and returns a descriptor that the reader closes.
  public typealias Opener = @Sendable (_ path: String, _ folders: PictureFolders) throws(PictureError) -> CInt

  /// The files that may be read.
  public var folders: PictureFolders
  private let opener: Opener?

  /// Creates a reader of the files that `folders` allow.
  ///
  /// - Parameters:
  ///   - folders: The allowed files.
  ///   - opener: A replacement for opening a file, with which a test can make a file hang.
  public init(_ folders: PictureFolders = PictureFolders(), opener: Opener? = nil) {
    self.folders = folders
    self.opener = opener
  }

  /// A reader of files anywhere, for programs that receive no paths from clients.
  public static let anywhere = PictureReader(PictureFolders(["/"]))

  /// The result of reading a file: an answer, or bytes to decode.
  enum Fetched: Sendable {
    case answer(PictureAnswer.Content)
    case bytes([UInt8], PictureFile)
  }

  /// The number of bytes that usually contain the whole header.
  private static let headBytes = 64 << 10

  func answer(_ request: PictureRequest) -> PictureAnswer {
    switch fetch(request) {
    case .answer(let content): PictureAnswer(request: request, content: content)
    case .bytes(let bytes, let file): decode(bytes, file, request)
    }
  }

  /// Opens and reads the file.
  func fetch(_ request: PictureRequest) -> Fetched {
    do throws(PictureError) {
      let descriptor = if let opener { try opener(request.path, folders) } else { try folders.open(request.path) }
      defer { close(descriptor) }
      let file = try PictureFile(request.path, descriptor)
      guard request.scaling != nil else { return try header(file, descriptor, known: request.file) }
      guard file == request.file else {
        throw .file(request.path, "it changed since it was loaded; load it again")
      }
      return .bytes(try file.read(descriptor), file)
    } catch { return .answer(.unreadable(error)) }
  }

  private func header(
    _ file: PictureFile, _ descriptor: CInt, known: PictureFile?
  ) throws(PictureError) -> Fetched {
    if file == known { return .answer(.unchanged) }
    let head = try file.read(descriptor, most: Self.headBytes)
    if let size = try? DecodedPicture.size(of: head) { return .answer(.header(file, size)) }
    return .bytes(file.byteCount > head.count ? try file.read(descriptor) : head, file)
  }

  /// Decodes bytes that `fetch` has read.
  func decode(_ bytes: [UInt8], _ file: PictureFile, _ request: PictureRequest) -> PictureAnswer {
    do throws(PictureError) {
      guard let scaling = request.scaling else {
        return PictureAnswer(request: request, content: .header(file, try DecodedPicture.size(of: bytes)))
      }
      let decoded = try DecodedPicture.decode(bytes, fitting: scaling.size, within: DecodedPicture.patience)
      let bitmap = decoded.bitmap.scaled(to: scaling.size, window: scaling.part)
      let warning = decoded.warning.map { "the picture \(file.path) is shown as far as it goes: \($0)" }
      return PictureAnswer(request: request, content: .pixels(bitmap, warning: warning))
    } catch {
      return PictureAnswer(request: request, content: .broken(.file(file.path, error.description)))
    }
  }
}
