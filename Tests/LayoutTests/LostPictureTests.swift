import Geometry
import Glibc
import Layout
import Pictures
import Scenes
import Testing
import Typesetting

/// Scenes whose image files disappear or break after they were shown.
struct LostPictureTests {
  private let folder: String
  private let materials: RenderResources
  private static let size = Size(1280, 720)
  /// 2026-11-21 14:05 UTC.
  private static let modified = 1_795_269_900

  private var file: String { "\(folder)/menu.png" }

  init() throws {
    var template = Array("/tmp/placard-lost-XXXXXX".utf8CString)
    try #require(unsafe mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    materials = try RenderResources(pictures: ImageCache(reader: .anywhere))
  }

  private func remove() {
    unsafe unlink(file)
    unsafe rmdir(folder)
  }

  private func write(_ bytes: [UInt8]) throws {
    unsafe unlink(file)
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    try #require(unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    let times = [timespec(tv_sec: Self.modified, tv_nsec: 0), timespec(tv_sec: Self.modified, tv_nsec: 0)]
    try #require(unsafe futimens(descriptor, times) == 0)
  }

  private func picture(_ width: Int) throws -> [UInt8] {
    try RGBImage(size: Size(width, 6), rgb: [UInt8](repeating: 200, count: width * 6 * 3)).png()
  }

  private func list(_ content: View.Content, language: String? = nil) throws -> DisplayList {
    var style = HardScenes.style
    style.language = language
    return try layOut(View(content, style: style), on: DisplayMetrics(pixels: Self.size), with: materials)
  }

  private func pictures(_ list: DisplayList) -> [ImageItem] {
    list.items.compactMap { if case .picture(let item) = $0 { item } else { nil } }
  }

  private func glyphs(_ list: DisplayList) -> Int {
    list.items.compactMap(\.text).reduce(0) { $0 + $1.run.glyphs.count }
  }

  private static let contents: [(name: String, content: @Sendable (String) -> View.Content)] = [
    ("image", { .image(ImagePanel(path: $0)) }),
    ("now", { .now(NowPlaying(title: "Title", image: $0)) }),
    ("markdown", { .markdown(MarkdownText("Menu\n\n![Soup](\($0))"), .start) }),
  ]

  @Test(arguments: contents.indices)
  func `A file that disappears leaves its last version, marked with its name and time`(index: Int) throws {
    defer { remove() }
    try write(picture(8))
    let content = Self.contents[index].content(file)
    let before = try list(content)
    #expect(before.lostPictures.isEmpty && pictures(before).count == 1)
    unsafe unlink(file)
    let after = try list(content)
    #expect(pictures(after) == pictures(before))
    #expect(glyphs(after) > glyphs(before), "the image has no mark")
    let moment = ZoneCache().moment(atSeconds: Int64(Self.modified), in: nil)
    let sentence =
      "the image \(file) cannot be shown: the file does not exist; its version of \(moment) is shown instead"
    #expect(after.warnings == [sentence] && after.lostPictures == [sentence])
    #expect(try list(content).items == after.items, "the same layout again differs")
    try write(picture(9))
    let later = try list(content)
    #expect(later.warnings.isEmpty && pictures(later).count == 1 && glyphs(later) == glyphs(before))
    #expect(pictures(later) != pictures(before), "the new file is not shown")
  }

  @Test func `A file that is replaced by a damaged one leaves its last version`() throws {
    defer { remove() }
    try write(picture(8))
    let content = View.Content.image(ImagePanel(path: file))
    let before = try list(content)
    for damaged in [Array("no image".utf8), Array(try picture(9).prefix(40)), []] {
      try write(damaged)
      let after = try list(content)
      #expect(pictures(after) == pictures(before))
      #expect(after.lostPictures.count == 1 && after.lostPictures[0].contains("is shown instead"))
    }
  }

  @Test func `The mark is in the language of the display`() throws {
    defer { remove() }
    try write(picture(8))
    let content = View.Content.image(ImagePanel(path: file))
    _ = try list(content, language: "de")
    unsafe unlink(file)
    #expect(try list(content, language: "de").items != list(content).items)
    let words = ZoneCache().moment(atSeconds: Int64(Self.modified), in: "de")
    #expect(words.hasPrefix("Samstag, 21. November 2026, "))
  }

  @Test func `A file whose folder is no longer allowed is not shown`() async throws {
    defer { remove() }
    try write(picture(8))
    let cache = ImageCache()
    let materials = try RenderResources(pictures: cache)
    let loader = ImageLoader(ImageReader(ImageFolders([folder])))
    let view = View(.image(ImagePanel(path: file)), style: HardScenes.style)
    func list() async throws -> DisplayList {
      let since = cache.moment
      while true {
        cache.beginLookup(since: since)
        let list = try layOut(view, on: DisplayMetrics(pixels: Self.size), with: materials)
        let missing = cache.removeMissing()
        if missing.isEmpty { return list }
        for answer in await loader.load(missing, until: loader.deadline, late: { _ in }) { cache.put(answer) }
      }
    }
    #expect(try await pictures(list()).count == 1)
    loader.allow(ImageFolders())
    let after = try await list()
    #expect(pictures(after).isEmpty && after.lostPictures.count == 1)
  }

  @Test func `A file without a version in memory is named`() throws {
    defer { remove() }
    let list = try list(.image(ImagePanel(path: file)))
    #expect(pictures(list).isEmpty)
    #expect(list.lostPictures == ["the image \(file) cannot be shown: the file does not exist"])
  }
}
