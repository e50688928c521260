import Control
import ControlClient
import Glibc
import Testing

/// Several daemons that use the same resources, and changes to the state file of a running daemon.
struct SecondServiceTests {
  @Test func `a second service on the same state exits before it opens a display, and names the first`() async throws {
    let service = try KilledService()
    let pid = try await service.start()
    let socket = service.socket + "-2"
    let second = try await service.start(waits: false, ["--socket", socket, "--record", service.recording])
    #expect(try await service.ending(second) == 1)
    let words = "placardd: \(service.state): lock: another service (process \(pid)) stores its state there; stop that"
    #expect(try service.complaints().hasPrefix(words))
    #expect(unsafe access(service.recording, F_OK) != 0, "the service exited before it opened its recording")
    for path in [socket, socket + ".lock"] { #expect(unsafe access(path, F_OK) != 0) }
    #expect(try await PlacardClient(socket: service.socket).status().pid == pid)
    kill(pid, SIGKILL)
    try await service.bury(pid)
    let third = try await service.start()
    #expect(try await PlacardClient(socket: service.socket).status().problems.isEmpty, "a kill releases the lock")
    kill(third, SIGKILL)
    try await service.bury(third)
  }

  @Test func `a second service on the same socket exits before it opens a display, and names the first`() async throws {
    let service = try KilledService()
    let pid = try await service.start()
    let second = try await service.start(waits: false, ["--state", "none", "--record", service.recording])
    #expect(try await service.ending(second) == 1)
    let words = "placardd: Another placardd (process \(pid)) uses \(service.socket): stop it"
    #expect(try service.complaints().hasPrefix(words))
    #expect(unsafe access(service.recording, F_OK) != 0, "the service exited before it opened its recording")
    kill(pid, SIGKILL)
    try await service.bury(pid)
  }

  @Test(arguments: [false, true])
  func `a state file that is removed or replaced is written again completely, and health reports it`(
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

  @Test func `a health request alone notices that the state file is gone`() async throws {
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

  @Test func `a file that is not a recording prevents the start, and is unchanged`() async throws {
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
