import NIOCore
import Testing
import Waiting

@testable import Archive

/// At startup nothing waits for a write to the disk.
struct SnapshotTests {
  private let folder: Folder
  private let harness = Harness()

  init() throws { folder = try Folder() }

  /// Leaves the file and its log as after a power cut, with an entry that has no end.
  private func crash() throws {
    let writer = try ArchiveFile.open("\(folder.path)/writer")
    try writer.write([.put(kind: "k", key: "kept", json: "1"), .began(entry(harness.now - 9))], at: harness.now - 4)
    for suffix in ["", "-wal"] {
      try write(#require(bytes(of: "\(folder.path)/writer\(suffix)")), to: folder.file + suffix)
    }
  }

  @Test func `a load after a crash changes nothing, and the next change ends the open entries`() async throws {
    try crash()
    let (file, log) = (bytes(of: folder.file), bytes(of: folder.file + "-wal"))
    let archive = harness.archive(folder.file)
    #expect(await archive.load().map(\.key) == ["kept"])
    #expect(bytes(of: folder.file) == file)
    #expect(bytes(of: folder.file + "-wal") == log)
    #expect(await archive.state == .stored)
    #expect(await archive.store([]) == .stored)
    #expect(try ArchiveFile.open(folder.file).history().map(\.ended) == [harness.now - 4])
    #expect(await archive.load().map(\.key) == ["kept"])
    #expect(harness.noticeCount == 0)
  }

  @Test func `a history query reports no entry left open by a crash as still shown`() async throws {
    try crash()
    let archive = harness.archive(folder.file)
    _ = await archive.load()
    #expect(try await archive.history().map(\.ended) == [harness.now - 4])
  }

  @Test func `a load creates no file, and the first awaited change stores everything before it`() async throws {
    let archive = harness.archive(folder.file)
    #expect(await archive.load().isEmpty)
    archive.give([.put(kind: "k", key: "given", json: "1")])
    await harness.settle()
    #expect(folder.names.isEmpty)
    #expect(await archive.store([.put(kind: "k", key: "stored", json: "2")]) == .stored)
    #expect(await archive.transactions == 1)
    #expect(try ArchiveFile.open(folder.file).documents().map(\.key) == ["given", "stored"])
  }

  @Test func `the changes of the startup are written after a delay, and later ones immediately`() async throws {
    let archive = harness.archive(folder.file, calm: .milliseconds(1))
    _ = await archive.load()
    archive.give([.put(kind: "k", key: "given", json: "1")])
    await harness.turns.wait { archive.assumeIsolated { $0.transactions > 0 } }
    archive.give([.put(kind: "k", key: "later", json: "1")])
    await harness.settle()
    #expect(await archive.transactions == 2)
  }

  @Test func `a file that cannot be created is reported at the load, not when the first change is lost`() async throws {
    let archive = harness.archive("\(folder.path)/nowhere/archive.sqlite")
    #expect(await archive.load().isEmpty)
    guard case .inMemory(let trouble) = await archive.state else { throw Unexpected() }
    #expect(trouble.error.reason == .folderMissing)
  }
}
