import Scenes
import Testing

struct StoreTests {
  private let welcome = Scene.banner("Welcome")

  private func text(_ store: SessionModel, _ display: String) -> String {
    if case .banner(let text) = store.shown(on: display, otherwise: welcome).scene.content { text } else { "no banner" }
  }

  private func arrival(_ display: String, _ monitor: String, role: String = "external") -> Arrival {
    Arrival(display: display, monitor: monitor, place: display, role: role, tags: ["of \(monitor)"])
  }

  private func store(_ arrivals: (String, String)...) -> SessionModel {
    var store = SessionModel()
    store.attach(arrivals.map { arrival($0.0, $0.1) }, at: 0)
    return store
  }

  // MARK: Monitor profiles

  @Test func `A display without a session shows its role's scene`() throws {
    var store = store(("HDMI-A-1", "A"), ("DP-1", "B"))
    let session = store.open(.banner("Lift out of order"), on: "HDMI-A-1", at: 1)
    #expect(text(store, "HDMI-A-1") == "Lift out of order" && text(store, "DP-1") == "Welcome")
    try store.close(session.id)
    #expect(text(store, "HDMI-A-1") == "Welcome")
    #expect(store.shown(on: "DP-1", otherwise: welcome).source == .fallback)
  }

  @Test func `A monitor takes its session to another port, and the old port keeps none of it`() {
    var store = store(("HDMI-A-1", "A"), ("DP-1", "B"))
    store.open(.banner("Closed"), on: "HDMI-A-1", at: 1)
    store.setAsleep(true, on: "DP-1")
    store.detach("HDMI-A-1", at: 2)
    store.detach("DP-1", at: 2)
    store.attach([arrival("DP-1", "A"), arrival("HDMI-A-1", "B")], at: 3)
    #expect(text(store, "DP-1") == "Closed" && text(store, "HDMI-A-1") == "Welcome")
    #expect(store.profile(on: "HDMI-A-1")?.isAsleep == true && store.profile(on: "DP-1")?.isAsleep == false)
  }

  @Test func `Another monitor on the same port has its own profile`() {
    var store = store(("DP-1", "A"))
    store.open(.banner("Closed"), on: "DP-1", at: 1)
    store.attach([arrival("DP-1", "B")], at: 2)
    #expect(text(store, "DP-1") == "Welcome")
    store.attach([arrival("DP-1", "A")], at: 3)
    #expect(text(store, "DP-1") == "Closed")
    #expect(store.profiles.map(\.monitor) == ["A"])
  }

  @Test func `Twins stay on their ports regardless of plug order`() {
    var store = store(("DP-1", "A"), ("DP-2", "A"))
    store.open(.banner("One"), on: "DP-1", at: 1)
    store.open(.banner("Two"), on: "DP-2", at: 2)
    store.detach("DP-1", at: 3)
    store.detach("DP-2", at: 4)
    var other = store
    store.attach([arrival("DP-1", "A")], at: 5)
    store.attach([arrival("DP-2", "A")], at: 6)
    #expect(text(store, "DP-1") == "One" && text(store, "DP-2") == "Two")
    // A twin on a new port is assigned after the twins on their own ports.
    other.attach([arrival("DP-0", "A"), arrival("DP-2", "A")], at: 5)
    #expect(text(other, "DP-0") == "One" && text(other, "DP-2") == "Two")
  }

  @Test func `A twin on a new port takes the most recently released profile`() {
    var store = store(("DP-1", "A"), ("DP-2", "A"))
    store.open(.banner("One"), on: "DP-1", at: 1)
    store.open(.banner("Two"), on: "DP-2", at: 2)
    store.detach("DP-2", at: 3)
    store.detach("DP-1", at: 4)
    store.attach([arrival("DP-3", "A")], at: 5)
    #expect(text(store, "DP-3") == "One")
  }

  @Test func `The first of two monitors on one display counts`() {
    let store = store(("DP-1", "A"), ("DP-1", "B"))
    #expect(store.profiles.map(\.monitor) == ["A"])
  }

  @Test func `A monitor's configured role and tags apply when it is attached, and can change later`() {
    var store = store(("DP-1", "A"))
    #expect(store.profile(on: "DP-1")?.tags == ["of A"])
    store.setTags(["lobby"], role: "internal", on: "DP-1")
    #expect(store.profile(on: "DP-1")?.tags == ["lobby"] && store.profile(on: "DP-1")?.role == "internal")
  }

  @Test func `A display without a monitor cannot sleep`() {
    var store = store(("DP-1", "A"))
    let isThere = store.setAsleep(true, on: "DP-2")
    #expect(!isThere && store.profiles.count == 1)
  }

  @Test func `Long-absent monitors are forgotten, but never one in use or with a waiting session`() {
    var store = store(("DP-1", "lit"))
    store.open(.banner("here"), on: "DP-1", at: 0)
    for number in 0..<10 {
      store.attach([arrival("DP-2", "\(number)")], at: 1)
      store.open(.banner("text"), on: "DP-2", at: 1)
      store.detach("DP-2", at: Int64(number))
    }
    store.open(.banner("for a display that never comes"), on: "DP-9", at: 0)
    let ended = store.prune(at: 1006, keeping: .init(milliseconds: 1000, profiles: 2))
    #expect(store.profiles.map(\.monitor) == ["lit", "9", "8", "7", "6"])
    #expect(ended.count == 6 && store.reservations.count == 1)
    store.prune(at: 1 << 40)
    #expect(store.profiles.map(\.monitor) == ["lit"] && store.reservations.count == 1)
  }

