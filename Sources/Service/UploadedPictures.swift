import Control
import Director
import Geometry
import Glibc
import NIOCore
import Pictures

/// Keeps uploaded pictures as files, by what is in them. Works on a loop that may block.
actor UploadedPictures: PictureFolder {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  /// Most bytes of one picture.
  static let mostBytes = 32 << 20
  /// Most bytes of the name of an uploaded file, NAME_MAX of Linux.
  private static let mostLabelBytes = 255
  /// Enough of a file for its header, as a rule.
  private static let headBytes = 64 << 10

  /// A picture as it was when its header was read.
  private struct Known {
    var status: PictureFiles.Status
    var size: Size
  }

  private nonisolated let loop: any EventLoop
  private let limit: Int
  private let loader: PictureLoader
  /// The folder; nil for a private one in memory's place, until it is made.
  private var path: String?
  private let isTemporary: Bool
  private var known: [String: Known] = [:]

  /// Pictures in the folder at `path`, or with nil in one of their own until `close`; `limit` bytes of them in all.
  ///
  /// - Parameter loader: Decodes what is uploaded, and shows pictures of the folder.
  init(path: String?, limit: Int, loop: any EventLoop, loader: PictureLoader = PictureLoader()) {
    self.path = path
    self.loader = loader
    if let path { loader.allow(folder: path) }
    isTemporary = path == nil
    self.limit = limit
    self.loop = loop
  }

  func all() throws(ControlError) -> [PictureReport] {
    guard let path, let files = try PictureFiles.folder(path, mustExist: false) else { return [] }
    let names = Set(try files.names().filter(PictureName.isOne))
    let found = names.compactMap { name in files.status(name).map { (name: name, status: $0) } }
      .sorted { ($0.status.written, $0.name) > ($1.status.written, $1.name) }
    known = known.filter { names.contains($0.key) }
    return found.map { report($0.name, $0.status, files) }
  }

  func bytes(of name: String) throws(ControlError) -> [UInt8] {
    guard PictureName.isOne(name), let path, let files = try PictureFiles.folder(path, mustExist: false),
      let bytes = try files.read(name, most: Self.mostBytes)
    else { throw Self.unknown(name) }
    return bytes
  }

  func add(_ bytes: [UInt8], file: String? = nil) async throws(ControlError) -> PictureReport {
    guard bytes.count <= Self.mostBytes else {
      throw ControlError(.invalid, "the picture has \(mebibytes(bytes.count)): it may have 32 MiB; save it smaller")
    }
    let header = try await checked(bytes)
    guard let files = try PictureFiles.folder(try madePath(), mustExist: true) else { throw Self.unknown("") }
    for attempt in UInt8.min...7 {
      let name = PictureName.of(bytes, ending: header.ending, attempt: attempt)
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
    throw ControlError(.failed, "the picture was stored, and is gone again; upload it once more")
  }

  func remove(_ name: String) throws(ControlError) {
    guard PictureName.isOne(name), let path, let files = try PictureFiles.folder(path, mustExist: false),
      try files.remove(name)
    else { throw Self.unknown(name) }
    _ = try? files.remove(Self.label(of: name))
    known[name] = nil
  }

  /// Removes what was to be there only as long as the service.
  func close() {
    guard isTemporary, let path else { return }
    if let files = try? PictureFiles.folder(path, mustExist: false) {
      for name in (try? files.names()) ?? [] where name != "." && name != ".." { _ = try? files.remove(name) }
    }
    unsafe _ = rmdir(path)
    self.path = nil
  }

  /// Refuses what would be too much in all, with what to do about it.
  private func makeSure(_ count: Int) throws(ControlError) {
    let pictures = try all()
    let used = pictures.reduce(0) { $0 + $1.bytes }
    guard used + count > limit else { return }
    let oldest = pictures.last.map { ", like \($0.name) of \(mebibytes($0.bytes)), which is the oldest" } ?? ""
    throw ControlError(
      .conflict,
      "the pictures take \(mebibytes(used)) of \(mebibytes(limit)), and this one has \(mebibytes(count)): remove one that "
        + "is not needed\(oldest), or set `pictures_size`")
  }

  private func madePath() throws(ControlError) -> String {
    if let path { return path }
    let parent = unsafe getenv("TMPDIR").flatMap { unsafe String(validatingCString: $0) } ?? "/tmp"
    var template = Array("\(parent)/placard-pictures-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw ControlError(.failed, "\(parent) takes no folder for pictures (errno \(errno)); free some space there")
    }
    let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = made
    loader.allow(folder: made)
    return made
  }

  private func report(_ name: String, _ status: PictureFiles.Status, _ files: borrowing PictureFiles) -> PictureReport {
    if known[name]?.status != status { known[name] = Known(status: status, size: size(name, files)) }
    let size = known[name]?.size ?? Size(0, 0)
    return PictureReport(
      name: name, file: label(name, files), path: "\(path ?? "")/\(name)",
      type: name.hasSuffix("png") ? "image/png" : "image/jpeg",
      width: size.width, height: size.height, bytes: status.bytes,
      added: Timestamp(milliseconds: status.written / 1_000_000))
  }

  /// The file beside a picture that holds the name under which the picture was uploaded.
  private static func label(of name: String) -> String { name + ".name" }

  private func label(_ name: String, _ files: borrowing PictureFiles) -> String? {
    guard let bytes = try? files.read(Self.label(of: name), most: Self.mostLabelBytes) else { return nil }
    return Self.fileName(String(decoding: bytes, as: UTF8.self))
  }

  /// The last part of a path, without control characters; nil if nothing is left, or if it is longer than a file's
  /// name may be.
  private static func fileName(_ path: String?) -> String? {
    let last = path?.split(separator: "/").last.map { $0.filter { !$0.unicodeScalars.contains { $0.value < 32 } } }
    guard let last, !last.isEmpty, last.utf8.count <= mostLabelBytes else { return nil }
    return last
  }

  /// The size of a picture that was there before; of one that somebody damaged it is nothing, so that it can be removed.
  private func size(_ name: String, _ files: borrowing PictureFiles) -> Size {
    for most in [Self.headBytes, Self.mostBytes] {
      if let head = try? files.read(name, most: most), let header = try? PictureHeader(head) { return header.size }
    }
    return Size(0, 0)
  }

  /// Decodes all of it: a picture that is damaged at its end is refused here, and not found on a display.
  private func checked(_ bytes: [UInt8]) async throws(ControlError) -> PictureHeader {
    do throws(PictureError) { return try await loader.check(bytes) } catch {
      throw ControlError(.invalid, "the picture cannot be used: \(error)")
    }
  }

  private static func unknown(_ name: String) -> ControlError {
    ControlError(.notFound, "there is no picture \(name.prefix(64)); `placard pictures` lists them")
  }
}

/// `3.2 MiB`, or less than one in KiB.
private func mebibytes(_ bytes: Int) -> String {
  if bytes < 1 << 20 { return "\((bytes + 1023) >> 10) KiB" }
  let tenths = (bytes * 10 + (1 << 19)) >> 20
  return tenths % 10 == 0 ? "\(tenths / 10) MiB" : "\(tenths / 10).\(tenths % 10) MiB"
}
