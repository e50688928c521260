import Geometry
import Glibc
import Synchronization
import Testing

@testable import Pictures

/// Files that cannot be read, such as those of an unreachable share.
@Suite(.timeLimit(.minutes(10)))
struct PictureLoaderTests {
  /// A share that opens `/ok...` immediately, and other paths only when the test lets them through.
  private final class Share: Sendable {
    private let ends: (read: CInt, write: CInt)
    private let picture: CInt
    let tries = Mutex<[String]>([])

    init() throws {
      var pipe: [CInt] = [0, 0]
      try #require(unsafe Glibc.pipe(&pipe) == 0)
      ends = (pipe[0], pipe[1])
      picture = CInt(try #require(Self.temporaryFile()))
      let bytes = PNGFile(size: Size(6, 4), kind: .rgb).bytes()
      #expect(unsafe write(picture, bytes, bytes.count) == bytes.count)
    }

    deinit { for descriptor in [ends.read, ends.write, picture] { close(descriptor) } }

    private static func temporaryFile() -> CInt? {
      var name = Array("/tmp/placard-share-XXXXXX".utf8CString)
      let descriptor = unsafe mkstemp(&name)
      unsafe unlink(name)
      return descriptor < 0 ? nil : descriptor
    }

    /// Lets this many attempts through.
    func answer(_ count: Int) {
      let bytes = [UInt8](repeating: 0, count: count)
      #expect(unsafe write(ends.write, bytes, count) == count)
    }

    var reader: ImageReader {
      ImageReader(ImageFolders(["/"])) { [self] path, _ throws(ImageError) in
        tries.withLock { $0.append(path) }
        var byte: UInt8 = 0
        if !path.hasPrefix("/ok") { unsafe _ = read(ends.read, &byte, 1) }
        return dup(picture)
      }
    }
  }

  private func requests(_ paths: [String], _ cache: ImageCache = ImageCache()) -> [ImageRequest] {
    cache.beginLookup(since: cache.moment)
    for path in paths { _ = try? cache.load(path) }
    return cache.removeMissing()
  }

  @Test func `a hanging file blocks no other file, and is reported once it arrives`() async throws {
    let share = try Share()
    let loader = ImageLoader(share.reader, patience: .milliseconds(200))
    let (late, reported) = AsyncStream.makeStream(of: ImageResponse.self)
    let cache = ImageCache()
    let answers = await loader.load(requests(["/hang", "/ok1", "/ok2"], cache), until: loader.deadline) {
      reported.yield($0)
    }
    #expect(answers.map(\.isLate).count { $0 } == 1 && answers.count == 3)
    for answer in answers { cache.put(answer) }
    #expect(throws: ImageError.late("/hang", .milliseconds(200))) { try cache.load("/hang") }
    #expect(cache.size(of: try cache.load("/ok2")) == Size(6, 4))
    // Another attempt would hang as well, so there is none, and the caller does not wait.
    let again = await loader.load(requests(["/hang"]), until: .now.advanced(by: .seconds(3600))) { _ in }
    #expect(again.first?.isLate == true && share.tries.withLock { $0.count { $0 == "/hang" } } == 1)
    share.answer(1)
    let answer = try #require(await late.first { _ in true })
    cache.put(answer)
    #expect(cache.size(of: try cache.load("/hang")) == Size(6, 4))
  }

  @Test func `while four files hang, other files are refused until one of them arrives`() async throws {
    let share = try Share()
    let loader = ImageLoader(share.reader, patience: .milliseconds(100))
    let (late, reported) = AsyncStream.makeStream(of: ImageResponse.self)
    let hanging = (1...4).map { "/hang\($0)" }
    let first = await loader.load(requests(hanging), until: .now.advanced(by: .milliseconds(500))) { _ in }
    #expect(first.count == 4 && first.allSatisfy { $0.isLate })
    let cache = ImageCache()
    let far = ContinuousClock.now.advanced(by: .seconds(3600))
    for answer in await loader.load(requests(["/ok"], cache), until: far, late: { reported.yield($0) }) {
      cache.put(answer)
    }
    #expect(throws: ImageError.stuck("/ok", 4)) { try cache.load("/ok") }
    share.answer(1)
    cache.put(try #require(await late.first { _ in true }))
    #expect(cache.size(of: try cache.load("/ok")) == Size(6, 4))
    let more = await loader.load(requests(["/ok5"]), until: far) { _ in }
    #expect(more.first?.isLate == false)
    share.answer(3)
  }

  @Test func `paths outside the allowed folders are refused without access to the file system`() async throws {
    let share = try Share()
    let loader = ImageLoader(share.reader)
    loader.allow(ImageFolders(["/srv"]))
    let cache = ImageCache()
    for answer in await loader.load(requests(["/etc/shadow"], cache), until: .now, late: { _ in }) { cache.put(answer) }
    #expect(throws: ImageError.outside("/etc/shadow")) { try cache.load("/etc/shadow") }
    #expect(share.tries.withLock { $0.isEmpty })
  }

  @Test func `header and pixels are decoded from memory, and an unchanged file is not decoded again`() async throws {
    let share = try Share()
    let loader = ImageLoader(share.reader)
    let cache = ImageCache()
    func look() async throws -> (ImageID, Bitmap)? {
      for _ in 0..<3 {
        if let id = try? cache.load("/ok"),
          let bitmap = try? cache.bitmap(of: id, at: Size(3, 2), window: Rect(Size(3, 2)))
        {
          return (id, bitmap)
        }
        for answer in await loader.load(cache.removeMissing(), until: loader.deadline, late: { _ in }) {
          cache.put(answer)
        }
      }
      return nil
    }
    cache.beginLookup(since: cache.moment)
    let first = try #require(try await look())
    #expect(first.1.bounds.size == Size(3, 2) && share.tries.withLock { $0.count } == 2)
    cache.beginLookup(since: cache.moment)
    let second = try #require(try await look())
    #expect(second.0 == first.0 && share.tries.withLock { $0.count } == 3, "only the file's status is read")
  }
}
