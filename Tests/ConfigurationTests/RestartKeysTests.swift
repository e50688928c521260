import Access
import Configuration
import Displays
import Geometry
import Scenes
import Testing

struct RestartKeysTests {
  @Test func `Keys that are read only at the start are listed in the file's order`() {
    var new = Settings()
    #expect(Settings().restartKeys(for: new) == [])
    (new.socket, new.backend, new.isAtomicAllowed, new.storage) = ("/tmp/a", .kms, false, .memory)
    (new.historyDays, new.historyBytes, new.imagesBytes) = (1, 2 << 20, 1)
    let keys = ["socket", "backend", "atomic", "state", "history_days", "history_size", "images_size"]
    #expect(Settings().restartKeys(for: new) == keys)
    #expect(new.restartKeys(for: new) == [])
    #expect(Settings.restartReason(["socket"]).contains("socket; restart placardd"))
  }

  @Test func `Every setting is either applied by a reload or listed`() {
    let applied: Set<String> = [
      "policy", "style", "message", "rotation", "glyphCache", "roles", "monitors", "logLevel", "monitorDays", "edids",
      "sleepsOnHostSuspend", "controller", "folders", "hours", "distance",
    ]
    let named: Set<String> = [
      "socket", "backend", "isAtomicAllowed", "storage", "historyDays", "historyBytes", "imagesBytes",
    ]
    // Add a new setting here, or to `Settings.restartKeys(for:)` if it is read only at the start.
    #expect(Set(Mirror(reflecting: Settings()).children.compactMap(\.label)) == applied.union(named))
  }

  @Test func `A setting that a reload applies needs no restart`() throws {
    var new = Settings(policy: .native, message: "Hi", rotation: .half, glyphCache: 1, logLevel: .debug, monitorDays: 1)
    (new.edids, new.sleepsOnHostSuspend, new.style.safeArea) = ("/tmp", true, 0.1)
    new.controller.listen = ListenAddress(parsing: "127.0.0.1:8080")
    #expect(Settings().restartKeys(for: new) == [])
  }
}