  // MARK: Sessions

  @Test func `Opening an open scene raises its session and keeps the place of an equal scene`() throws {
    var store = store(("DP-1", "A"), ("DP-2", "B"))
    let lift = store.open(.banner("Lift"), tag: "lift", on: "DP-1", at: 1)
    try store.scroll(lift.id, to: .share(0.5))
    let again = store.open(.banner("Lift"), tag: "lift", at: 2)
    #expect(again.id == lift.id && again.place == .share(0.5) && again.raised == 2 && again.opened == 1)
    let other = store.open(.banner("Stairs"), tag: "lift", on: "DP-1", at: 3)
    #expect(other.id == lift.id && other.place == .start && text(store, "DP-1") == "Stairs")
    // Without a tag, the scene is compared, but only with sessions that have no tag.
    #expect(store.open(.banner("Stairs"), at: 4).id != lift.id)
    #expect(store.session(on: "DP-2").map { store.open(.banner("Stairs"), at: 5).id == $0.id } == true)
  }

  @Test func `Sessions with the same tag on different requested displays stay separate`() {
    var store = store(("DP-1", "A"), ("DP-2", "B"))
    let one = store.open(.banner("One"), tag: "t", on: "DP-1", at: 1)
    let two = store.open(.banner("Two"), tag: "t", on: "DP-2", at: 2)
    #expect(one.id != two.id)
    // Without a display, the most recently raised session is meant.
    #expect(store.open(.banner("Two"), tag: "t", at: 3).id == two.id)
    store.detach("DP-2", at: 4)
    #expect(store.open(.banner("Two"), tag: "t", at: 5).id == one.id)
  }

  @Test func `A scene without a display goes to a free external, any external, then any display`() {
    var store = SessionModel()
    store.attach([arrival("DSI-1", "I", role: "internal")], at: 0)
    #expect(store.open(.banner("1"), at: 1) == store.session(on: "DSI-1"))
    store.attach([arrival("HDMI-A-2", "A"), arrival("HDMI-A-1", "B")], at: 1)
    #expect(store.open(.banner("2"), at: 2) == store.session(on: "HDMI-A-1"))
    #expect(store.open(.banner("3"), at: 3) == store.session(on: "HDMI-A-2"))
    #expect(store.open(.banner("4"), at: 4) == store.session(on: "HDMI-A-1"))
    #expect(store.sessions.count == 3)
  }

  @Test func `A scene for a display without a monitor goes to the next monitor plugged in`() {
    var store = SessionModel()
    store.open(.banner("Soon"), on: "DP-1", at: 1)
    #expect(text(store, "DP-1") == "Soon")
    store.open(.banner("Sooner"), on: "DP-1", at: 2)
    store.attach([arrival("DP-1", "A")], at: 3)
    store.detach("DP-1", at: 4)
    store.attach([arrival("DP-2", "A")], at: 5)
    #expect(text(store, "DP-2") == "Sooner" && text(store, "DP-1") == "Welcome")
    #expect(store.sessions.count == 1 && store.reservations.isEmpty)
  }

  @Test func `Scenes opened before any monitor exists are assigned to monitors in order`() {
    var store = SessionModel()
    store.open(.banner("1"), at: 1)
    store.open(.banner("2"), at: 2)
    store.attach([arrival("DP-1", "A"), arrival("DP-2", "B")], at: 3)
    #expect(text(store, "DP-1") == "1" && text(store, "DP-2") == "2")
  }

  @Test func `A moved session frees its display and closes the session on the target`() throws {
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
    #expect(store.profiles.isEmpty && store.sessions.isEmpty)
  }

  @Test func `An unknown session or message is rejected with the next step`() {
    var store = SessionModel()
    func reason(_ act: (inout SessionModel) throws(SessionModelError) -> Void) -> String {
      do throws(SessionModelError) { try act(&store) } catch { return "\(error)" }
      return "nothing was thrown"
    }
    #expect(
      reason { store throws(SessionModelError) in try store.close(17) }
        == "there is no session 17; `placard sessions` lists them")
    #expect(
      reason { store throws(SessionModelError) in try store.withdraw(3) }
        == "there is no message 3; `placard messages` lists them")
    #expect(
      reason { store throws(SessionModelError) in try store.post(welcome, priority: 101, at: 0) }
        == "priority 101 is out of range: it must be from -100 to 100")
    #expect(
      reason { store throws(SessionModelError) in try store.post(welcome, expires: 5, at: 7) }
        == "the message would end 2 ms in the past; give it a later time")
  }

  @Test(arguments: [(-1.0, 0.0), (2, 1), (.nan, 0), (.infinity, 1), (0.25, 0.25)])
  func `A scroll share outside the text is clamped to its beginning or end`(_ share: Double, _ expected: Double) throws
  {
    var store = SessionModel()
    let session = store.open(welcome, at: 0)
    #expect(try store.scroll(session.id, to: .share(share)).place == .share(expected))
  }
}
