import Scenes
import Testing

struct StoreTests {
  private let welcome = Scene.banner("Welcome")

  private func text(_ store: Store, _ display: String) -> String {
    if case .banner(let text) = store.shown(on: display, otherwise: welcome).scene.content { text } else { "no banner" }
  }

  private func arrival(_ display: String, _ monitor: String, role: String = "external") -> Arrival {
    Arrival(display: display, monitor: monitor, place: display, role: role, tags: ["of \(monitor)"])
  }

  private func store(_ arrivals: (String, String)...) -> Store {
    var store = Store()
    store.attach(arrivals.map { arrival($0.0, $0.1) }, at: 0)
    return store
  }

  // MARK: Seats

  @Test func `A display without a session shows its role's scene`() throws {
    var store = store(("HDMI-A-1", "A"), ("DP-1", "B"))
    let session = store.open(.banner("Lift out of order"), on: "HDMI-A-1", at: 1)
    #expect(text(store, "HDMI-A-1") == "Lift out of order" && text(store, "DP-1") == "Welcome")
    try store.close(session.id)
    #expect(text(store, "HDMI-A-1") == "Welcome")
    #expect(store.shown(on: "DP-1", otherwise: welcome).source == .fallback)
  }

  @Test func `A monitor brings its session along to another port, and the port keeps nothing of it`() {
    var store = store(("HDMI-A-1", "A"), ("DP-1", "B"))
    store.open(.banner("Closed"), on: "HDMI-A-1", at: 1)
    store.setAsleep(true, on: "DP-1")
    store.detach("HDMI-A-1", at: 2)
    store.detach("DP-1", at: 2)
    store.attach([arrival("DP-1", "A"), arrival("HDMI-A-1", "B")], at: 3)
    #expect(text(store, "DP-1") == "Closed" && text(store, "HDMI-A-1") == "Welcome")
    #expect(store.seat(on: "HDMI-A-1")?.isAsleep == true && store.seat(on: "DP-1")?.isAsleep == false)
  }

  @Test func `Another monitor on the port has a seat of its own`() {
    var store = store(("DP-1", "A"))
    store.open(.banner("Closed"), on: "DP-1", at: 1)
    store.attach([arrival("DP-1", "B")], at: 2)
    #expect(text(store, "DP-1") == "Welcome")
    store.attach([arrival("DP-1", "A")], at: 3)
    #expect(text(store, "DP-1") == "Closed")
    #expect(store.seats.map(\.monitor) == ["A"])
  }

  @Test func `Twins keep to their ports, in whatever order they come`() {
    var store = store(("DP-1", "A"), ("DP-2", "A"))
    store.open(.banner("One"), on: "DP-1", at: 1)
    store.open(.banner("Two"), on: "DP-2", at: 2)
    store.detach("DP-1", at: 3)
    store.detach("DP-2", at: 4)
    var other = store
    store.attach([arrival("DP-1", "A")], at: 5)
    store.attach([arrival("DP-2", "A")], at: 6)
    #expect(text(store, "DP-1") == "One" && text(store, "DP-2") == "Two")
    // A stray twin is served after those that come home.
    other.attach([arrival("DP-0", "A"), arrival("DP-2", "A")], at: 5)
    #expect(text(other, "DP-0") == "One" && text(other, "DP-2") == "Two")
  }

  @Test func `A stray twin takes the seat that was let go of last`() {
    var store = store(("DP-1", "A"), ("DP-2", "A"))
    store.open(.banner("One"), on: "DP-1", at: 1)
    store.open(.banner("Two"), on: "DP-2", at: 2)
    store.detach("DP-2", at: 3)
    store.detach("DP-1", at: 4)
    store.attach([arrival("DP-3", "A")], at: 5)
    #expect(text(store, "DP-3") == "One")
  }

  @Test func `Of two monitors on one display the first counts`() {
    let store = store(("DP-1", "A"), ("DP-1", "B"))
    #expect(store.seats.map(\.monitor) == ["A"])
  }

