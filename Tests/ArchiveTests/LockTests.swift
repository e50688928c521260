import Glibc
import Testing

@testable import Archive

/// Only one daemon at a time uses an archive.
struct LockTests {
  private let folder: Folder
  private let harness = Harness()

  init() throws { folder = try Folder() }

  private func refusal(_ path: String) -> ArchiveError? {
    do throws(ArchiveError) { _ = try ArchiveLock.acquire(path) } catch { return error }
    return nil
  }

  @Test func `a second service is refused, and the error names the file, the process and the next step`() throws {
    let lock = try #require(try ArchiveLock.acquire(folder.file))
    let error = try #require(refusal(folder.file))
    #expect(error.reason == .inUse)
    let words = "\(folder.file): lock: another service (process \(getpid())) stores its state there; stop that service"
    #expect(error.description.hasPrefix(words) && error.description.contains("--state"))
    lock.release()
    #expect(refusal(folder.file) == nil)
    #expect(folder.names.isEmpty, "no file is left behind")
  }

  @Test(arguments: [false, true])
  func `another name of the file has the same lock`(isThere: Bool) throws {
    if isThere { _ = try ArchiveFile.open(folder.file) }
    unsafe _ = symlink(folder.path, "\(folder.path)/folder")
    if isThere { unsafe _ = symlink(folder.file, "\(folder.path)/other") }
    let names = ["\(folder.path)/folder/archive.sqlite"] + (isThere ? ["\(folder.path)/other"] : [])
    let lock = try #require(try ArchiveLock.acquire(folder.file))
    for name in names { #expect(refusal(name)?.reason == .inUse) }
    lock.release()
  }

  @Test func `without a folder the archive acquires the lock later, when it opens its file`() async throws {
    let place = "\(folder.path)/late"
    let path = "\(place)/archive.sqlite"
    #expect(try ArchiveLock.acquire(path) == nil)
    #expect(try ArchiveLock.acquire(nil) == nil)
    try makeFolder(place)
    let archive = harness.archive(path)
    #expect(await archive.store([.put(kind: "k", key: "k", json: "1")]) == .stored)
    #expect(refusal(path)?.reason == .inUse)
    await archive.close()
    #expect(refusal(path) == nil)
    unsafe _ = unlink(path)
    removeFolder(place)
  }

  @Test func `an archive whose file is already used by another service holds its changes in memory`() async throws {
    let first = harness.archive(folder.file)
    #expect(await first.store([.put(kind: "k", key: "a", json: "1")]) == .stored)
    let second = harness.archive(folder.file)
    guard case .inMemory(let trouble) = await second.store([.put(kind: "k", key: "b", json: "2")]) else {
      throw Unexpected()
    }
    #expect(trouble.error.reason == .inUse)
    await first.close()
    #expect(await second.store([]) == .stored)
    #expect(await second.load().map(\.key) == ["a", "b"])
  }
}
