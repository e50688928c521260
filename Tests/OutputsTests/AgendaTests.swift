import SeededRandom
import Testing

@testable import Outputs

/// The list of what changes by itself, and the timer that serves it.
struct AgendaTests {
  @Test func `an empty agenda has no next time`() {
    var agenda = Agenda()
    #expect(agenda.next == nil && agenda.items(dueAt: .max).isEmpty)
    agenda.add(.scenes, at: nil)
    #expect(agenda == Agenda())
  }

  @Test func `items are due in the order of their times`() {
    var agenda = Agenda()
    agenda.add(.animation(display: "HDMI-A-1"), at: 30)
    agenda.add(.card(path: "/dev/dri/card0"), at: 10)
    agenda.add(.scenes, at: 20)
    #expect(agenda.next == 10)
    #expect(agenda.items(dueAt: 9).isEmpty)
    #expect(agenda.items(dueAt: 20) == [.card(path: "/dev/dri/card0"), .scenes])
    #expect(agenda.items(dueAt: 30).count == 3)
  }

  @Test func `the timer is set again only for an earlier time`() {
    var timer = AgendaTimer()
    #expect(!timer.include(nil) && timer.due == nil)
    let answers = [50, 60, 50, 40].map { timer.include($0) }
    #expect(answers == [true, false, false, true] && timer.due == 40)
    timer.fired()
    #expect(timer.include(60) && timer.due == 60)
  }

  /// However items come, move and go, each is served at its time, and the timer fires at most once for each time that it
  /// was set to.
  @Test func `no item is served early, late or never`() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var (timer, items, served, now, fired, sets) = (AgendaTimer(), [Int: UInt64](), 0, UInt64(0), 0, 0)
      for step in 0..<100 {
        if Bool.random(using: &random) {
          let due = now + .random(in: 1...50, using: &random)
          items[step] = due
          if timer.include(due) { sets += 1 }
        } else if let key = items.keys.sorted().randomElement(using: &random) {
          // Postponed or withdrawn, without a word to the timer.
          items[key] = Bool.random(using: &random) ? items[key].map { $0 + 20 } : nil
        }
        now += .random(in: 0...10, using: &random)
        while let due = timer.due, due <= now {
          fired += 1
          timer.fired()
          var agenda = Agenda()
          for (key, due) in items { agenda.add(.waiterLimit(key), at: due) }
          for case .waiterLimit(let key) in agenda.items(dueAt: due) {
            #expect(items.removeValue(forKey: key) == due, "seed \(seed)")
            served += 1
          }
          if timer.include(items.values.min()) { sets += 1 }
        }
        #expect(items.values.allSatisfy { $0 > now }, "seed \(seed)")
      }
      #expect(fired <= sets && served > 0, "seed \(seed)")
    }
  }
}
