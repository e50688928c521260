import Testing

@testable import Uevents

@Suite struct SysfsSnapshotTests {
  @Test func `cards and connectors that differ are events`() {
    let old = SysfsSnapshot(cards: ["card0": ["card0-DP-1": [1]], "card1": [:], "card2": [:]])
    let new = SysfsSnapshot(cards: ["card0": ["card0-DP-1": [2]], "card2": [:], "card3": [:]])
    #expect(
      new.hints(since: old) == [
        .cardRemoved("/dev/dri/card1"), .connectors(card: "/dev/dri/card0", connector: nil, property: nil),
        .cardAdded("/dev/dri/card3"),
      ])
    #expect(new.hints(since: new).isEmpty)
  }

  @Test func `a missing directory has no cards`() {
    #expect(SysfsSnapshot(of: "/nowhere/at/all").cards.isEmpty)
  }
}
