import Scenes
import Testing

struct MessageStoreTests {
  @Test func `A display without a message of its own shows the one for all`() {
    var store = MessageStore(common: "Welcome")
    store.set("Lift out of order", for: "HDMI-A-1")
    #expect(store.text(for: "HDMI-A-1") == "Lift out of order")
    #expect(store.text(for: "DP-1") == "Welcome")
  }

  @Test func `A display whose own message is taken away falls back to the one for all`() {
    var store = MessageStore(common: "Welcome")
    store.set("Closed", for: "DP-1")
    store.set(nil, for: "DP-1")
    #expect(store.text(for: "DP-1") == "Welcome")
    #expect(store == MessageStore(common: "Welcome"))
  }

  @Test func `A new message for all ends the displays' own`() {
    var store = MessageStore()
    store.set("Closed", for: "DP-1")
    store.setForAll("Fire drill")
    #expect(store.text(for: "DP-1") == "Fire drill")
    #expect(store.own.isEmpty)
  }

  @Test func `An empty message of its own hides the one for all`() {
    var store = MessageStore(common: "Welcome")
    store.set("", for: "DP-1")
    #expect(store.text(for: "DP-1") == "")
  }

  @Test func `Without any message there is none to show`() {
    var store = MessageStore(common: "Welcome")
    store.setForAll(nil)
    #expect(store.text(for: "DP-1") == nil)
  }
}
