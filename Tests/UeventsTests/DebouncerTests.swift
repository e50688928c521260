import Testing
import Uevents

@Suite struct DebouncerTests {
  private let card = HotplugEvent.connectors(card: "/dev/dri/card0", connector: nil, property: nil)

  private func connector(_ id: UInt32?, property: UInt32? = nil) -> HotplugEvent {
    .connectors(card: "/dev/dri/card0", connector: id, property: property)
  }

  private func debouncer() -> Debouncer { Debouncer(quiet: 50, longest: 500) }

  @Test func `the first event passes at once and leaves nothing pending`() {
    var debouncer = debouncer()
    #expect(debouncer.receive(card, at: 1000) == [card])
    #expect(debouncer.deadline == nil)
    #expect(debouncer.receive(card, at: 1050) == [card])
  }

  @Test func `events in quick succession are merged and delivered after a pause`() {
    var debouncer = debouncer()
    _ = debouncer.receive(connector(1), at: 1000)
    #expect(debouncer.receive(connector(1), at: 1010) == [])
    #expect(debouncer.receive(connector(2), at: 1020) == [])
    #expect(debouncer.deadline == 1070)
    #expect(debouncer.release(at: 1069) == [])
    #expect(debouncer.release(at: 1070) == [card])
    #expect(debouncer.deadline == nil)
    #expect(debouncer.receive(card, at: 1080) == [])
    #expect(debouncer.deadline == 1130)
  }

  @Test func `a continuous burst is delivered every half second`() {
    var debouncer = debouncer()
    var passed: [UInt64] = []
    for time in stride(from: UInt64(0), to: 5000, by: 10) {
      if !debouncer.receive(card, at: time).isEmpty { passed.append(time) }
      if !debouncer.release(at: time).isEmpty { passed.append(time) }
    }
    #expect(passed == [0, 510, 1020, 1530, 2040, 2550, 3060, 3570, 4080, 4590])
  }

  @Test func `merging a property change and a hotplug keeps only their common fields`() {
    var debouncer = debouncer()
    _ = debouncer.receive(card, at: 0)
    _ = debouncer.receive(connector(1, property: 7), at: 1)
    _ = debouncer.receive(connector(1, property: 7), at: 2)
    #expect(debouncer.release(at: 100) == [connector(1, property: 7)])
    _ = debouncer.receive(connector(1, property: 7), at: 101)
    _ = debouncer.receive(connector(1), at: 102)
    #expect(debouncer.release(at: 200) == [connector(1)])
  }

  @Test func `added and removed cards keep their order`() {
    var debouncer = debouncer()
    let (added, removed) = (HotplugEvent.cardAdded("/dev/dri/card0"), HotplugEvent.cardRemoved("/dev/dri/card0"))
    let other = HotplugEvent.cardAdded("/dev/dri/card1")
    _ = debouncer.receive(card, at: 0)
    for hint in [card, removed, other, added, card] { _ = debouncer.receive(hint, at: 1) }
    #expect(debouncer.release(at: 100) == [removed, other, added])
  }

  @Test func `an overflow replaces all other events`() {
    var debouncer = debouncer()
    _ = debouncer.receive(card, at: 0)
    for hint in [card, .overflow, .cardRemoved("/dev/dri/card0"), card] { _ = debouncer.receive(hint, at: 1) }
    #expect(debouncer.release(at: 100) == [.overflow])
  }
}
