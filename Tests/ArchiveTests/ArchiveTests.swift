import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import Archive

/// The archive as the daemon uses it.
struct ArchiveTests {
  private let folder: Folder
  private let harness = Harness()

  init() throws { folder = try Folder() }

  @Test func `stored changes are loaded by the next archive`() async throws {
    let first = harness.archive(folder.file)
    #expect(await first.load().isEmpty)
    let shown = entry(harness.now)
    #expect(await first.store([.put(kind: "message", key: "lobby", json: "{}"), .began(shown)]) == .stored)
    #expect(await first.store([.ended(id: shown.id, at: harness.now + 5)]) == .stored)
    #expect(await first.close() == .stored)
    #expect(folder.names == ["archive.sqlite"])

    let second = harness.archive(folder.file)
    let document = StoredDocument(kind: "message", key: "lobby", json: "{}", changed: harness.now)
    #expect(await second.load() == [document])
    #expect(try await second.history().map(\.ended) == [harness.now + 5])
    #expect(harness.noticeCount == 0)
  }

  @Test func `without a path everything works, and is lost when the archive closes`() async throws {
    let archive = harness.archive(nil)
    #expect(await archive.store([.put(kind: "k", key: "k", json: "1"), .began(entry(harness.now))]) == .off)
    #expect(await archive.load().count == 1)
    #expect(try await archive.history().count == 1)
    #expect(await archive.close() == .off)
    #expect(await archive.load().isEmpty)
  }

  @Test func `simultaneous stores are one transaction`() async throws {
    let archive = harness.archive(folder.file)
    let executor = LoopExecutor(harness.loop)
    // The archive's loop runs these tasks, so no store begins before all are queued.
    await withTaskExecutorPreference(executor) {
      await withTaskGroup { group in
        for number in 0..<50 {
          group.addTask(executorPreference: executor) {
            let state = await archive.store([.put(kind: "k", key: "\(number % 40)", json: "\(number)")])
            #expect(state == .stored)
          }
        }
      }
    }
    #expect(await archive.transactions == 1)
    #expect(await archive.load().count == 40)
  }

  @Test func `changes wait until the folder exists, and a timer then stores them`() async throws {
    let place = "\(folder.path)/later"
    let archive = harness.archive("\(place)/archive.sqlite", patience: .milliseconds(1))
    #expect(await archive.load().isEmpty)
    let shown = entry(harness.now)
    _ = await archive.store([.put(kind: "k", key: "a", json: "1"), .began(shown)])
    _ = await archive.store([.put(kind: "k", key: "a", json: "2"), .ended(id: shown.id, at: harness.now + 9)])
    guard case .inMemory(let trouble) = await archive.state else { throw Unexpected() }
    #expect(trouble.error.reason == .folderMissing && trouble.pending == 2 && trouble.since == harness.now)
    #expect(await archive.load().map(\.json) == ["2"], "pending changes are readable")
    guard case .state(.inMemory) = await harness.notice() else { throw Unexpected() }
    try makeFolder(place)
    #expect(await harness.notice() == .state(.stored), "one notice for the fault, however many attempts")
    #expect(await archive.load().map(\.json) == ["2"])
    #expect(try await archive.history().map(\.ended) == [harness.now + 9])
    await archive.close()
    unsafe _ = unlink("\(place)/archive.sqlite")
    removeFolder(place)
  }

  @Test func `a read-only file is loaded, and pending changes are stored once it is writable`() async throws {
    try ArchiveFile.open(folder.file).write([.put(kind: "k", key: "old", json: "1"), .began(entry(5, ended: 6))])
    setMode(folder.file, 0o444)
    setMode(folder.path, 0o555)
    let archive = harness.archive(folder.file)
    // Other tests share the loop's thread, so it is root again before anything else can run on it.
    let old = try await onLoop(archive) { $0.load() }
    #expect(old.map(\.key) == ["old"])
    guard case .inMemory(let trouble) = await archive.state else { throw Unexpected() }
    #expect(trouble.error.reason == .denied && trouble.pending == 0)
    #expect(try await archive.history().count == 1)
    guard case .inMemory = await archive.store([]) else { throw Unexpected() }
    setMode(folder.file, 0o640)
    setMode(folder.path, 0o755)
    #expect(await archive.store([.put(kind: "k", key: "new", json: "2")]) == .stored)
    #expect(await archive.load().map(\.key) == ["new", "old"])
    #expect(try ArchiveFile.open(folder.file).documents().map(\.key) == ["new", "old"])
  }

  private func onLoop<Result: Sendable>(
    _ archive: Archive, _ body: @escaping @Sendable (isolated Archive) -> Result
  ) async throws -> Result {
    try await harness.loop.submit {
      useFiles(asUser: nobody)
      defer { useFiles(asUser: geteuid()) }
      return archive.assumeIsolated { body($0) }
    }.get()
  }

  @Test func `changes wait while another process writes`() async throws {
    let other = try ArchiveFile.open(folder.file)
    let archive = harness.archive(folder.file, patience: .milliseconds(1))
    #expect(await archive.load().isEmpty)
    try other.database.execute("BEGIN IMMEDIATE")
    guard case .inMemory(let trouble) = await archive.store([.put(kind: "k", key: "k", json: "1")]) else {
      throw Unexpected()
    }
    #expect(trouble.error.reason == .busy)
    _ = await harness.notice()
    try other.database.execute("COMMIT")
    #expect(await harness.notice() == .state(.stored))
    #expect(try other.documents().count == 1)
  }

  @Test func `the retry delay doubles after each failure, up to its limit`() {
    let patience = Archive.Patience()
    #expect((1...8).map { patience.delay(after: $0).nanoseconds / 1_000_000_000 } == [1, 2, 4, 8, 16, 32, 60, 60])
    #expect(patience.delay(after: .max) == .seconds(60) && patience.delay(after: 0) == .seconds(1))
  }
}
