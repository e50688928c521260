import Control
import Director
import Geometry
import Glibc
import NIOCore
import Pictures
import SystemCalls

/// The store of uploaded images as files named by their content, on an event loop that may block.
actor UploadedImages: PictureFolder {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  /// The maximum size of one image, in bytes.
  static let mostBytes = 32 << 20
  /// The maximum length of an uploaded file's name, in bytes: NAME_MAX of Linux.
  private static let mostLabelBytes = 255
  /// The number of bytes that usually contain the whole header.
  private static let headBytes = 64 << 10

  /// The status and size of an image when its header was read.
  private struct Known {
    var status: PictureFiles.Status
    var size: Size
  }

  private nonisolated let loop: any EventLoop
  private let limit: Int
  private let loader: ImageLoader
  /// The folder; nil until a temporary folder is created.
  private var path: String?
  private let isTemporary: Bool
  private var known: [String: Known] = [:]

  /// Creates a store in a folder, or in a temporary one that exists until `close()`.
  ///
  /// - Parameters:
  ///   - path: The path of the folder; nil for a temporary one.
  ///   - limit: The maximum size of all images together, in bytes.
  ///   - loop: An event loop that may block.
  ///   - loader: The loader that verifies uploads and is allowed to read the folder.
  init(path: String?, limit: Int, loop: any EventLoop, loader: ImageLoader = ImageLoader()) {
    self.path = path
    self.loader = loader
    if let path { loader.allow(folder: path) }
    isTemporary = path == nil
    self.limit = limit
    self.loop = loop
  }

  func all() throws(ControlError) -> [ImageReport] {
    guard let path, let files = try PictureFiles.folder(path, mustExist: false) else { return [] }
    let names = Set(try files.names().filter(UploadName.isOne))
    let found = names.compactMap { name in files.status(name).map { (name: name, status: $0) } }
      .sorted { ($0.status.written, $0.name) > ($1.status.written, $1.name) }
    known = known.filter { names.contains($0.key) }
    return found.map { report($0.name, $0.status, files) }
  }

  func bytes(of name: String) throws(ControlError) -> [UInt8] {
    guard UploadName.isOne(name), let path, let files = try PictureFiles.folder(path, mustExist: false),
      let bytes = try files.read(name, most: Self.mostBytes)
    else { throw Self.unknown(name) }
    return bytes
  }

  func add(_ bytes: [UInt8], file: String? = nil) async throws(ControlError) -> ImageReport {
    guard bytes.count <= Self.mostBytes else {
      throw ControlError(.invalid, "the image has \(mebibytes(bytes.count)), the limit is 32 MiB; save it smaller")
    }
    let header = try await checked(bytes)
    guard let files = try PictureFiles.folder(try madePath(), mustExist: true) else { throw Self.unknown("") }
    for attempt in UInt8.min...7 {
      let name = UploadName.of(bytes, ending: header.ending, attempt: attempt)
      let kept = try files.read(name, most: Self.mostBytes)
      if let kept, kept != bytes { continue }
      if kept == nil {
        try makeSure(bytes.count)
        try files.write(name, bytes)
      }
      if let file = Self.fileName(file) { try files.write(Self.label(of: name), Array(file.utf8)) }
      guard let status = files.status(name) else { break }
      known[name] = Known(status: status, size: header.size)
      return report(name, status, files)
    }
    throw ControlError(.failed, "the stored image was removed by another program; upload it again")
  }

  func remove(_ name: String) throws(ControlError) {
    guard UploadName.isOne(name), let path, let files = try PictureFiles.folder(path, mustExist: false),
      try files.remove(name)
    else { throw Self.unknown(name) }
    _ = try? files.remove(Self.label(of: name))
    known[name] = nil
  }

  /// Removes a temporary folder with its files.
  func close() {
    guard isTemporary, let path else { return }
    if let files = try? PictureFiles.folder(path, mustExist: false) {
      for name in (try? files.names()) ?? [] where name != "." && name != ".." { _ = try? files.remove(name) }
    }
    unsafe _ = rmdir(path)
    self.path = nil
  }

  /// Throws an error with advice if an image of `count` bytes would exceed the total limit.
  private func makeSure(_ count: Int) throws(ControlError) {
    let pictures = try all()
    let used = pictures.reduce(0) { $0 + $1.bytes }
    guard used + count > limit else { return }
    let oldest = pictures.last.map { " (\($0.name), \(mebibytes($0.bytes)), is the oldest)" } ?? ""
    throw ControlError(
      .conflict,
      "the images use \(mebibytes(used)) of \(mebibytes(limit)), and this one has \(mebibytes(count)); remove an unused "
        + "image\(oldest), or set `images_size`")
  }

  private func madePath() throws(ControlError) -> String {
    if let path { return path }
    let parent = unsafe getenv("TMPDIR").flatMap { unsafe String(validatingCString: $0) } ?? "/tmp"
    var template = Array("\(parent)/placard-images-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw ControlError(
        .failed, "\(parent): no folder for images could be created: \(ErrorNumber(errno)); free some space there")
    }
    let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = made
    loader.allow(folder: made)
    return made
  }

  private func report(_ name: String, _ status: PictureFiles.Status, _ files: borrowing PictureFiles) -> ImageReport {
    if known[name]?.status != status { known[name] = Known(status: status, size: size(name, files)) }
    let size = known[name]?.size ?? Size(0, 0)
    return ImageReport(
      name: name, file: label(name, files), path: "\(path ?? "")/\(name)",
      type: name.hasSuffix("png") ? .png : .jpeg,
      width: size.width, height: size.height, bytes: status.bytes,
      added: Timestamp(milliseconds: status.written / 1_000_000))
  }

  /// Returns the name of the file next to an image that stores its original file name.
  private static func label(of name: String) -> String { name + ".name" }

  private func label(_ name: String, _ files: borrowing PictureFiles) -> String? {
    guard let bytes = try? files.read(Self.label(of: name), most: Self.mostLabelBytes) else { return nil }
    return Self.fileName(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the last component of a path without control characters, or nil if it is empty or too long for a file
  /// name.
  private static func fileName(_ path: String?) -> String? {
    let last = path?.split(separator: "/").last.map { $0.filter { !$0.unicodeScalars.contains { $0.value < 32 } } }
    guard let last, !last.isEmpty, last.utf8.count <= mostLabelBytes else { return nil }
    return last
  }

  /// Returns the size of an existing image; a damaged one counts as empty, so that it is listed and can be removed.
  private func size(_ name: String, _ files: borrowing PictureFiles) -> Size {
    for most in [Self.headBytes, Self.mostBytes] {
      if let head = try? files.read(name, most: most), let header = try? ImageHeader(head) { return header.size }
    }
    return Size(0, 0)
  }

  /// Decodes the whole image, so that damage at its end is rejected at upload and not found when it is shown.
  private func checked(_ bytes: [UInt8]) async throws(ControlError) -> ImageHeader {
    do throws(ImageError) { return try await loader.check(bytes) } catch {
      throw ControlError(.invalid, "the image cannot be used: \(error)")
    }
  }

  private static func unknown(_ name: String) -> ControlError {
    ControlError(.notFound, "there is no image \(name.prefix(64)); `placard images` lists them")
  }
}

/// Formats a size as `3.2 MiB`, or in KiB below 1 MiB.
private func mebibytes(_ bytes: Int) -> String {
  if bytes < 1 << 20 { return "\((bytes + 1023) >> 10) KiB" }
  let tenths = (bytes * 10 + (1 << 19)) >> 20
  return tenths % 10 == 0 ? "\(tenths / 10) MiB" : "\(tenths / 10).\(tenths % 10) MiB"
}
