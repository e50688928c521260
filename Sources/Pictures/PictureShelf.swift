public import Geometry

/// Pictures from files, scaled to the sizes in which they are shown: a cache in memory, which opens no file. One thread
/// uses it.
///
/// What is asked for and is not there is noted as missing. A `PictureLoader` gets that, and the answers are put here. Only
/// scaled pixels are kept, up to a bound: what was used longest ago goes first, and is read again if it is wanted again.
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
    var scaling: PictureRequest.Scaling
  }

  private struct Scaled {
    var bitmap: Bitmap
    var used: Int
  }

  /// What a look at a path or at a file came to, and when.
  private struct Look<Value> {
    var moment: Int
    var result: Result<Value, PictureError>
  }

  private var entries: [PictureID: Entry] = [:]
  private var names: [PictureFile: PictureID] = [:]
  private var scaled: [Key: Scaled] = [:]
  private var paths: [String: Look<PictureID>] = [:]
  /// Why pixels could not be read, for now.
  private var failures: [Key: Look<Never>] = [:]
  private var wanted: [PictureRequest] = []
  private var uses = 0
  private var since = 0
  private let limit: Int
  private let reader: PictureReader?
  /// How many callers wait for pictures: nothing is forgotten before they have used them.
  private var holders = 0
  /// Bytes that scaled pixels take.
  public private(set) var byteCount = 0

  /// More files than any page shows; those loaded longest ago are forgotten.
  private static let mostFiles = 1024

  /// An empty shelf that keeps scaled pixels up to `limit` bytes.
  ///
  /// - Parameter reader: Reads what is missing at once, on the calling thread, for programs that have no other displays to
  ///   serve meanwhile; nil where a loader does that.
  public init(limit: Int = PictureShelf.defaultBytes, reader: PictureReader? = nil) {
    self.limit = max(0, limit)
    self.reader = reader
  }

  // MARK: What is missing

  /// The next moment, in the count of things that happen to the shelf.
  public var moment: Int { uses + 1 }

  /// Begins a look for pictures: what was found out about files before a moment has to be found out again.
  public func beginLook(since moment: Int) {
    since = moment
    wanted = []
  }

  /// What was looked for since the last call, and is not here.
  ///
  /// - Returns: Requests for a loader, each once.
  public func takeMissing() -> [PictureRequest] {
    defer { wanted = [] }
    return wanted
  }

  /// Keeps everything until `release`: somebody waits for pictures, and will need them together.
  public func hold() { holders += 1 }

  /// The counterpart of `hold`.
  public func release() {
    holders = max(0, holders - 1)
    trim()
  }

  /// Puts an answer on the shelf.
  public func put(_ answer: PictureAnswer) {
    uses += 1
    let request = answer.request
    switch answer.content {
    case .header(let file, let size): note(request.path, .success(id(of: file, size)))
    case .unchanged:
      if let file = request.file, let id = names[file] { note(request.path, .success(id)) }
    case .pixels(let bitmap, let warning):
      guard let key = key(of: request) else { return }
      entries[key.picture]?.warning = warning
      keep(bitmap, key)
    case .broken(let error):
      guard let key = key(of: request) else { return note(request.path, .failure(error)) }
      entries[key.picture]?.failure = error
    case .unreadable(let error):
      guard let key = key(of: request) else { return note(request.path, .failure(error)) }
      if failures.count >= PictureShelf.mostFiles { failures = [:] }
      failures[key] = Look(moment: uses, result: .failure(error))
      // The next look finds what took the file's place.
      if !answer.isLate { paths[request.path] = nil }
    }
  }

  private func key(of request: PictureRequest) -> Key? {
    guard let scaling = request.scaling, let file = request.file, let id = names[file] else { return nil }
    return Key(picture: id, scaling: scaling)
  }

  private func id(of file: PictureFile, _ size: Size) -> PictureID {
    if let known = names[file] {
      entries[known]?.loaded = uses
      return known
    }
    if entries.count >= PictureShelf.mostFiles { forgetOldest() }
    let id = PictureID(number: uses)
    entries[id] = Entry(file: file, size: size, loaded: uses)
    names[file] = id
    return id
  }

  private func note(_ path: String, _ result: Result<PictureID, PictureError>) {
    if paths.count >= PictureShelf.mostFiles { paths = [:] }
    if case .success(let id) = result { entries[id]?.loaded = uses }
    paths[path] = Look(moment: uses, result: result)
  }

  private func keep(_ bitmap: Bitmap, _ key: Key) {
    if let former = scaled[key] { byteCount -= former.bitmap.byteCount }
    scaled[key] = Scaled(bitmap: bitmap, used: uses)
    byteCount += bitmap.byteCount
  }

  // MARK: What is here

  /// Finds a picture by its file. A file that has not changed since it was loaded has the same name; one that has,
  /// another.
  ///
  /// - Throws: `PictureError`, which says what is wrong with the file, or `missing`.
  public func load(_ path: String) throws(PictureError) -> PictureID {
    let known = try? paths[path]?.result.get()
    let request = PictureRequest(path: path, file: known.flatMap { entries[$0]?.file }, scaling: nil)
    if let reader { put(reader.answer(request)) }
    guard let look = paths[path], look.moment >= since else { throw miss(request) }
    return try look.result.get()
  }

  /// Pixels of a picture in each direction, as it is seen; nil for one that was forgotten.
  public func size(of picture: PictureID) -> Size? { entries[picture]?.size }

  /// What a person should know of a picture that was scaled before: that a part of its file is missing.
  public func warning(of picture: PictureID) -> String? { entries[picture]?.warning }

  /// The picture at a size: all of it, or where that would be too much to keep, what a window shows; in pixels from its
  /// left top corner. A layout that asks for it hears in time what is wrong with the file, and painting finds it there.
  ///
  /// - Throws: `PictureError`, where the file is broken, or gone, or changed since it was loaded; or `missing`.
  public func bitmap(of picture: PictureID, at size: Size, window: Rect) throws(PictureError) -> Bitmap {
    guard let entry = entries[picture] else {
      throw .file("number \(picture.number)", "it was loaded too long ago; load it again")
    }
    if let failure = entry.failure { throw failure }
    let scaling = PictureRequest.Scaling(size: size, part: keptPart(of: size, window))
    let key = Key(picture: picture, scaling: scaling)
    guard !scaling.part.isEmpty else { return .empty }
    uses += 1
    let request = PictureRequest(path: entry.file.path, file: entry.file, scaling: scaling)
    if scaled[key] == nil, let reader {
      put(reader.answer(request))
      if let failure = entries[picture]?.failure { throw failure }
    }
    if let kept = scaled[key] {
      scaled[key]?.used = uses
      return kept.bitmap
    }
    guard let look = failures[key], look.moment >= since, case .failure(let error) = look.result else {
      throw miss(request)
    }
    throw error
  }

  private func miss(_ request: PictureRequest) -> PictureError {
    if !wanted.contains(request) { wanted.append(request) }
    return .missing(request.path)
  }

  /// Between two paintings: forgets what was used longest ago until the bound is kept. What is painted at a time is
  /// there at a time, however much it is.
  public func trim() {
    guard holders == 0 else { return }
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
