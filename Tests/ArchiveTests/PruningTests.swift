import Testing

@testable import Archive

/// The history stays within its limits, and documents are never removed.
struct PruningTests {
  private let folder: Folder
  private let day: Int64 = 86_400_000

  init() throws { folder = try Folder() }

  @Test func `entries that ended too many days ago are removed, and entries still shown remain`() throws {
    let file = try ArchiveFile.open(folder.file)
    let long = entry(1)
    try file.write([.began(long), .began(entry(2 * day, ended: 8 * day)), .put(kind: "k", key: "k", json: "")])
    try file.write((0..<1500).map { .began(entry(day + $0, ended: day + $0 + 1)) })
    try file.prune(ArchiveLimits(historyDays: 5, bytes: 64 << 20), now: 10 * day)
    #expect(try file.history().map(\.began) == [2 * day, 1])
    #expect(try file.documents().count == 1)
  }

  @Test(arguments: [0, Int.min, Int.max])
  func `no limit causes a trap`(limit: Int) throws {
    let file = try ArchiveFile.open(folder.file)
    try file.write([.began(entry(1)), .began(entry(1, ended: 2))])
    for now in [Int64.min, 0, .max] {
      try file.prune(ArchiveLimits(historyDays: limit, bytes: limit), now: now)
      #expect(try file.history().contains { $0.ended == nil })
    }
  }

  @Test func `the oldest entries are removed while the file is too large, and the disk gets the space back`() throws {
    let file = try ArchiveFile.open(folder.file)
    for start in stride(from: Int64(0), to: 10_000, by: 1000) {
      try file.write((start..<start + 1000).map { .began(entry($0, ended: $0 + 1)) })
    }
    try file.write([.put(kind: "k", key: "k", json: "1")])
    let limit = 256 << 10
    #expect(try file.fileBytes() > 2 * limit)
    try file.prune(ArchiveLimits(historyDays: 90, bytes: limit), now: 0)
    let left = try file.history()
    #expect(try file.fileBytes() <= limit)
    #expect(left.first?.began == 9999 && left.count > 500)
    #expect(left.map(\.began) == (10_000 - Int64(left.count)..<10_000).reversed())
    #expect(try file.documents().count == 1)
    try file.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try #require(bytes(of: folder.file)).count <= limit)
  }

  @Test func `documents displace no history, however large they are`() throws {
    let file = try ArchiveFile.open(folder.file)
    try file.write((0..<4000).map { .began(entry($0, ended: $0 + 1)) })
    for (count, size) in [(2000, 700), (20, 100_000), (5, 300_000)] {
      let names = (0..<count).map { (kind: "k", key: "\(size) \($0)") }
      let text = String(repeating: "x", count: size)
      try file.write(names.map { .put(kind: $0.kind, key: $0.key, json: text) })
      try file.prune(ArchiveLimits(historyDays: 90, bytes: 1 << 20), now: 5000)
      #expect(try file.history().count == 4000)
      if size == 700 { try file.write(names.map { .remove(kind: $0.kind, key: $0.key) }) }
    }
    try file.prune(ArchiveLimits(historyDays: 90, bytes: 256 << 10), now: 5000)
    let left = try file.history().count
    #expect((500..<4000).contains(left))
  }

  @Test func `the log stays small, however much is written`() throws {
    let file = try ArchiveFile.open(folder.file)
    let text = String(repeating: "x", count: 10_000)
    for number in 0..<300 { try file.write([.put(kind: "k", key: "\(number % 10)", json: text)]) }
    #expect(try #require(bytes(of: folder.file + "-wal")).count < 2 << 20)
  }

  @Test func `an archive prunes when it opens and after many writes`() async throws {
    let harness = Harness()
    let limits = ArchiveLimits(historyDays: 1, bytes: 64 << 20)
    let archive = harness.archive(folder.file, limits: limits)
    await archive.store([.began(entry(harness.now - 2 * day, ended: harness.now - day - 1))])
    #expect(try await archive.history().count == 1)
    await archive.store((0..<1000).map { .began(entry(harness.now + $0, ended: harness.now + $0)) })
    #expect(try await archive.history(limit: 5000).count == 1000)
    await archive.close()
    harness.now += 3 * day
    let next = harness.archive(folder.file, limits: limits)
    #expect(await next.load().isEmpty)
    await next.store([])
    #expect(try ArchiveFile.open(folder.file).history().isEmpty)
  }
}
