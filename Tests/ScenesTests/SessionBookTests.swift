import Scenes
import Testing

struct SessionBookTests {
  private func arrival(_ display: String, _ monitor: String) -> SessionBook.Arrival {
    SessionBook.Arrival(display: display, monitor: monitor, place: display)
  }

  private func book(_ arrivals: (String, String)...) -> SessionBook {
    var book = SessionBook(common: "Welcome")
    book.attach(arrivals.map { arrival($0.0, $0.1) })
    return book
  }

  @Test func `A display without a message of its own shows the one for all`() {
    var book = book(("HDMI-A-1", "A"), ("DP-1", "B"))
    book.setText("Lift out of order", for: "HDMI-A-1")
    #expect(book.text(for: "HDMI-A-1") == "Lift out of order")
    #expect(book.text(for: "DP-1") == "Welcome")
    book.setText(nil, for: "HDMI-A-1")
    #expect(book.text(for: "HDMI-A-1") == "Welcome")
  }

  @Test func `A new message for all ends the displays' own, also of monitors that are gone`() {
    var book = book(("HDMI-A-1", "A"), ("DP-1", "B"))
    book.setText("Closed", for: "HDMI-A-1")
    book.setText("Open", for: "DP-1")
    book.setText("Soon", for: "DP-2")
    book.detach("DP-1")
    book.setTextForAll("Fire drill")
    book.attach([arrival("DP-1", "B")])
    for display in ["HDMI-A-1", "DP-1", "DP-2"] { #expect(book.text(for: display) == "Fire drill") }
    book.setTextForAll(nil)
    #expect(book.text(for: "DP-1") == nil)
  }

  @Test func `An empty message of its own hides the one for all`() {
    var book = book(("DP-1", "A"))
    book.setText("", for: "DP-1")
    #expect(book.text(for: "DP-1") == "")
  }

  @Test func `A monitor brings its session along to another port, and the port keeps nothing of it`() {
    var book = book(("HDMI-A-1", "A"), ("DP-1", "B"))
    book.setText("Closed", for: "HDMI-A-1")
    let isThere = book.setAsleep(true, on: "DP-1")
    #expect(isThere)
    book.detach("HDMI-A-1")
    book.detach("DP-1")
    book.attach([arrival("DP-1", "A"), arrival("HDMI-A-1", "B")])
    #expect(book.text(for: "DP-1") == "Closed")
    #expect(book.text(for: "HDMI-A-1") == "Welcome")
    #expect(book.session(on: "HDMI-A-1")?.isAsleep == true)
    #expect(book.session(on: "DP-1")?.isAsleep == false)
  }

  @Test func `Another monitor on the port has a session of its own`() {
    var book = book(("DP-1", "A"))
    book.setText("Closed", for: "DP-1")
    book.attach([arrival("DP-1", "B")])
    #expect(book.text(for: "DP-1") == "Welcome")
    book.attach([arrival("DP-1", "A")])
    #expect(book.text(for: "DP-1") == "Closed")
  }

  @Test func `Twins keep to their ports, in whatever order they come`() {
    var book = book(("DP-1", "A"), ("DP-2", "A"))
    book.setText("One", for: "DP-1")
    book.setText("Two", for: "DP-2")
    book.detach("DP-1")
    book.detach("DP-2")
    var other = book
    book.attach([arrival("DP-1", "A")])
    book.attach([arrival("DP-2", "A")])
    #expect(book.text(for: "DP-1") == "One" && book.text(for: "DP-2") == "Two")
    // A stray twin is served after those that come home.
    other.attach([arrival("DP-0", "A"), arrival("DP-2", "A")])
    #expect(other.text(for: "DP-0") == "One" && other.text(for: "DP-2") == "Two")
  }

  @Test func `A message for a display without a monitor is that of the next one plugged in`() {
    var book = SessionBook(common: "Welcome")
    book.setText("Soon", for: "DP-1")
    #expect(book.text(for: "DP-1") == "Soon")
    let isThere = book.setAsleep(true, on: "DP-1")
    #expect(!isThere)
    book.attach([arrival("DP-1", "A")])
    book.detach("DP-1")
    book.attach([arrival("DP-2", "A")])
    #expect(book.text(for: "DP-2") == "Soon")
    #expect(book.text(for: "DP-1") == "Welcome")
  }

  @Test(arguments: (0..<40).map { _ in UInt64.random(in: 0...UInt64.max) })
  func `No session is lost or doubled, whatever happens`(seed: UInt64) throws {
    var chance = Chance(state: seed)
    var book = SessionBook(common: "Welcome")
    /// What must be known of each monitor that has no twin.
    var texts: [String: String] = [:]
    var sleepers: Set<String> = []
    let displays = (1...4).map { "DP-\($0)" }
    for step in 0..<300 {
      let display = displays[Int.random(in: 0..<4, using: &chance)]
      let current = book.session(on: display)?.monitor
      switch Int.random(in: 0..<6, using: &chance) {
      case 0, 1:
        let free = ["A", "B", "C", "D", "E"].filter { (monitor: String) in
          !displays.contains { book.session(on: $0)?.monitor == monitor }
        }
        guard let monitor = free.randomElement(using: &chance) else { continue }
        book.attach([arrival(display, monitor)])
      case 2: book.detach(display)
      case 3:
        guard let current else { continue }
        book.setText("\(step)", for: display)
        texts[current] = "\(step)"
      case 4:
        guard let current else { continue }
        let isAsleep = Bool.random(using: &chance)
        guard book.setAsleep(isAsleep, on: display) else { Issue.record("step \(step)"); continue }
        if isAsleep { sleepers.insert(current) } else { sleepers.remove(current) }
      default:
        guard Int.random(in: 0..<10, using: &chance) == 0 else { continue }
        book.setTextForAll("All")
        texts = [:]
      }
      let sessions = book.sessions
      #expect(Set(sessions.map(\.id)).count == sessions.count, "step \(step)")
      #expect(Set(sessions.map(\.monitor)).count == sessions.count, "step \(step)")
      for session in sessions {
        #expect(session.text == texts[session.monitor], "step \(step)")
        #expect(session.isAsleep == sleepers.contains(session.monitor), "step \(step)")
      }
      let kept = Set(sessions.map(\.monitor))
      #expect(kept.isSuperset(of: texts.keys) && kept.isSuperset(of: sleepers), "step \(step)")
    }
  }

  @Test func `Sessions of monitors long gone end, the oldest first`() {
    var book = SessionBook()
    for number in 0..<300 {
      book.attach([arrival("DP-1", "\(number)")])
      book.setText("text", for: "DP-1")
    }
    book.detach("DP-1")
    #expect(book.sessions.count == SessionBook.mostWaiting)
    #expect(book.sessions.first?.monitor == "299" && book.sessions.last?.monitor == "44")
  }
}

/// SplitMix64: the same numbers for the same seed.
private struct Chance: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
