import Glibc
import NIOPosix
import SeededRandom
import Testing

@testable import Archive

/// A damaged file is set aside, and its readable documents are recovered.
struct DamageTests {
  private let folder: Folder
  private let harness = Harness()

  init() throws { folder = try Folder() }

  /// Fills the file with `count` documents of 100 bytes and as many entries.
  private func fill(_ count: Int) throws {
    let file = try ArchiveFile.open(folder.file)
    let text = String(repeating: "x", count: 100)
    let entries = (0..<count).map { entry(Int64($0), ended: Int64($0) + 1) }
    try file.write(entries.map { .began($0) })
    try file.write((0..<count).map { .put(kind: "k", key: "\($0)", json: text) })
  }

  @Test func `a file of random bytes is set aside, and a new one is created`() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let noise = (0..<9000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    try write(noise, to: folder.file)
    let archive = harness.archive(folder.file)
    #expect(await archive.load().isEmpty)
    #expect(await archive.state == .stored)
    guard case .replaced(let replacement) = await harness.notice() else { throw Unexpected() }
    #expect(replacement.aside == folder.file + ".damaged-1" && replacement.saved == 0)
    #expect(bytes(of: replacement.aside) == noise, "seed \(seed)")
    #expect(await archive.store([.put(kind: "k", key: "k", json: "1")]) == .stored)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [1, 539, 4095])
  func `a file with a truncated last page is damaged, whatever that page contains`(cut: Int) async throws {
    try fill(300)
    let whole = try #require(bytes(of: folder.file))
    try write(Array(whole.dropLast(cut)), to: folder.file)
    let archive = harness.archive(folder.file)
    #expect(await archive.load().count <= 300)
    guard case .replaced(let replacement) = await harness.notice() else { throw Unexpected() }
    #expect(bytes(of: replacement.aside)?.count == whole.count - cut)
    #expect(await archive.state == .stored)
  }

  @Test(.timeLimit(.minutes(10))) func `a truncated file is replaced by a new one`() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    try fill(300)
    let whole = try #require(bytes(of: folder.file))
    for round in 0..<8 {
      try write(Array(whole.prefix(Int.random(in: 1..<whole.count, using: &random))), to: folder.file)
      let archive = harness.archive(folder.file)
      #expect(await archive.load().count <= 300, "seed \(seed)")
      #expect(await archive.state == .stored, "seed \(seed)")
      guard case .replaced = await harness.notice() else { throw Unexpected() }
      #expect(await archive.store([.put(kind: "k", key: "new", json: "1")]) == .stored, "seed \(seed), round \(round)")
      await archive.close()
    }
    let files = folder.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    let expected = ["", ".damaged-1", ".damaged-2", ".damaged-3"].map { "archive.sqlite\($0)" }
    #expect(files == expected, "the number of damaged files is limited")
  }

  @Test func `an archive is usable whichever bytes of its file are changed`() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    try fill(100)
    let whole = try #require(bytes(of: folder.file))
    for _ in 0..<20 {
      var turned = whole
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        // The first 100 bytes identify the file's owner. A file of another program is not touched, and has its own
        // tests.
        turned[Int.random(in: 100..<whole.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      try write(turned, to: folder.file)
      let archive = harness.archive(folder.file)
      _ = await archive.load()
      _ = try await archive.history(limit: 1000)
      let state = await archive.store([.put(kind: "k", key: "0", json: "new"), .began(entry(5000))])
      #expect(state == .stored, "seed \(seed)")
      #expect(await archive.load().contains { $0.key == "0" && $0.json == "new" }, "seed \(seed)")
      await archive.close()
    }
  }

  @Test(arguments: [("monitor TEXT", "monitos TEXT"), ("began INTEGER", "begun INTEGER"), ("json TEXT", "jsom TEXT")])
  func `a changed name in the schema is damage`(name: String, turned: String) async throws {
    try fill(10)
    var whole = try #require(bytes(of: folder.file))
    let place = try #require(whole.indices.first { whole[$0...].starts(with: Array(name.utf8)) })
    whole.replaceSubrange(place..<place + name.utf8.count, with: Array(turned.utf8))
    try write(whole, to: folder.file)
    let archive = harness.archive(folder.file)
    _ = await archive.load()
    _ = try await archive.history(limit: 1000)
    #expect(await archive.store([.put(kind: "k", key: "0", json: "new"), .began(entry(5000))]) == .stored)
    guard case .replaced = await harness.notice() else { throw Unexpected() }
    #expect(await archive.load().contains { $0.key == "0" && $0.json == "new" })
  }

  @Test(arguments: [0, -1, Int(Int32.min)])
  func `an unknown schema version is damage, and loses no document`(version: Int) async throws {
    try fill(10)
    try ArchiveFile.tamper(folder.file, "PRAGMA user_version = \(version)")
    let archive = harness.archive(folder.file)
    #expect(await archive.load().count == 10)
    #expect(await archive.store([.put(kind: "k", key: "new", json: "1")]) == .stored)
    guard case .replaced(let replacement) = await harness.notice() else { throw Unexpected() }
    #expect(replacement.saved == 10 && replacement.error.message.contains("version \(version)"))
    #expect(await archive.load().count == 11)
  }

  @Test func `an empty file is a new one, but with a log next to it, it is damaged`() async throws {
    try write([], to: folder.file)
    let archive = harness.archive(folder.file)
    #expect(await archive.store([.put(kind: "k", key: "k", json: "1")]) == .stored)
    try write([], to: "\(folder.path)/other")
    try write(try #require(bytes(of: folder.file + "-wal")), to: "\(folder.path)/other-wal")
    let other = harness.archive("\(folder.path)/other")
    #expect(await other.load().isEmpty)
    guard case .replaced = await harness.notice() else { throw Unexpected() }
    #expect(folder.names.contains("other.damaged-1-wal"))
  }

  @Test func `damage in the history loses no document`() async throws {
    try fill(300)
    let root = try ArchiveFile.open(folder.file).database.integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'history'")
    var whole = try #require(bytes(of: folder.file))
    let page = (Int(root) - 1) * 4096..<Int(root) * 4096
    whole.replaceSubrange(page, with: [UInt8](repeating: 0xFF, count: 4096))
    try write(whole, to: folder.file)
    let archive = harness.archive(folder.file)
    #expect(await archive.load().count == 300)
    #expect(await archive.store([.began(entry(9999))]) == .stored)
    #expect(try await archive.history().count == 1)
    #expect(await archive.load().count == 300)
    guard case .replaced(let replacement) = await harness.notice() else { throw Unexpected() }
    #expect(replacement.saved == 300)
  }
}
