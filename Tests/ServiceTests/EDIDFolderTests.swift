import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import Service

/// The folder of real monitors' EDIDs for the menu of virtual monitors.
struct EDIDFolderTests {
  /// A folder for one test, removed with its contents.
  private final class Place {
    let path: String
    private var names: [String] = []

    init() throws {
      path = "/tmp/placard-edids-\(getpid())-\(UInt64.random(in: .min ... .max))"
      let made = unsafe mkdir(path, 0o755)
      try #require(made == 0)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
      let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      try #require(file >= 0)
      names.append(name)
      let written = unsafe Glibc.write(file, bytes, bytes.count)
      _ = close(file)
      try #require(written == bytes.count)
    }

    func link(_ name: String, to target: String) throws {
      let made = unsafe symlink(target, "\(path)/\(name)")
      try #require(made == 0)
      names.append(name)
    }

    func makePipe(_ name: String) throws {
      let made = unsafe mkfifo("\(path)/\(name)", 0o600)
      try #require(made == 0)
      names.append(name)
    }

    deinit {
      for name in names { unsafe _ = unlink("\(path)/\(name)") }
      unsafe _ = rmdir(path)
    }
  }

  private func read(_ path: String) async -> [[UInt8]] {
    await EDIDFolder(loop: NIOSingletons.posixEventLoopGroup.next()).read(path)
  }

  @Test func `files with the size of an EDID are read in the order of their names`() async throws {
    let place = try Place()
    try place.write("b.bin", Array(repeating: 2, count: 128))
    try place.write("a.bin", Array(repeating: 1, count: 256))
    try place.link("c.bin", to: "a.bin")
    #expect(
      await read(place.path) == [
        Array(repeating: 1, count: 256), Array(repeating: 2, count: 128), Array(repeating: 1, count: 256),
      ])
  }

  @Test func `small, large and hidden files, pipes, devices and dangling links are ignored`()
    async throws
  {
    let place = try Place()
    try place.write("small", Array(repeating: 1, count: 127))
    try place.write("large", Array(repeating: 1, count: 256 * 128 + 1))
    try place.write(".hidden", Array(repeating: 1, count: 128))
    try place.makePipe("pipe")
    try place.link("zero", to: "/dev/zero")
    try place.link("nothing", to: "/nothing/there")
    #expect(await read(place.path) == [])
    try place.write("sound", Array(repeating: 7, count: 128))
    #expect(await read(place.path) == [Array(repeating: 7, count: 128)])
  }

  @Test func `a missing folder has no EDIDs`() async {
    #expect(await read("/nothing/there") == [])
  }

  @Test func `files of a folder above the limit of the menu are ignored`() async throws {
    let place = try Place()
    for number in 0..<300 { try place.write("\(1000 + number)", Array(repeating: UInt8(number % 256), count: 128)) }
    let found = await read(place.path)
    #expect(found.count == 256)
    #expect(found.first?.first == 0 && found.last?.first == 255)
  }
}
