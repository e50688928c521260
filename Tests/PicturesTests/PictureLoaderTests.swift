import Geometry
import Glibc
import Synchronization
import Testing

@testable import Pictures

/// Files that do not come, as those of a share that is gone.
@Suite(.timeLimit(.minutes(1)))
struct PictureLoaderTests {
  /// Opens `/ok...` at once, and others when that is let through.
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

    /// Lets so many tries through.
    func answer(_ count: Int) {
      let bytes = [UInt8](repeating: 0, count: count)
      #expect(unsafe write(ends.write, bytes, count) == count)
    }

    var reader: PictureReader {
      PictureReader(PictureFolders(["/"])) { [self] path, _ throws(PictureError) in
        tries.withLock { $0.append(path) }
        var byte: UInt8 = 0
        if !path.hasPrefix("/ok") { unsafe _ = read(ends.read, &byte, 1) }
        return dup(picture)
      }
    }
  }

  private func requests(_ paths: [String], _ shelf: PictureShelf = PictureShelf()) -> [PictureRequest] {
    shelf.beginLook(since: shelf.moment)
    for path in paths { _ = try? shelf.load(path) }
    return shelf.takeMissing()
  }

  @Test func `a file that hangs holds up no other, and comes late`() async throws {
    let share = try Share()
    let loader = PictureLoader(share.reader, patience: .milliseconds(200))
    let (late, told) = AsyncStream.makeStream(of: PictureAnswer.self)
    let shelf = PictureShelf()
    let answers = await loader.load(requests(["/hang", "/ok1", "/ok2"], shelf), until: loader.deadline) {
      told.yield($0)
    }
    #expect(answers.map(\.isLate).count { $0 } == 1 && answers.count == 3)
    for answer in answers { shelf.put(answer) }
    #expect(throws: PictureError.late("/hang", .milliseconds(200))) { try shelf.load("/hang") }
    #expect(shelf.size(of: try shelf.load("/ok2")) == Size(6, 4))
    // Another try would hang as well: there is none, and nobody waits for it.
    let again = await loader.load(requests(["/hang"]), until: .now.advanced(by: .seconds(3600))) { _ in }
    #expect(again.first?.isLate == true && share.tries.withLock { $0.count { $0 == "/hang" } } == 1)
    share.answer(1)
    let answer = try #require(await late.first { _ in true })
    shelf.put(answer)
    #expect(shelf.size(of: try shelf.load("/hang")) == Size(6, 4))
  }

  @Test func `when four files hang others are refused at once, until one comes`() async throws {
    let share = try Share()
    let loader = PictureLoader(share.reader, patience: .milliseconds(100))
    let (late, told) = AsyncStream.makeStream(of: PictureAnswer.self)
    let hanging = (1...4).map { "/hang\($0)" }
    let first = await loader.load(requests(hanging), until: .now.advanced(by: .milliseconds(500))) { _ in }
    #expect(first.count == 4 && first.allSatisfy { $0.isLate })
    let shelf = PictureShelf()
    let far = ContinuousClock.now.advanced(by: .seconds(3600))
    for answer in await loader.load(requests(["/ok"], shelf), until: far, late: { told.yield($0) }) {
      shelf.put(answer)
    }
    #expect(throws: PictureError.stuck("/ok", 4)) { try shelf.load("/ok") }
    share.answer(1)
    shelf.put(try #require(await late.first { _ in true }))
    #expect(shelf.size(of: try shelf.load("/ok")) == Size(6, 4))
    let more = await loader.load(requests(["/ok5"]), until: far) { _ in }
    #expect(more.first?.isLate == false)
    share.answer(3)
  }

  @Test func `what is nowhere near a folder for pictures is refused without a look`() async throws {
    let share = try Share()
    let loader = PictureLoader(share.reader)
    loader.allow(PictureFolders(["/srv"]))
    let shelf = PictureShelf()
    for answer in await loader.load(requests(["/etc/shadow"], shelf), until: .now, late: { _ in }) { shelf.put(answer) }
    #expect(throws: PictureError.outside("/etc/shadow")) { try shelf.load("/etc/shadow") }
    #expect(share.tries.withLock { $0.isEmpty })
  }

  @Test func `header and pixels come by memory, and a file that is the same is not decoded again`() async throws {
    let share = try Share()
    let loader = PictureLoader(share.reader)
    let shelf = PictureShelf()
    func look() async throws -> (PictureID, Bitmap)? {
      for _ in 0..<3 {
        if let id = try? shelf.load("/ok"),
          let bitmap = try? shelf.bitmap(of: id, at: Size(3, 2), window: Rect(Size(3, 2)))
        {
          return (id, bitmap)
        }
        for answer in await loader.load(shelf.takeMissing(), until: loader.deadline, late: { _ in }) {
          shelf.put(answer)
        }
      }
      return nil
    }
    shelf.beginLook(since: shelf.moment)
    let first = try #require(try await look())
    #expect(first.1.bounds.size == Size(3, 2) && share.tries.withLock { $0.count } == 2)
    shelf.beginLook(since: shelf.moment)
    let second = try #require(try await look())
    #expect(second.0 == first.0 && share.tries.withLock { $0.count } == 3, "only a look whether it has changed")
  }
}
