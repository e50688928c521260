import Geometry
import Glibc
import Pictures
import Testing

struct ImageCacheTests {
  private let folder: String

  init() throws {
    var template = Array("/tmp/placard-cache-XXXXXX".utf8CString)
    try #require(unsafe mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = "\(folder)/\(name)"
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    #expect(unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
    return path
  }

  private func remove(_ names: String...) {
    for name in names { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }

  @Test func `an unchanged file has the same name, and a changed one has another`() throws {
    defer { remove("a") }
    let cache = ImageCache(reader: .anywhere)
    let path = try write(PNGFile(size: Size(8, 6), kind: .rgb).bytes(), "a")
    let first = try cache.load(path)
    #expect(try cache.load(path) == first)
    #expect(cache.size(of: first) == Size(8, 6))
    unsafe unlink(path)
    _ = try write(JPEGFile(size: Size(4, 9), orientation: 6).bytes(), "a")
    let second = try cache.load(path)
    #expect(second != first && cache.size(of: second) == Size(9, 4))
    #expect(throws: ImageError.file(path, "it changed since it was loaded; load it again")) {
      try cache.bitmap(of: first, at: Size(8, 6), window: Rect(Size(8, 6)))
    }
  }

  @Test func `an image at its own size has the file's pixels, and survives the removal of the file`() throws {
    defer { remove("a") }
    let cache = ImageCache(reader: .anywhere)
    let bytes = PNGFile(size: Size(30, 20), kind: .rgba).bytes()
    let picture = try cache.load(write(bytes, "a"))
    func bitmap(_ size: Size) throws -> Bitmap { try cache.bitmap(of: picture, at: size, window: Rect(size)) }
    let own = try bitmap(Size(30, 20))
    #expect(own.pixels == (try DecodedImage.decode(bytes).bitmap.pixels))
    #expect(try bitmap(Size(7, 90)).bounds.size == Size(7, 90))
    unsafe unlink("\(folder)/a")
    #expect(try bitmap(Size(30, 20)).pixels == own.pixels)
    #expect(throws: ImageError.file("\(folder)/a", "the file does not exist")) { try bitmap(Size(9, 9)) }
    #expect(try bitmap(Size(30, 20)).pixels == own.pixels)
  }

  @Test func `the most recently used scaled images are cached up to the limit`() throws {
    defer { remove("a") }
    let cache = ImageCache(limit: 3 * 4400, reader: .anywhere)
    let picture = try cache.load(write(PNGFile(size: Size(30, 20), kind: .rgb).bytes(), "a"))
    for width in 30...34 {
      _ = try cache.bitmap(of: picture, at: Size(width, 33), window: Rect(Size(width, 33)))
    }
    #expect(cache.byteCount > 3 * 4400)
    cache.trim()
    #expect(cache.byteCount <= 3 * 4400 && cache.byteCount > 2 * 4400)
    unsafe unlink("\(folder)/a")
    #expect(try cache.bitmap(of: picture, at: Size(34, 33), window: Rect(Size(34, 33))).bounds.width == 34)
    #expect(throws: ImageError.self) {
      try cache.bitmap(of: picture, at: Size(30, 33), window: Rect(Size(30, 33)))
    }
  }

  @Test func `of an image that is too large for the cache, only the window is scaled`() throws {
    defer { remove("a") }
    let cache = ImageCache(limit: 1 << 20, reader: .anywhere)
    let picture = try cache.load(write(PNGFile(size: Size(30, 20), kind: .rgb).bytes(), "a"))
    let window = Rect(x: 1_000_000, y: 500, width: 100, height: 60)
    #expect(try cache.bitmap(of: picture, at: Size(3_000_000, 2000), window: window).bounds == window)
    #expect(try cache.bitmap(of: picture, at: Size(.max, .max), window: window).bounds == window)
    #expect(try cache.bitmap(of: picture, at: Size(0, 20), window: window).bounds.isEmpty)
    #expect(cache.byteCount < 1 << 17)
  }

  @Test func `an image that cannot be shown is named with the reason`() throws {
    defer { remove("text", "cut", "pipe") }
    let cache = ImageCache(reader: .anywhere)
    func words(_ path: String) -> String {
      do {
        let picture = try cache.load(path)
        _ = try cache.bitmap(of: picture, at: Size(5, 5), window: Rect(Size(5, 5)))
        return "shown"
      } catch { return "\(error)" }
    }
    #expect(words("/no/such.png") == "the image /no/such.png cannot be shown: the file does not exist")
    #expect(words(folder).contains("it is not a regular file"))
    let pipe = "\(folder)/pipe"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(words(pipe).contains("it is not a regular file"))
    let text = try write(Array("hello".utf8), "text")
    #expect(words(text) == "the image \(text) cannot be shown: it looks like a text file; save it as PNG or JPEG")
    let png = PNGFile(size: Size(30, 20), kind: .rgb).bytes()
    let cut = try write(Array(png[..<(png.count / 2)]), "cut")
    #expect(words(cut).hasPrefix("the image \(cut) cannot be shown: libpng: "))
    let jpeg = JPEGFile(size: Size(64, 64)).bytes()
    let half = try write(Array(jpeg[..<(jpeg.count / 2)]), "cut")
    let picture = try cache.load(half)
    _ = try cache.bitmap(of: picture, at: Size(64, 64), window: Rect(Size(64, 64)))
    #expect(cache.warning(of: picture)?.hasPrefix("the image \(half) is shown only in part") == true)
  }
}
