package import Geometry

/// A memory cache of images, scaled to the sizes at which they are shown.
///
/// The cache opens no files unless it has a reader. It records missing images, which a `ImageLoader` loads and whose
/// answers are added with `put(_:)`. Only scaled pixels are kept, up to a limit; the least recently used ones are
/// evicted and read again when needed. The cache must be used from one thread at a time.
package final class ImageCache {
  /// The default limit for scaled pixels, in bytes: those of two 4K displays.
  package static let defaultBytes = 64 << 20

  private struct Entry {
    var file: FileRevision
    var size: Size
    var warning: String?
    /// The reason why the image cannot be shown.
    ///
    /// A broken file stays broken under this identifier and is not read again. A file that has disappeared may return.
    var failure: ImageError?
    /// The time of the last load.
    var loaded: Int
  }

  private struct Key: Hashable {
    var picture: ImageID
    var scaling: ImageRequest.Scaling
  }

  private struct Scaled {
    var bitmap: Bitmap
    var used: Int
  }

  /// The result of the last probe of a path or file, and its time.
  private struct Look<Value> {
    var moment: Int
    var result: Result<Value, ImageError>
  }

  private var entries: [ImageID: Entry] = [:]
  private var names: [FileRevision: ImageID] = [:]
  private var scaled: [Key: Scaled] = [:]
  private var paths: [String: Look<ImageID>] = [:]
  /// The reasons why pixels cannot be read at present.
  private var failures: [Key: Look<Never>] = [:]
  /// The last file of each path whose pixels were read, which is shown while the path cannot be read.
  private var lastVersions: [String: ImageID] = [:]
  private var wanted: [ImageRequest] = []
  private var uses = 0
  private var since = 0
  private let limit: Int
  private let reader: ImageReader?
  /// The number of callers that wait for images: nothing is evicted before they have used them.
  private var holders = 0
  /// The size of the scaled pixels, in bytes.
  package private(set) var byteCount = 0

  /// The file limit, more than any page shows; the least recently loaded files are forgotten.
  private static let mostFiles = 1024

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - limit: The limit for scaled pixels, in bytes.
  ///   - reader: A reader that loads missing images immediately, on the calling thread, for programs without other
  ///     displays to serve; nil if a loader does that.
  package init(limit: Int = ImageCache.defaultBytes, reader: ImageReader? = nil) {
    self.limit = max(0, limit)
    self.reader = reader
  }

  // MARK: Missing images

  /// The next value of the cache's event counter.
  package var moment: Int { uses + 1 }

  /// Starts a lookup in which results from before a moment are out of date.
  package func beginLookup(since moment: Int) {
    since = moment
    wanted = []
  }

  /// Removes and returns the images that were looked up since the last call and are missing.
  ///
  /// - Returns: Requests for a loader, each listed once.
  package func removeMissing() -> [ImageRequest] {
    defer { wanted = [] }
    return wanted
  }

  /// Prevents eviction until `release()`, because a caller waits for images that it needs together.
  package func hold() { holders += 1 }

  /// Balances a call of `hold()`, and evicts pixels above the limit after the last one.
  package func release() {
    holders = max(0, holders - 1)
    trim()
  }

  /// Adds an answer to the cache.
  package func put(_ answer: ImageResponse) {
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
      if lastVersions.count >= ImageCache.mostFiles { lastVersions = [:] }
      lastVersions[request.path] = key.picture
    case .broken(let error):
      guard let key = key(of: request) else { return note(request.path, .failure(error)) }
      entries[key.picture]?.failure = error
    case .unreadable(let error):
      guard let key = key(of: request) else { return note(request.path, .failure(error)) }
      if failures.count >= ImageCache.mostFiles { failures = [:] }
      failures[key] = Look(moment: uses, result: .failure(error))
      // The next lookup finds the file's replacement.
      if !answer.isLate { paths[request.path] = nil }
    }
  }

  private func key(of request: ImageRequest) -> Key? {
    guard let scaling = request.scaling, let file = request.file, let id = names[file] else { return nil }
    return Key(picture: id, scaling: scaling)
  }

  private func id(of file: FileRevision, _ size: Size) -> ImageID {
    if let known = names[file] {
      entries[known]?.loaded = uses
      return known
    }
    if entries.count >= ImageCache.mostFiles { forgetOldest() }
    let id = ImageID(number: uses)
    entries[id] = Entry(file: file, size: size, loaded: uses)
    names[file] = id
    return id
  }

  private func note(_ path: String, _ result: Result<ImageID, ImageError>) {
    if paths.count >= ImageCache.mostFiles { paths = [:] }
    if case .success(let id) = result { entries[id]?.loaded = uses }
    paths[path] = Look(moment: uses, result: result)
  }

  private func keep(_ bitmap: Bitmap, _ key: Key) {
    if let former = scaled[key] { byteCount -= former.bitmap.byteCount }
    scaled[key] = Scaled(bitmap: bitmap, used: uses)
    byteCount += bitmap.byteCount
  }

  // MARK: Cached images

  /// Looks up an image by its path; a file that changed gets another identifier.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: `ImageError`, with the reason why the file cannot be shown, or `.missing` if it must be loaded first.
  /// - Returns: The identifier of the image.
  package func load(_ path: String) throws(ImageError) -> ImageID {
    let known = try? paths[path]?.result.get()
    let request = ImageRequest(path: path, file: known.flatMap { entries[$0]?.file }, scaling: nil)
    if let reader { put(reader.answer(request)) }
    guard let look = paths[path], look.moment >= since else { throw miss(request) }
    return try look.result.get()
  }

  /// Returns the last file of a path whose pixels were read, for the time in which the path cannot be read.
  ///
  /// Its pixels stay in memory only as long as there is room for them.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The identifier of the image and the time of the file's last change, in seconds since 1970; nil if no
  ///   pixels were read or the file was forgotten.
  package func lastVersion(of path: String) -> (picture: ImageID, modified: Int64)? {
    lastVersions[path].flatMap { id in entries[id].map { (id, $0.file.modified) } }
  }

  /// Returns the size of the upright image in pixels, or nil if the image was forgotten.
  package func size(of picture: ImageID) -> Size? { entries[picture]?.size }

  /// Returns a warning for the user if a part of the file is missing, known after the image was scaled.
  package func warning(of picture: ImageID) -> String? { entries[picture]?.warning }

  /// Returns the image at a size: the whole image, or only the part in a window if the whole is too large to keep.
  ///
  /// A layout that calls this learns of errors in time, and painting then finds the pixels in the cache.
  ///
  /// - Parameters:
  ///   - picture: The image.
  ///   - size: The size of the whole image on the display, in pixels.
  ///   - window: The visible part, in pixels from the image's top left corner.
  /// - Throws: `ImageError` if the file is broken, has disappeared, or has changed since it was loaded; `.missing` if
  ///   the pixels must be loaded first.
  /// - Returns: The pixels, whose bounds are relative to the image's top left corner.
  package func bitmap(of picture: ImageID, at size: Size, window: Rect) throws(ImageError) -> Bitmap {
    guard let entry = entries[picture] else {
      throw .file("number \(picture.number)", "it was loaded too long ago; load it again")
    }
    if let failure = entry.failure { throw failure }
    let scaling = ImageRequest.Scaling(size: size, part: keptPart(of: size, window))
    let key = Key(picture: picture, scaling: scaling)
    guard !scaling.part.isEmpty else { return .empty }
    uses += 1
    let request = ImageRequest(path: entry.file.path, file: entry.file, scaling: scaling)
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

  private func miss(_ request: ImageRequest) -> ImageError {
    if !wanted.contains(request) { wanted.append(request) }
    return .missing(request.path)
  }

  /// Evicts the least recently used pixels until the limit is met; called between two paint operations.
  package func trim() {
    guard holders == 0 else { return }
    while byteCount > limit, let oldest = scaled.min(by: { $0.value.used < $1.value.used }) {
      scaled[oldest.key] = nil
      byteCount -= oldest.value.bitmap.byteCount
    }
  }

  /// Returns the whole image if it takes at most half of the limit, so that a scrolled image is scaled only once.
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
