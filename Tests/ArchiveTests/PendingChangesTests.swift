import Testing

@testable import Archive

/// Pending changes are merged and limited.
struct PendingChangesTests {
  @Test func `a later change of a document replaces the earlier one`() {
    let pending = PendingChanges([
      .put(kind: "k", key: "a", json: "1"), .put(kind: "k", key: "a", json: "2"), .put(kind: "k", key: "b", json: "1"),
      .remove(kind: "k", key: "b"),
    ])
    #expect(pending.count == 2)
    let stored = [StoredDocument(kind: "k", key: "b", json: "0", changed: 0)]
    #expect(pending.applied(to: stored).map(\.json) == ["2"])
  }

  @Test func `pending entries, and ends of stored entries, are in the history`() {
    let stored = entry(1)
    let new = entry(2)
    let pending = PendingChanges([.began(new), .ended(id: new.id, at: 3), .ended(id: stored.id, at: 2)])
    let found = pending.applied(to: [stored], for: HistoryQuery(limit: 5))
    #expect(found.map(\.ended) == [3, 2])
    #expect(pending.applied(to: [stored], for: HistoryQuery(since: 2, limit: 5)).map(\.began) == [2])
    #expect(pending.applied(to: [stored], for: HistoryQuery(limit: 1)).map(\.began) == [2])
  }

  @Test func `the oldest entries are dropped above the limit`() {
    let pending = PendingChanges((0..<10_000).map { .began(entry($0)) })
    #expect(pending.count <= PendingChanges.most)
    #expect(pending.count + pending.dropped == 10_000)
    #expect(pending.entries.values.map(\.began).max() == 9999)
  }

  @Test func `documents above the limits of number or size are counted, not kept`() {
    var pending = PendingChanges((0..<5000).map { .put(kind: "k", key: "\($0)", json: "") })
    #expect(pending.count == PendingChanges.most && pending.dropped == 5000 - PendingChanges.most)
    let huge = String(decoding: [UInt8](repeating: 0x78, count: PendingChanges.mostBytes), as: UTF8.self)
    pending = PendingChanges([.put(kind: "k", key: "a", json: huge), .put(kind: "k", key: "b", json: "1")])
    #expect(pending.count == 1 && pending.dropped == 1)
    pending.add([.remove(kind: "k", key: "a"), .put(kind: "k", key: "b", json: "1")], at: 0)
    #expect(pending.count == 2 && pending.dropped == 1)
  }

  @Test func `IDs are in chronological order and unique`() {
    let ids = (0..<1000).map { HistoryEntry.firstID(at: $0) }
    #expect(ids == ids.sorted() && Set(ids).count == 1000)
    #expect(Set((0..<100).map { _ in entry(5).id }).count == 100)
    for time in [Int64.min, -1, .max] { #expect(entry(time).id >= 0) }
  }
}