  @Test func `What settings say of a monitor comes with it, or while it is there`() {
    var store = store(("DP-1", "A"))
    #expect(store.seat(on: "DP-1")?.tags == ["of A"])
    store.setTags(["lobby"], role: "internal", on: "DP-1")
    #expect(store.seat(on: "DP-1")?.tags == ["lobby"] && store.seat(on: "DP-1")?.role == "internal")
  }

  @Test func `Nothing sleeps where nothing is plugged in`() {
    var store = store(("DP-1", "A"))
    let isThere = store.setAsleep(true, on: "DP-2")
    #expect(!isThere && store.seats.count == 1)
  }

  @Test func `Monitors long gone are forgotten by time, and never what is on a display or waits for one`() {
    var store = store(("DP-1", "lit"))
    store.open(.banner("here"), on: "DP-1", at: 0)
    for number in 0..<10 {
      store.attach([arrival("DP-2", "\(number)")], at: 1)
      store.open(.banner("text"), on: "DP-2", at: 1)
      store.detach("DP-2", at: Int64(number))
    }
    store.open(.banner("for nobody"), on: "DP-9", at: 0)
    let ended = store.prune(at: 1006, keeping: .init(milliseconds: 1000, seats: 2))
    #expect(store.seats.map(\.monitor) == ["lit", "9", "8", "7", "6"])
    #expect(ended.count == 6 && store.reservations.count == 1)
    store.prune(at: 1 << 40)
    #expect(store.seats.map(\.monitor) == ["lit"] && store.reservations.count == 1)
  }

  // MARK: Sessions

  @Test func `What is open already is brought forward, where it was scrolled to if its scene is the same`() throws {
    var store = store(("DP-1", "A"), ("DP-2", "B"))
    let lift = store.open(.banner("Lift"), tag: "lift", on: "DP-1", at: 1)
    try store.scroll(lift.id, to: .share(0.5))
    let again = store.open(.banner("Lift"), tag: "lift", at: 2)
    #expect(again.id == lift.id && again.place == .share(0.5) && again.raised == 2 && again.opened == 1)
    let other = store.open(.banner("Stairs"), tag: "lift", on: "DP-1", at: 3)
    #expect(other.id == lift.id && other.place == .start && text(store, "DP-1") == "Stairs")
    // Without a tag the scene counts, but only among sessions without one.
    #expect(store.open(.banner("Stairs"), at: 4).id != lift.id)
    #expect(store.session(on: "DP-2").map { store.open(.banner("Stairs"), at: 5).id == $0.id } == true)
  }

  @Test func `A session with a tag stays apart from one of the same tag on another display that is asked for`() {
    var store = store(("DP-1", "A"), ("DP-2", "B"))
    let one = store.open(.banner("One"), tag: "t", on: "DP-1", at: 1)
    let two = store.open(.banner("Two"), tag: "t", on: "DP-2", at: 2)
    #expect(one.id != two.id)
    // Without a display the one is meant that was raised last.
    #expect(store.open(.banner("Two"), tag: "t", at: 3).id == two.id)
    store.detach("DP-2", at: 4)
    #expect(store.open(.banner("Two"), tag: "t", at: 5).id == one.id)
  }

  @Test func `A scene without a display goes to the first free external one, then the first external, then the first`()
  {
    var store = Store()
    store.attach([arrival("DSI-1", "I", role: "internal")], at: 0)
    #expect(store.open(.banner("1"), at: 1) == store.session(on: "DSI-1"))
    store.attach([arrival("HDMI-A-2", "A"), arrival("HDMI-A-1", "B")], at: 1)
    #expect(store.open(.banner("2"), at: 2) == store.session(on: "HDMI-A-1"))
    #expect(store.open(.banner("3"), at: 3) == store.session(on: "HDMI-A-2"))
    #expect(store.open(.banner("4"), at: 4) == store.session(on: "HDMI-A-1"))
    #expect(store.sessions.count == 3)
  }

