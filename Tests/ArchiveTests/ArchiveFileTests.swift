import Glibc
import SeededRandom
import Testing

@testable import Archive

/// Written data is present when the file is opened again.
struct ArchiveFileTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test func `a new file is an empty archive that only its user and group can read`() throws {
    let file = try ArchiveFile.open(folder.file)
    try file.write([.put(kind: "setting", key: "a", json: "1")])
    for name in folder.names {
      let found = try #require(mode(of: "\(folder.path)/\(name)"))
      #expect(found & ~0o640 == 0, "\(name)")
    }
    #expect(try file.database.rows("PRAGMA journal_mode") { $0.text(0) } == ["wal"])
    #expect(try file.database.integer("PRAGMA synchronous") == 2)
    #expect(try file.database.integer("PRAGMA auto_vacuum") == 2)
  }

  @Test(arguments: ["", "{}", "a\0b", "\"quoted\" 'text' -- ;", "👩‍👩‍👧 \u{FFFD}", String(repeating: "x", count: 1 << 20)])
  func `a document is stored and loaded unchanged`(text: String) throws {
    try ArchiveFile.open(folder.file).write([.put(kind: text, key: text, json: text)], at: 7)
    let expected = StoredDocument(kind: text, key: text, json: text, changed: 7)
    #expect(try ArchiveFile.open(folder.file).documents() == [expected])
  }

  @Test func `documents reflect all changes, however often the file is opened`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    var model: [String: String] = [:]
    var file = try ArchiveFile.open(folder.file)
    for round in 0..<60 {
      var changes: [ArchiveChange] = []
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let key = "k\(Int.random(in: 0..<8, using: &random))"
        let json = Bool.random(using: &random) ? "\(round)" : nil
        model[key] = json
        changes.append(json.map { .put(kind: "k", key: key, json: $0) } ?? .remove(kind: "k", key: key))
      }
      try file.write(changes)
      if Int.random(in: 0..<10, using: &random) == 0 { file = try ArchiveFile.open(folder.file) }
      let found = try Dictionary(file.documents().map { ($0.key, $0.json) }) { $1 }
      #expect(found == model, "seed \(seed), round \(round)")
    }
  }

  @Test func `a history query gives the same result as a filter over all entries`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let file = try ArchiveFile.open(folder.file)
    var all: [HistoryEntry] = []
    for began in Int64(0)..<200 {
      let length = Int64.random(in: 0..<(Int.random(in: 0..<9, using: &random) == 0 ? 300 : 9), using: &random)
      all.append(entry(began, on: Bool.random(using: &random) ? "A" : "B", ended: began + length))
    }
    all.append(entry(200, on: "A"))
    try file.write(all.shuffled(using: &random).map { .began($0) })
    for _ in 0..<100 {
      func time() -> Int64? { Bool.random(using: &random) ? Int64.random(in: -5..<600, using: &random) : nil }
      let display = [nil, "A", "B", "C"].randomElement(using: &random) ?? nil
      let limit = Int.random(in: -1..<250, using: &random)
      let before = Bool.random(using: &random) ? all.randomElement(using: &random)?.id : nil
      let query = HistoryQuery(since: time(), until: time(), display: display, limit: limit, before: before)
      let expected = all.filter(query.matches).sorted { $0.id > $1.id }.prefix(max(limit, 0))
      #expect(try file.history(query) == Array(expected), "seed \(seed), \(query)")
    }
  }

  @Test func `an entry that ended exactly at the start of the query is excluded`() throws {
    let file = try ArchiveFile.open(folder.file)
    let (long, short, late) = (entry(1, ended: 9), entry(5, ended: 5), entry(6, ended: 7))
    try file.write([long, short, late].map { .began($0) })
    #expect(try file.history(HistoryQuery(since: 5, until: nil, display: nil, limit: 2)) == [late, long])
  }

  @Test func `an entry ends at the given time`() throws {
    let shown = entry(50)
    try ArchiveFile.open(folder.file).write([.began(shown), .ended(id: shown.id, at: 90)])
    let file = try ArchiveFile.open(folder.file)
    let found = try #require(try file.history().first)
    #expect(found.ended == 90 && found.isExact)
  }

  @Test func `entries left open by a crash end at the last time in the file, marked as estimated`() throws {
    let before = entry(10, ended: 30)
    let left = entry(20, on: "A")
    let document = ArchiveChange.put(kind: "k", key: "k", json: "")
    try ArchiveFile.open(folder.file).write([.began(before), .began(left), document], at: 44)
    let file = try ArchiveFile.open(folder.file)
    try file.endAbandoned()
    #expect(try file.history().map(\.ended) == [44, 30])
    #expect(try file.history().map(\.isExact) == [false, true])
    try file.write([.ended(id: left.id, at: 60)])
    #expect(try file.history().map(\.ended) == [60, 30], "a known end replaces the estimate")
    #expect(try file.history().map(\.isExact) == [true, true])
  }

  @Test func `a log that a power cut truncated has every transaction before the last`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let file = try ArchiveFile.open(folder.file)
    for number in 0..<20 { try file.write([.put(kind: "k", key: "\(number)", json: "\(number)")]) }
    let kept = try #require(bytes(of: folder.file + "-wal")).count
    try file.write([.put(kind: "k", key: "torn", json: String(repeating: "x", count: 20000))])
    let log = try #require(bytes(of: folder.file + "-wal"))
    let main = try #require(bytes(of: folder.file))
    try #require(log.count > kept)
    for _ in 0..<10 {
      var torn = Array(log.prefix(Int.random(in: kept..<log.count, using: &random)))
      for place in kept..<max(kept, torn.count) where Int.random(in: 0..<50, using: &random) == 0 {
        torn[place] = UInt8.random(in: .min ... .max, using: &random)
      }
      try write(main, to: "\(folder.path)/copy")
      try write(torn, to: "\(folder.path)/copy-wal")
      unsafe _ = unlink("\(folder.path)/copy-shm")
      let keys = try Set(ArchiveFile.open("\(folder.path)/copy").documents().map(\.key))
      #expect(keys == Set((0..<20).map { "\($0)" }), "seed \(seed)")
    }
  }
}
