import Control
import Director
import JSON
import Testing

/// The changes of a command, which are stored before it is answered.
struct PlugKeepingTests {
  @Test func `each command stores its changes before it is answered`() async throws {
    let harness = Harness()
    await harness.start()
    let director = harness.director
    var commands: [(String, () async throws -> Void)] = []
    func add(_ name: String, _ command: @escaping () async throws -> Void) { commands.append((name, command)) }
    let banner = OpenRequest(scene: ["kind": "banner", "text": "One"], display: "Virtual-2")
    add("plug") { try await harness.plug(800, 600, into: "Virtual-2") }
    add("open") { _ = try await director.open(banner) }
    add("scroll") { _ = try await director.scroll(1, .position(0.5)) }
    add("sleep") { _ = try await director.setAsleep(SleepRequest(asleep: true, display: "Virtual-2")) }
    // The session stays with its monitor, whose record has the port.
    add("unplug") { try await director.unplug("Virtual-2") }
    add("plug again") { try await harness.plug(800, 600, into: "Virtual-3") }
    add("wake") { _ = try await director.setAsleep(SleepRequest(asleep: false)) }
    add("move") { _ = try await director.move(1, to: "Virtual-3") }
    add("close") { try await director.close(1) }
    add("show") { _ = try await director.setMessage(MessageRequest(text: "All")) }
    add("remove") { _ = try await director.removeMessage(nil) }
    add("post") { _ = try await director.post(MessageRequest(text: "Two", acknowledge: true)) }
    add("acknowledge") { try await director.acknowledge(3) }
    add("post again") { _ = try await director.post(MessageRequest(text: "Three")) }
    add("withdraw") { try await director.withdraw(4) }
    for (name, command) in commands {
      try await command()
      #expect(harness.persistence.isSettled, "\(name)")
    }
    await director.close()
  }
}