  @Test func `A scene for a display without a monitor is that of the next one plugged in`() {
    var store = Store()
    store.open(.banner("Soon"), on: "DP-1", at: 1)
    #expect(text(store, "DP-1") == "Soon")
    store.open(.banner("Sooner"), on: "DP-1", at: 2)
    store.attach([arrival("DP-1", "A")], at: 3)
    store.detach("DP-1", at: 4)
    store.attach([arrival("DP-2", "A")], at: 5)
    #expect(text(store, "DP-2") == "Sooner" && text(store, "DP-1") == "Welcome")
    #expect(store.sessions.count == 1 && store.reservations.isEmpty)
  }

  @Test func `Scenes opened before there are monitors each get one, in their order`() {
    var store = Store()
    store.open(.banner("1"), at: 1)
    store.open(.banner("2"), at: 2)
    store.attach([arrival("DP-1", "A"), arrival("DP-2", "B")], at: 3)
    #expect(text(store, "DP-1") == "1" && text(store, "DP-2") == "2")
  }

  @Test func `A session that is moved leaves its display to the fallback and ends the one that was there`() throws {
    var store = store(("DP-1", "A"), ("DP-2", "B"))
    let one = store.open(.banner("One"), on: "DP-1", at: 1)
    let two = store.open(.banner("Two"), on: "DP-2", at: 2)
    try store.move(one.id, to: "DP-2", at: 3)
    #expect(text(store, "DP-2") == "One" && text(store, "DP-1") == "Welcome" && store.session(two.id) == nil)
    try store.move(one.id, to: "DP-2", at: 4)
    #expect(store.session(on: "DP-2")?.raised == 4)
    try store.move(one.id, to: "DP-3", at: 5)
    #expect(store.session(on: "DP-3")?.id == one.id && store.reservations.count == 1)
  }

  @Test func `A session whose monitor is unplugged can be moved and closed`() throws {
    var store = store(("DP-1", "A"), ("DP-2", "B"))
    let one = store.open(.banner("One"), on: "DP-1", at: 1)
    let two = store.open(.banner("Two"), on: "DP-2", at: 1)
    store.detach("DP-1", at: 2)
    try store.move(one.id, to: "DP-2", at: 3)
    #expect(text(store, "DP-2") == "One" && store.session(two.id) == nil)
    store.detach("DP-2", at: 4)
    try store.close(one.id)
    #expect(store.seats.isEmpty && store.sessions.isEmpty)
  }

  @Test func `What is not there is refused with what to do next`() {
    var store = Store()
    func reason(_ act: (inout Store) throws(StoreError) -> Void) -> String {
      do throws(StoreError) { try act(&store) } catch { return "\(error)" }
      return "nothing was thrown"
    }
    #expect(
      reason { store throws(StoreError) in try store.close(17) }
        == "there is no session 17; `placard sessions` lists them")
    #expect(
      reason { store throws(StoreError) in try store.withdraw(3) }
        == "there is no message 3; `placard messages` lists them")
    #expect(
      reason { store throws(StoreError) in try store.post(welcome, priority: 101, at: 0) }
        == "101 is no priority: they go from -100 to 100")
    #expect(
      reason { store throws(StoreError) in try store.post(welcome, expires: 5, at: 7) }
        == "the message would end 2 ms before now, and nobody would see it; give it a later time")
  }

  @Test(arguments: [(-1.0, 0.0), (2, 1), (.nan, 0), (.infinity, 1), (0.25, 0.25)])
  func `A share beyond a text is its beginning or its end`(_ share: Double, _ expected: Double) throws {
    var store = Store()
    let session = store.open(welcome, at: 0)
    #expect(try store.scroll(session.id, to: .share(share)).place == .share(expected))
  }
}
