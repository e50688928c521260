import Control
import Director
import Displays
import JSON
import Service
import SimulatedTime
import Scenes
import VirtualDisplays

/// The process of the service: its start, its end, and what it must remember.
extension World {
  /// Starts the service. Clients can connect when stored data is restored.
  func start() {
    let number = (life?.number ?? 0) + 1
    do {
      life = try Life(number, in: self)
    } catch {
      return violate("the service does not start: \(error)")
    }
    guard let life else { return }
    note("the service starts, life \(number)")
    life.director.assumeIsolated { $0.start(life.source) }
    for path in Self.paths where cards[path] != nil {
      let card = makeCard(path)
      cards[path] = card
      life.source.continuation.yield(.ready(card))
    }
    life.source.continuation.yield(.settled)
    Task { [persistence = life.persistence, director = life.director] in
      for await loss in persistence.losses { await director.record(loss) }
    }
    Task { [weak self] in
      await life.director.settled(within: .seconds(1))
      guard let self, !life.isOver else { return }
      await checkKept(life)
      life.isOpen = true
      note("clients can connect")
    }
  }

  /// Ends the process, with or without the chance to end in order.
  ///
  /// - Parameters:
  ///   - isKilled: Whether the process ends at once.
  ///   - cutsPower: Whether the power of the machine is cut as well.
  func end(isKilled: Bool, cutsPower: Bool) {
    guard let life else { return }
    if isKilled {
      life.isOver = true
      disk.freeze()
    } else {
      disk.set(nil)
    }
    // Everything that waits has to end, to free its memory. Nothing that it does counts after a kill.
    life.isOpen = false
    let last = Array(cards.values)
    life.source.continuation.finish()
    for path in Self.paths { release(path) }
    Task {
      await life.director.close()
      await life.persistence.close()
    }
    let isDone = clock.run(until: clock.time + 60_000_000_000, most: 20_000)
    if !isDone { violate("the end of the service has no end") }
    // A request that was on its way may have opened the file again.
    Task { await life.persistence.close() }
    clock.drain()
    clock.cancelTimers()
    clock.drain()
    life.isOver = true
    expectations.endAll()
    for card in last where card.liveBuffers > 0 { violate("\(card.path) has \(card.liveBuffers) buffers at the end") }
    disk.set(nil)
    disk.thaw()
    if cutsPower { note("the power cut loses \(disk.cutPower(using: &random)) unsynced changes") }
  }

  /// Compares what the service has restored with what clients expect.
  private func checkKept(_ life: Life) async {
    let messages = await life.director.messages()
    let sessions = await life.director.sessions()
    let values = await life.director.values(after: nil, most: 1000).items
    guard !life.isOver else { return }
    for key in expectations.keys {
      let found: String? =
        switch key {
        case .message(let name): messages.first { $0.name == name }?.text
        case .value(let name): values.first { $0.name == name }?.value.text
        case .session(let monitor): sessions.first { $0.monitor == monitor && $0.scene != nil }?.summary
        }
      if let words = expectations.violation(found, of: key, orAnyOf: unplaced) { violate(words) }
    }
    checkOwners(sessions)
  }

  /// Checks that each session belongs to the monitor that it was opened on.
  func checkOwners(_ sessions: [SessionReport]) {
    for session in sessions {
      guard let text = session.summary, let owner = owners[text], owner != session.monitor else { continue }
      violate("\(session.monitor) has the session \(text) of \(owner)")
    }
  }
}
