import Glibc
import NIOCore
import Testing

@testable import Archive

/// The file is removed or replaced while a daemon has it open.
struct DisplacedTests {
  private let folder: Folder
  private let harness = Harness()

  init() throws { folder = try Folder() }

  /// Returns an archive with one document and one entry that is still shown.
  private func began() async -> (archive: Archive, shown: HistoryEntry) {
    let archive = harness.archive(folder.file)
    let shown = entry(harness.now)
    #expect(await archive.store([.put(kind: "k", key: "old", json: "1"), .began(shown)]) == .stored)
    return (archive, shown)
  }

  private func remove(_ suffixes: String...) {
    for suffix in suffixes { unsafe _ = unlink(folder.file + suffix) }
  }

  /// Returns the keys that a daemon finds if it starts after this one was killed.
  private func keys() throws -> [String] {
    let copy = "\(folder.path)/copy"
    for suffix in ["", "-wal"] {
      unsafe _ = unlink(copy + suffix)
      if let bytes = bytes(of: folder.file + suffix) { try write(bytes, to: copy + suffix) }
    }
    return try ArchiveFile.open(copy).documents().map(\.key)
  }

  private func renewal() async throws -> ArchiveRenewal {
    guard case .renewed(let renewal) = await harness.notice() else { throw Unexpected() }
    return renewal
  }

  @Test(arguments: [["", "-wal", "-shm", ".lock"], ["", "-wal", "-shm"], [""], ["-wal"], ["-shm"]])
  func `after any of its files is removed, the next store writes everything to a new file`(suffixes: [String])
    async throws
  {
    let (archive, shown) = await began()
    for suffix in suffixes { remove(suffix) }
    #expect(await archive.store([.put(kind: "k", key: "new", json: "2")]) == .stored)
    #expect(try keys() == ["new", "old"])
    let renewal = try await renewal()
    #expect(renewal.documents == 1 && renewal.entries == 1 && renewal.since == harness.now)
    #expect((renewal.aside == nil) == suffixes.contains(""))
    #expect(await archive.renewal == renewal)
    #expect(await archive.store([.ended(id: shown.id, at: harness.now + 5)]) == .stored)
    #expect(try await archive.history().map(\.ended) == [harness.now + 5], "the open entry has not ended")
    await archive.close()
    #expect(await harness.archive(folder.file).load().map(\.key) == ["new", "old"])
    #expect(harness.noticeCount == 1)
  }

  @Test func `a check detects the removal without a store`() async throws {
    let (archive, _) = await began()
    #expect(await archive.check() == .stored)
    #expect(await archive.renewal == nil)
    remove("", "-wal", "-shm")
    #expect(await archive.check() == .stored)
    #expect(await archive.renewal?.documents == 1)
    #expect(try keys() == ["old"])
  }

  @Test func `a removal after a load without a store is detected, and entries left open by a crash end`() async throws {
    try ArchiveFile.open(folder.file).write([.put(kind: "k", key: "old", json: "1"), .began(entry(5))], at: 7)
    let archive = harness.archive(folder.file)
    #expect(await archive.load().count == 1)
    remove("", "-wal", "-shm")
    #expect(await archive.store([.put(kind: "k", key: "new", json: "2")]) == .stored)
    #expect(try keys() == ["new", "old"])
    #expect(try await archive.history().map(\.ended) == [7])
  }

  @Test func `a file in its place is set aside, and none of it is read`() async throws {
    let (archive, _) = await began()
    let other = "\(folder.path)/other"
    try ArchiveFile.open(other).write([.put(kind: "k", key: "theirs", json: "3")])
    let theirs = try #require(bytes(of: other))
    unsafe _ = rename(other, folder.file)
    #expect(await archive.store([.put(kind: "k", key: "new", json: "2")]) == .stored)
    #expect(try keys() == ["new", "old"])
    let renewal = try await renewal()
    #expect(renewal.aside == folder.file + ".foreign-1")
    #expect(bytes(of: folder.file + ".foreign-1") == theirs)
  }

  @Test func `a removed file is also written again at the end of the service`() async throws {
    let (archive, _) = await began()
    remove("", "-wal", "-shm")
    #expect(await archive.close() == .stored)
    #expect(try ArchiveFile.open(folder.file).documents().map(\.key) == ["old"])
  }

  @Test func `while no file can be created, everything is readable, and a timer stores it later`() async throws {
    let place = "\(folder.path)/place"
    try makeFolder(place)
    let archive = harness.archive("\(place)/archive.sqlite", patience: .milliseconds(1))
    #expect(await archive.store([.put(kind: "k", key: "old", json: "1"), .began(entry(harness.now))]) == .stored)
    unsafe _ = rename(place, "\(folder.path)/gone")
    guard case .inMemory(let trouble) = await archive.check() else { throw Unexpected() }
    #expect(trouble.error.reason == .folderMissing)
    #expect(try await archive.history().count == 1)
    guard case .inMemory = await archive.store([.put(kind: "k", key: "new", json: "2")]) else { throw Unexpected() }
    guard case .state(.inMemory) = await harness.notice() else { throw Unexpected() }
    try makeFolder(place)
    #expect(try await renewal().documents == 1)
    #expect(await harness.notice() == .state(.stored))
    #expect(await archive.load().map(\.key) == ["new", "old"])
    await archive.close()
    #expect(try ArchiveFile.open("\(place)/archive.sqlite").documents().map(\.key) == ["new", "old"])
    for name in ["place", "gone"] {
      for suffix in ["", "-wal", "-shm", ".lock"] {
        unsafe _ = unlink("\(folder.path)/\(name)/archive.sqlite\(suffix)")
      }
      removeFolder("\(folder.path)/\(name)")
    }
  }
}
