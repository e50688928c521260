import Control
import ControlClient
import Glibc
import Testing

/// Real services that get in each other's way, and hands that get at the state of one.
struct SecondServiceTests {
  @Test func `A second service on the same state ends before it touches a display, and names the first`() async throws {
    let service = try KilledService()
    let pid = try await service.start()
    let socket = service.socket + "-2"
    let second = try await service.start(waits: false, ["--socket", socket, "--record", service.recording])
    #expect(try await service.ending(second) == 1)
    let words = "placardd: \(service.state): lock: another service (process \(pid)) keeps its state there; stop that"
    #expect(try service.complaints().hasPrefix(words))
    #expect(unsafe access(service.recording, F_OK) != 0, "it does not come as far as its recording")
    for path in [socket, socket + ".lock"] { #expect(unsafe access(path, F_OK) != 0) }
    #expect(try await PlacardClient(socket: service.socket).status().pid == pid)
    kill(pid, SIGKILL)
    try await service.bury(pid)
    let third = try await service.start()
    #expect(try await PlacardClient(socket: service.socket).status().problems.isEmpty, "a kill releases the lock")
    kill(third, SIGKILL)
    try await service.bury(third)
  }

  @Test func `A second service on the same socket ends before it touches a display, and names the first`() async throws
  {
    let service = try KilledService()
    let pid = try await service.start()
    let second = try await service.start(waits: false, ["--state", "none", "--record", service.recording])
    #expect(try await service.ending(second) == 1)
    let words = "placardd: Another placardd (process \(pid)) uses \(service.socket): stop it"
    #expect(try service.complaints().hasPrefix(words))
    #expect(unsafe access(service.recording, F_OK) != 0, "it does not come as far as its recording")
    kill(pid, SIGKILL)
    try await service.bury(pid)
  }

  @Test(arguments: [false, true])
  func `A state file that is removed or replaced is stored again with all before, and health says so`(
    isReplaced: Bool
  ) async throws {
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    let pid = try await service.start()
    _ = try await client.post(MessageRequest(text: "before"))
    _ = try await client.setMessage(MessageRequest(text: "shown", display: "Virtual-1"))
    for suffix in ["", "-wal", "-shm"] { unsafe _ = unlink(service.state + suffix) }
    if isReplaced { close(unsafe open(service.state, O_WRONLY | O_CREAT, 0o600)) }
    _ = try await client.post(MessageRequest(text: "after"))
    let health = try await client.health()
    #expect(health.state == .degraded)
    let word = isReplaced ? "was replaced while the service ran" : "was removed while the service ran"
    #expect(health.reasons.contains { $0.hasPrefix("\(service.state): the file \(word)") }, "\(health.reasons)")
    kill(pid, SIGKILL)
    try await service.bury(pid)
    let next = try await service.start()
    #expect(Set(try await client.messages().compactMap(\.text)) == ["before", "after", "shown"])
    #expect(try await client.health().state == .ok)
    kill(next, SIGKILL)
    try await service.bury(next)
  }

  @Test func `Health alone notices that the state file is gone`() async throws {
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    let pid = try await service.start()
    _ = try await client.post(MessageRequest(text: "before"))
    for suffix in ["", "-wal", "-shm"] { unsafe _ = unlink(service.state + suffix) }
    #expect(try await client.health().reasons.count == 1)
    kill(pid, SIGKILL)
    try await service.bury(pid)
    let next = try await service.start()
    #expect(try await client.messages().compactMap(\.text) == ["before"])
    kill(next, SIGKILL)
    try await service.bury(next)
  }

  @Test func `A file that is no recording keeps the service from starting, and stays as it was`() async throws {
    let service = try KilledService()
    let file = unsafe open(service.recording, O_WRONLY | O_CREAT, 0o600)
    #expect(unsafe write(file, "settings\n", 9) == 9)
    close(file)
    let pid = try await service.start(waits: false, ["--record", service.recording])
    #expect(try await service.ending(pid) == 1)
    #expect(try service.complaints().contains("\(service.recording): cannot be recorded to: it is not empty"))
    var status = stat()
    #expect(unsafe stat(service.recording, &status) == 0 && status.st_size == 9)
  }
}
