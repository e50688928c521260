import Archive
import Control
import ControlClient
import Director
import Glibc
import Testing

@testable import Service

/// Losses of a real daemon are reasons in its health until they are acknowledged.
struct LossReportTests {
  @Test func `a damaged database is a reason across restarts, until it is acknowledged`() async throws {
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    var pid = try await service.start()
    _ = try await client.post(MessageRequest(text: "before"))
    kill(pid, SIGKILL)
    try await service.bury(pid)
    try service.damageState()
    let words = "\(service.state): the database was damaged ("
    for _ in 1...2 {
      pid = try await service.start()
      // Once this is answered, the state is loaded and all earlier changes are on disk.
      _ = try await client.post(MessageRequest(text: "after"))
      let health = try await client.health()
      #expect(health.state == .degraded && health.losses.count == 1)
      #expect(health.reasons.first?.hasPrefix(words) == true, "\(health.reasons)")
      #expect(health.reasons.first?.contains("\(service.state).damaged-1") == true)
      kill(pid, SIGKILL)
      try await service.bury(pid)
    }
    pid = try await service.start()
    #expect(try await client.status().problems.first?.hasPrefix(words) == true)
    #expect(try await client.acknowledgeLosses().count == 1)
    #expect(try await client.health().state == .ok)
    kill(pid, SIGKILL)
    try await service.bury(pid)
    pid = try await service.start()
    #expect(try await client.health().state == .ok)
    kill(pid, SIGKILL)
    try await service.bury(pid)
  }

  @Test func `a refused reload is a reason until a reload or a start with the same file succeeds`() async throws {
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    try service.configure("message = 'one'\n")
    var pid = try await service.start(["--config", service.configuration])
    try service.configure("message = \n")
    try await service.reload(pid)
    let reason = try #require(try await client.health().reasons.first)
    #expect(reason.hasPrefix("the reload was refused, and the settings are unchanged: "), "\(reason)")
    #expect(reason.contains(service.configuration))
    #expect(try await client.status().problems == [reason])
    let loss = try #require(try await client.health().losses.first)
    try await client.acknowledgeLoss(loss.id)
    #expect(try await client.health().state == .ok)
    try await service.reload(pid)
    #expect(try await client.health().reasons == [reason], "the reload was refused again")
    try service.configure("message = 'two'\n")
    try await service.reload(pid)
    #expect(try await client.health().state == .ok)
    try service.configure("message = \n")
    try await service.reload(pid)
    #expect(try await client.health().state == .degraded)
    kill(pid, SIGKILL)
    try await service.bury(pid)
    try service.configure("message = 'three'\n")
    pid = try await service.start(["--config", service.configuration])
    #expect(try await client.health().state == .ok)
    kill(pid, SIGKILL)
    try await service.bury(pid)
  }

  @Test(arguments: [(1, "1 change was lost"), (3, "3 changes were lost")])
  func `dropped changes are a loss`(count: Int, words: String) {
    let loss = Loss(.dropped(count), path: "/var/lib/placard/placard.db")
    #expect(loss?.cause == .droppedChanges)
    #expect(
      loss?.text
        == "/var/lib/placard/placard.db: the disk accepted no writes for too long, and \(words); check sessions, "
        + "messages and the history")
  }

  @Test func `an archive that can be written again has lost nothing`() {
    #expect(Loss(ArchiveNotice.state(.stored), path: "/a") == nil)
  }
}
