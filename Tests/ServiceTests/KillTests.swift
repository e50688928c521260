import Control
import ControlClient
import Glibc
import NIOCore
import NIOPosix
import SeededRandom
import Testing

/// Acknowledged changes are on disk, even if the daemon is killed a moment later.
struct KillTests {
  /// The number of kills: PLACARD_KILLS, or 150, which take a minute.
  private static let kills = unsafe getenv("PLACARD_KILLS").flatMap { unsafe Int(String(cString: $0)) } ?? 150

  @Test func `kills at random moments lose no acknowledged command, and the file opens each time`() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var chance = SeededGenerator(seed: seed)
    let service = try KilledService()
    let client = PlacardClient(socket: service.socket)
    var messages = LoadScript(.messages, SeededGenerator(seed: chance.next()))
    var sessions = LoadScript(.sessions, SeededGenerator(seed: chance.next()))
    var texts = 0
    for round in 1...Self.kills {
      // Some kills happen during the start, when the state is still the previous one.
      if round % 10 == 0 { try await killAtStart(service, after: .random(in: 0..<60_000, using: &chance)) }
      let pid = try await service.start()
      guard
        await compare(client, &messages, &sessions, "seed \(seed), round \(round)")
      else {
        kill(pid, SIGKILL)
        return try await service.bury(pid)
      }
      let delay = TimeAmount.microseconds(.random(in: 0..<60_000, using: &chance))
      let end = NIOSingletons.posixEventLoopGroup.next().scheduleTask(in: delay) { kill(pid, SIGKILL) }
      let (one, other) = (messages, sessions)
      async let first = load(client, one)
      async let second = load(client, other)
      (messages, sessions) = try await (first, second)
      _ = try await end.futureResult.get()
      try await service.bury(pid)
      texts += messages.shown.count
    }
    let complaints = try service.complaints()
    #expect(complaints.isEmpty, "seed \(seed): \(complaints.prefix(2000))")
    let count = messages.acknowledged + sessions.acknowledged
    print(
      "seed \(seed), \(Self.kills) kills: \(count) commands acknowledged, \(texts) of them after they were presented")
    #expect(count > 0, "the load ran no commands")
  }

  /// Sends commands at full speed until the daemon no longer answers.
  private func load(_ client: PlacardClient, _ script: LoadScript) async throws -> LoadScript {
    var script = script
    while true {
      let command = script.next()
      let answer: LoadCommand.Answer
      do throws(ClientError) {
        answer = try await command.send(to: client)
      } catch {
        guard case .refused = error else { return script }
        script.refuse()
        continue
      }
      try script.acknowledge(answer)
    }
  }

  /// Returns whether the daemon has exactly the acknowledged changes, with or without the command in flight.
  private func compare(
    _ client: PlacardClient, _ messages: inout LoadScript, _ sessions: inout LoadScript, _ place: String
  ) async -> Bool {
    do {
      let history = try await client.history(HistoryQuery(limit: 1000))
      for (display, text) in messages.shown {
        let isThere = history.contains { $0.display == display && $0.what == text }
        let newest = history.prefix(8).map { "\($0.display) \($0.what) \($0.began)" }
        #expect(isThere, "\(place): the history of \(display) lacks \(text); the newest of \(history.count): \(newest)")
      }
      for (isMessages, found) in [
        (true, LoadedState(try await client.messages())),
        (false, LoadedState(try await client.sessions(), try await client.displays())),
      ] {
        let script = isMessages ? messages : sessions
        let isRight = isMessages ? messages.restart(found: found) : sessions.restart(found: found)
        let flight = script.open.map { "\($0)" } ?? "nothing"
        #expect(isRight, "\(place): found \(found), known \(script.store), in flight \(flight)")
        if !isRight { return false }
      }
      let storage = try await client.status().storage
      #expect(storage?.hasSuffix("state.sqlite") == true, "\(place): \(storage ?? "")")
      return true
    } catch {
      Issue.record("\(place): \(error)")
      return false
    }
  }

  private func killAtStart(_ service: KilledService, after microseconds: Int64) async throws {
    let pid = try await service.start(waits: false)
    let end = NIOSingletons.posixEventLoopGroup.next().scheduleTask(in: .microseconds(microseconds)) {
      kill(pid, SIGKILL)
    }
    _ = try await end.futureResult.get()
    try await service.bury(pid)
  }
}
