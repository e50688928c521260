public import Geometry

/// Pictures from files, scaled to the sizes in which they are shown. One thread uses it.
///
/// Of a file only its header is read when it is loaded, and only scaled pixels are kept, up to a bound: what was used
/// longest ago goes first, and is read again if it is wanted again.
public final class PictureShelf {
  /// What scaled pixels may take, unless it is told otherwise: those of two 4K displays.
  public static let defaultBytes = 64 << 20

  private struct Entry {
    var file: PictureFile
    var size: Size
    var warning: String?
    /// Why it cannot be shown: a file that is broken stays so under this name, and is not read at each painting. One that
    /// is gone may come back.
    var failure: PictureError?
    /// When it was loaded last.
    var loaded: Int
  }

  private struct Key: Hashable {
    var picture: PictureID
    var size: Size
    /// The part of it that is kept.
    var part: Rect
  }

  private struct Scaled {
    var bitmap: Bitmap
    var used: Int
  }

  private var entries: [PictureID: Entry] = [:]
  private var names: [PictureFile: PictureID] = [:]
  private var scaled: [Key: Scaled] = [:]
  /// The bytes of the file that was loaded last, which will be wanted next.
  private var fresh: (picture: PictureID, bytes: [UInt8])?
  private var uses = 0
  private let limit: Int
  /// Bytes that scaled pixels take.
  public private(set) var byteCount = 0

  /// More files than any page shows; those loaded longest ago are forgotten.
  private static let mostFiles = 1024

  /// An empty shelf that keeps scaled pixels up to `limit` bytes.
  public init(limit: Int = PictureShelf.defaultBytes) { self.limit = max(0, limit) }

  /// Finds a picture and reads its header. A file that has not changed since it was loaded has the same name; one that
  /// has, another.
  ///
  /// - Throws: `PictureError.file`, which says what is wrong with it.
  public func load(_ path: String) throws(PictureError) -> PictureID {
    let file = try PictureFile(path)
    uses += 1
    if let known = names[file] {
      entries[known]?.loaded = uses
      return known
    }
    let bytes = try file.read()
    let size = try file.blamed { () throws(PictureError) in try DecodedPicture.size(of: bytes) }
    if entries.count >= PictureShelf.mostFiles { forgetOldest() }
    let id = PictureID(number: uses)
    entries[id] = Entry(file: file, size: size, loaded: uses)
    names[file] = id
    fresh = (id, bytes)
    return id
  }

  /// Pixels of a picture in each direction, as it is seen; nil for one that was forgotten.
  public func size(of picture: PictureID) -> Size? { entries[picture]?.size }

  /// What a person should know of a picture that was scaled before: that a part of its file is missing.
  public func warning(of picture: PictureID) -> String? { entries[picture]?.warning }

  /// The picture at a size: all of it, or where that would be too much to keep, what a window shows; in pixels from its
  /// left top corner. A layout that asks for it hears in time what is wrong with the file, and painting finds it there.
  ///
  /// - Throws: `PictureError.file`, where the file is broken, or gone, or changed since it was loaded.
  public func bitmap(of picture: PictureID, at size: Size, window: Rect) throws(PictureError) -> Bitmap {
    guard let entry = entries[picture] else {
      throw .file("number \(picture.number)", "it was loaded too long ago; load it again")
    }
    if let failure = entry.failure { throw failure }
    let key = Key(picture: picture, size: size, part: keptPart(of: size, window))
    uses += 1
    if let kept = scaled[key] {
      scaled[key]?.used = uses
      return kept.bitmap
    }
    let bitmap = try scale(picture, entry.file, key)
    scaled[key] = Scaled(bitmap: bitmap, used: uses)
    byteCount += bitmap.byteCount
    return bitmap
  }

  /// Between two paintings: forgets what was used longest ago until the bound is kept. What is painted at a time is
  /// there at a time, however much it is.
  public func trim() {
    fresh = nil
    while byteCount > limit, let oldest = scaled.min(by: { $0.value.used < $1.value.used }) {
      scaled[oldest.key] = nil
      byteCount -= oldest.value.bitmap.byteCount
    }
  }

  /// All of a picture, where it takes no more than half of what is kept in all: what is scrolled is scaled once.
  private func keptPart(of size: Size, _ window: Rect) -> Rect {
    let (area, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    return !overflow && area <= limit / 8 ? Rect(size) : window.intersection(Rect(size))
  }

  private func scale(_ picture: PictureID, _ file: PictureFile, _ key: Key) throws(PictureError) -> Bitmap {
    guard !key.part.isEmpty else { return .empty }
    let bytes = fresh?.picture == picture ? fresh?.bytes : nil
    fresh = nil
    let contents = if let bytes { bytes } else { try file.read() }
    do throws(PictureError) {
      let decoded = try file.blamed { () throws(PictureError) in
        try DecodedPicture.decode(contents, fitting: key.size)
      }
      entries[picture]?.warning = decoded.warning.map { "the picture \(file.path) is shown as far as it goes: \($0)" }
      return decoded.bitmap.scaled(to: key.size, window: key.part)
    } catch {
      entries[picture]?.failure = error
      throw error
    }
  }

  private func forgetOldest() {
    guard let oldest = entries.min(by: { $0.value.loaded < $1.value.loaded }) else { return }
    entries[oldest.key] = nil
    names[oldest.value.file] = nil
    for (key, kept) in scaled where key.picture == oldest.key {
      scaled[key] = nil
      byteCount -= kept.bitmap.byteCount
    }
  }
}
