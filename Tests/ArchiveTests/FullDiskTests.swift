import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import Archive

/// Interventions of the kernel in a separate process.
///
/// A limit on the file size fails a write in the middle of a transaction, as a full disk does. SIGKILL comes at any
/// moment.
struct FullDiskTests {
  @Test func `on a full disk changes wait, and stored data remains`() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try Folder()
      let harness = Harness()
      let archive = harness.archive(folder.file, patience: .milliseconds(1))
      #expect(await archive.store([.put(kind: "k", key: "before", json: "1")]) == .stored)
      signal(SIGXFSZ, SIG_IGN)
      try limitFiles(to: 100_000)
      let large = String(repeating: "x", count: 40_000)
      var stored = ["before"]
      for number in 0..<10 {
        let state = await archive.store([.put(kind: "k", key: "\(number)", json: large)])
        if state == .stored { stored.append("\(number)") }
      }
      guard case .inMemory(let trouble) = await archive.state else { throw Unexpected() }
      #expect(trouble.error.reason == .full && trouble.pending == 11 - stored.count)
      #expect(await archive.load().count == 11)
      #expect(try ArchiveFile.open(folder.file).documents().map(\.key).sorted() == stored.sorted())
      _ = await harness.notice()
      try limitFiles(to: .max)
      #expect(await harness.notice() == .state(.stored))
      #expect(try ArchiveFile.open(folder.file).documents().count == 11)
    }
  }

  @Test(arguments: [false, true])
  func `a service that starts on a full disk loads the stored data`(hasLog: Bool) async throws {
    await #expect(processExitsWith: .success) { [hasLog = hasLog as Bool] in
      let folder = try Folder()
      let writer = try ArchiveFile.open(folder.file)
      try writer.write([.put(kind: "k", key: "k", json: "stored"), .began(entry(5))])
      // After a power cut there is a log without its index.
      if !hasLog { try writer.database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
      for suffix in ["", "-wal"] {
        try write(try #require(bytes(of: folder.file + suffix)), to: "\(folder.path)/copy\(suffix)")
      }
      signal(SIGXFSZ, SIG_IGN)
      try limitFiles(to: 0)
      let archive = Harness().archive("\(folder.path)/copy")
      #expect(await archive.load().map(\.json) == ["stored"])
      guard case .inMemory(let trouble) = await archive.state else { throw Unexpected() }
      #expect(trouble.error.reason == .full)
      #expect(try await archive.history().count == 1)
      try limitFiles(to: .max)
      #expect(await archive.store([.put(kind: "k", key: "new", json: "2")]) == .stored)
      #expect(try ArchiveFile.open("\(folder.path)/copy").documents().map(\.key) == ["k", "new"])
    }
  }

  @Test func `SQLite's own size limit counts as a full disk`() async throws {
    let folder = try Folder()
    let file = try ArchiveFile.open(folder.file)
    try file.write([.put(kind: "k", key: "before", json: "1")])
    try file.database.execute("PRAGMA max_page_count = 8")
    let large = ArchiveChange.put(kind: "k", key: "large", json: String(repeating: "x", count: 40_000))
    let error = #expect(throws: ArchiveError.self) { try file.write([large]) }
    #expect(error?.reason == .full)
    #expect(try file.documents().map(\.key) == ["before"])
  }

  @Test(arguments: 0..<3)
  func `all stored data survives a kill`(round: Int) async throws {
    let folder = try Folder()
    let path = folder.path
    let delay = Int64.random(in: 1...60)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, delay = delay as Int64] in
      let harness = Harness()
      let archive = harness.archive("\(path)/archive.sqlite")
      let stored = unsafe open("\(path)/stored", O_WRONLY | O_CREAT | O_CLOEXEC, 0o640)
      for number in 0... {
        let text = String(repeating: "x", count: number % 5000)
        let document = ArchiveChange.put(kind: "k", key: "\(number)", json: text)
        guard await archive.store([document, .began(entry(Int64(number)))]) == .stored else { throw Unexpected() }
        _ = unsafe write(stored, "x", 1)
        // The first store starts a thread that kills the process during a later one.
        if number == 0 { killSoon(.milliseconds(delay)) }
      }
    }
    let count = try #require(bytes(of: "\(path)/stored")).count
    let file = try ArchiveFile.open(folder.file)
    #expect(count > 0)
    #expect([count, count + 1].contains(try file.documents().count), "\(count) stored, killed after \(delay) ms")
    #expect(try file.history().count == file.documents().count)
  }
}

private func killSoon(_ delay: TimeAmount) {
  MultiThreadedEventLoopGroup(numberOfThreads: 1).next().scheduleTask(in: delay) { kill(getpid(), SIGKILL) }
}

private func limitFiles(to bytes: UInt) throws {
  var limit = rlimit()
  unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  limit.rlim_cur = min(bytes, limit.rlim_max)
  let answer = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  try #require(answer == 0)
}
