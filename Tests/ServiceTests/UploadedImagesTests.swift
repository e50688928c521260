import Configuration
import Control
import Geometry
import Glibc
import NIOCore
import NIOPosix
import Pictures
import Testing

@testable import Service

/// Uploaded image files.
struct UploadedImagesTests {
  /// A place for one test, removed with its contents.
  private final class Place {
    let path: String

    init() throws {
      let parent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
      path = "\(parent)/placard-images-\(getpid())-\(UInt64.random(in: .min ... .max))"
      let made = unsafe mkdir(path, 0o755)
      try #require(made == 0)
    }

    var folder: String { "\(path)/pictures" }

    func pictures(limit: Int = 1 << 20) -> UploadedImages {
      UploadedImages(path: folder, limit: limit, loop: NIOSingletons.posixEventLoopGroup.next())
    }

    deinit {
      for folder in [folder, path] {
        if let files = try? PictureFiles.folder(folder, mustExist: false) {
          for name in (try? files.names()) ?? [] { unsafe _ = unlink("\(folder)/\(name)") }
        }
        unsafe _ = rmdir(folder)
      }
    }
  }

  private func png(_ red: UInt8, _ size: Size = Size(3, 2)) throws -> [UInt8] {
    var noise = UInt32(red)
    let pixels = (0..<size.area * 3).map { _ -> UInt8 in
      noise = noise &* 1_664_525 &+ 1_013_904_223
      return UInt8(noise >> 24)
    }
    return try RGBImage(size: size, rgb: pixels).png()
  }

  private static func names(_ folder: String) throws -> [String] {
    guard let files = try PictureFiles.folder(folder, mustExist: false) else { return [] }
    return try files.names()
  }

  private func kind(_ body: () async throws -> Void) async -> ControlError.Kind? {
    await error(body)?.kind
  }

  private func error(_ body: () async throws -> Void) async -> ControlError? {
    do { try await body() } catch { return error as? ControlError }
    return nil
  }

  @Test func `an image is stored unchanged under a name from its content, and another service finds it`() async throws {
    let place = try Place()
    let pictures = place.pictures()
    #expect(try await pictures.all().isEmpty, "no folder is created for it")
    #expect(unsafe access(place.folder, F_OK) != 0)
    let bytes = try png(1)
    let report = try await pictures.add(bytes)
    #expect(report.path == "\(place.folder)/\(report.name)" && UploadName.isOne(report.name))
    #expect(report.type == .png && report.width == 3 && report.height == 2 && report.bytes == bytes.count)
    #expect(try await pictures.add(bytes) == report, "the same image is stored once")
    let jpeg = try await pictures.add(try RGBImage(pngBytes: bytes).jpeg())
    #expect(jpeg.type == .jpeg && jpeg.name.hasSuffix(".jpg"))
    #expect(try await pictures.all().map(\.name) == [jpeg.name, report.name], "the newest image is first")
    let other = place.pictures()
    #expect(try await other.all() == [jpeg, report])
    #expect(try await other.bytes(of: report.name) == bytes)
    try await other.remove(report.name)
    #expect(try await pictures.all() == [jpeg])
    #expect(await kind { _ = try await pictures.bytes(of: report.name) } == .notFound)
    #expect(await kind { try await pictures.remove(report.name) } == .notFound)
  }

  @Test func `an image keeps its file name, without the folder, until it is removed`() async throws {
    let place = try Place()
    let pictures = place.pictures()
    let bytes = try png(1)
    let report = try await pictures.add(bytes, file: "signs/poster\n1.png")
    #expect(report.file == "poster1.png")
    #expect(try await place.pictures().all() == [report], "another service finds the name")
    #expect(try await pictures.add(bytes).file == "poster1.png", "an upload without a name keeps the earlier name")
    #expect(try await pictures.add(bytes, file: "new.png").file == "new.png")
    #expect(try await pictures.add(bytes, file: String(repeating: "a", count: 256)).file == "new.png")
    try await pictures.remove(report.name)
    #expect(try Self.names(place.folder).filter { $0 != "." && $0 != ".." }.isEmpty)
    #expect(try await pictures.add(bytes).file == nil)
  }

