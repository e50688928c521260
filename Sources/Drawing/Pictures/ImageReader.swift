import Glibc

/// A reader that answers image requests from files.
///
/// Its calls block while a disk or network share does not respond, and while an image is decoded.
package struct ImageReader: Sendable {
  /// Opens a file for reading and returns a descriptor that the reader closes.
  package typealias Opener = @Sendable (_ path: String, _ folders: ImageFolders) throws(ImageError) -> CInt

  /// The files that may be read.
  package var folders: ImageFolders
  private let opener: Opener?

  /// Creates a reader of the files that `folders` allow.
  ///
  /// - Parameters:
  ///   - folders: The allowed files.
  ///   - opener: A replacement for opening a file, with which a test can make a file hang.
  package init(_ folders: ImageFolders = ImageFolders(), opener: Opener? = nil) {
    self.folders = folders
    self.opener = opener
  }

  /// A reader of files anywhere, for programs that receive no paths from clients.
  package static let anywhere = ImageReader(ImageFolders(["/"]))

  /// The result of reading a file: an answer, or bytes to decode.
  enum Fetched: Sendable {
    case answer(ImageResponse.Content)
    case bytes([UInt8], FileRevision)
  }

  /// The number of bytes that usually contain the whole header.
  private static let headBytes = 64 << 10

  func answer(_ request: ImageRequest) -> ImageResponse {
    switch fetch(request) {
    case .answer(let content): ImageResponse(request: request, content: content)
    case .bytes(let bytes, let file): decode(bytes, file, request)
    }
  }

  /// Opens and reads the file.
  func fetch(_ request: ImageRequest) -> Fetched {
    do throws(ImageError) {
      let descriptor = if let opener { try opener(request.path, folders) } else { try folders.open(request.path) }
      defer { close(descriptor) }
      let file = try FileRevision(request.path, descriptor)
      guard request.scaling != nil else { return try header(file, descriptor, known: request.file) }
      guard file == request.file else {
        throw .file(request.path, "it changed since it was loaded; load it again")
      }
      return .bytes(try file.read(descriptor), file)
    } catch { return .answer(.unreadable(error)) }
  }

  private func header(
    _ file: FileRevision, _ descriptor: CInt, known: FileRevision?
  ) throws(ImageError) -> Fetched {
    if file == known { return .answer(.unchanged) }
    let head = try file.read(descriptor, most: Self.headBytes)
    if let size = try? DecodedImage.size(of: head) { return .answer(.header(file, size)) }
    return .bytes(file.byteCount > head.count ? try file.read(descriptor) : head, file)
  }

  /// Decodes bytes that `fetch` has read.
  func decode(_ bytes: [UInt8], _ file: FileRevision, _ request: ImageRequest) -> ImageResponse {
    do throws(ImageError) {
      guard let scaling = request.scaling else {
        return ImageResponse(request: request, content: .header(file, try DecodedImage.size(of: bytes)))
      }
      let decoded = try DecodedImage.decode(bytes, fitting: scaling.size, within: DecodedImage.patience)
      let bitmap = decoded.bitmap.scaled(to: scaling.size, window: scaling.part)
      let warning = decoded.warning.map { "the image \(file.path) is shown only in part: \($0)" }
      return ImageResponse(request: request, content: .pixels(bitmap, warning: warning))
    } catch {
      return ImageResponse(request: request, content: .broken(.file(file.path, error.description)))
    }
  }
}