  @Test func `invalid or excess images are refused with the next step, and leave nothing behind`() async throws {
    let place = try Place()
    let first = try png(1, Size(40, 40))
    let pictures = place.pictures(limit: first.count + 100)
    for (bytes, word) in [(Array("GIF89a".utf8), "GIF"), ([], "empty"), (Array(first.prefix(12)), "libpng")] {
      let error = await error { _ = try await pictures.add(bytes) }
      #expect(error?.kind == .invalid && error?.message.contains(word) == true, "\(error?.message ?? "")")
    }
    let huge = [UInt8](repeating: 0, count: UploadedImages.mostBytes + 1)
    #expect(await kind { _ = try await pictures.add(huge) } == .invalid)
    let kept = try await pictures.add(first)
    let full = await error { _ = try await pictures.add(try png(2, Size(40, 40))) }
    #expect(full?.kind == .conflict)
    for word in ["\(kept.name)", "images_size", "KiB of"] { #expect(full?.message.contains(word) == true) }
    #expect(try await pictures.all().map(\.name) == [kept.name])
    #expect(try await pictures.add(first) == kept, "an image that is already stored needs no space")
    try await pictures.remove(kept.name)
    _ = try await pictures.add(try png(2, Size(40, 40)))
  }

  @Test func `an image that is damaged after its header is refused with the reason`() async throws {
    let place = try Place()
    let pictures = place.pictures()
    let whole = try png(1, Size(40, 40))
    var flipped = whole
    flipped[whole.count / 2] ^= 0xFF
    let jpeg = try RGBImage(pngBytes: whole).jpeg()
    for bytes in [Array(whole.prefix(whole.count / 2)), flipped, Array(jpeg.prefix(jpeg.count / 2))] {
      let error = await error { _ = try await pictures.add(bytes) }
      #expect(error?.kind == .invalid && error?.message.hasPrefix("the image cannot be used: ") == true)
      #expect(error?.message.contains("libpng") == true || error?.message.contains("damaged") == true)
    }
    #expect(try await pictures.all().isEmpty)
    _ = try await pictures.add(whole)
  }

  @Test(arguments: [
    "", ".", "..", "../placard.db", "/etc/passwd", "0123456789abcdef", "0123456789abcdef.gif", "0123456789ABCDEF.png",
    "0123456789abcde/.png", "..%2f..%2f..%2fabcd.png", "0123456789abcdef.png\0", "0123456789abcdef.png/", ".upload",
  ])
  func `a name that leads elsewhere is unknown`(name: String) async throws {
    let place = try Place()
    let pictures = place.pictures()
    _ = try await pictures.add(try png(1))
    #expect(await kind { _ = try await pictures.bytes(of: name) } == .notFound)
    #expect(await kind { try await pictures.remove(name) } == .notFound)
    #expect(try await pictures.all().count == 1)
  }

  @Test func `links are not followed, pipes do not block, and a damaged file can still be removed`() async throws {
    let place = try Place()
    let pictures = place.pictures()
    _ = try await pictures.add(try png(1))
    let (link, pipe, damaged) = ("aaaaaaaaaaaaaaaa.png", "bbbbbbbbbbbbbbbb.png", "cccccccccccccccc.jpg")
    #expect(unsafe symlink("/etc/hostname", "\(place.folder)/\(link)") == 0)
    #expect(unsafe mkfifo("\(place.folder)/\(pipe)", 0o600) == 0)
    if let files = try PictureFiles.folder(place.folder, mustExist: false) { try files.write(damaged, [1, 2, 3]) }
    #expect(try await pictures.all().map(\.width).sorted() == [0, 3])
    #expect(await kind { _ = try await pictures.bytes(of: link) } == .notFound)
    #expect(await kind { _ = try await pictures.bytes(of: pipe) } == .notFound)
    try await pictures.remove(damaged)
    #expect(try await pictures.all().count == 1)
  }

  @Test func `a folder that is a link, a file or missing is reported`() async throws {
    let place = try Place()
    let pictures = place.pictures()
    let bytes = try png(1)
    #expect(unsafe symlink("/tmp", place.folder) == 0)
    let link = await error { _ = try await pictures.add(bytes) }
    #expect(link?.kind == .failed && link?.message.contains("\(place.folder): ") == true)
    unsafe _ = unlink(place.folder)
    #expect(unsafe mknod(place.folder, S_IFREG | 0o600, 0) == 0)
    #expect(await kind { _ = try await pictures.add(bytes) } == .failed)
    unsafe _ = unlink(place.folder)
    let nowhere = UploadedImages(
      path: "\(place.path)/no/pictures", limit: 1, loop: NIOSingletons.posixEventLoopGroup.next())
    let missing = await error { _ = try await nowhere.add(bytes) }
    #expect(missing?.kind == .failed && missing?.message.contains("create its parent folder") == true)
    #expect(try await nowhere.all().isEmpty)
  }

  @Test func `on a full disk an image is refused, complete ones remain, and uploads work again later`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place()
      let tests = UploadedImagesTests()
      let pictures = place.pictures(limit: 1 << 30)
      let small = try await pictures.add(try tests.png(1))
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 10_000, rlim_max: .max)
      #expect(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
      let large = try tests.png(2, Size(200, 200))
      let error = await tests.error { _ = try await pictures.add(large) }
      #expect(error?.kind == .failed && error?.message.contains("free some space") == true)
      #expect(try await pictures.all() == [small])
      let names = try UploadedImagesTests.names(place.folder)
      #expect(names.count == 3, "no part of the refused image is left")
      limit.rlim_cur = .max
      #expect(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
      #expect(try await pictures.add(large).bytes == large.count)
    }
  }

  @Test func `without a state file the images are in a private folder that is removed at the end`() async throws {
    let pictures = UploadedImages(path: nil, limit: 1 << 20, loop: NIOSingletons.posixEventLoopGroup.next())
    #expect(try await pictures.all().isEmpty)
    let report = try await pictures.add(try png(1))
    let folder = String(report.path.dropLast(report.name.count + 1))
    var status = stat()
    #expect(unsafe stat(folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
    await pictures.close()
    #expect(unsafe access(folder, F_OK) != 0)
    #expect(try await pictures.all().isEmpty)
  }

  @Test func `different bytes with the same hash get another name`() throws {
    let bytes = try png(1)
    let names = Set((UInt8.min...7).map { UploadName.of(bytes, ending: "png", attempt: $0) })
    #expect(names.count == 8 && names.allSatisfy(UploadName.isOne))
  }

  @Test func `the images are next to the archive`() {
    #expect(Storage.file("/srv/sign.db").imagesFolder == "/srv/sign.images")
    #expect(Storage.file("/srv/sign").imagesFolder == "/srv/sign.images")
    #expect(Storage.memory.imagesFolder == nil)
    #expect(Storage.usual.imagesFolder?.hasSuffix("/placard/images") ?? true)
  }
}
