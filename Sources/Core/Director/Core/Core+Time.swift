import Configuration
import Displays
import Outputs
import Scenes
import Schedules

/// The timed work, and what follows from changes of the clocks.
extension Core {
  /// Everything that changes by itself, with its time.
  var agenda: Agenda {
    var agenda = Agenda()
    for card in presentCards {
      agenda.add(.card(path: card.path), at: now.loopTime(of: card.due))
      for (name, output) in card.outputs {
        agenda.add(.animation(display: name), at: output.animationDue)
        agenda.add(.firstFrame(display: name), at: output.checkDue)
        agenda.add(.nextItem(display: name), at: output.aheadDue)
      }
    }
    agenda.add(.scenes, at: scenesDue?.loopTime)
    return agenda
  }

  // MARK: The wall clock

  /// The maximum delay of the timer, 400 days in milliseconds. The kernel reports each change of the system time and each
  /// resume, so that the wall clock is not checked in between.
  private static let longestWait: Int64 = 400 * 86_400_000

  /// Schedules the next time at which a scene looks different, a message expires or a pending mode change ends.
  mutating func scheduleScenes() {
    followClock()
    let outputs = unorderedOutputs
    let moments =
      outputs.filter(\.isLit).compactMap(\.nextChange) + outputs.compactMap(\.pending?.until)
      + [store.nextExpiry].compactMap(\.self) + nextHours(of: outputs)
    guard let next = moments.min() else { return scenesDue = nil }
    guard next != scenesDue?.wallTime else { return }
    let wait = min(max(next - now.wall, 0), Self.longestWait)
    scenesDue = (next, now.due(inNanoseconds: wait * 1_000_000))
    wake(at: scenesDue?.loopTime)
  }

  /// The times at which the hours of outputs begin or end, or must be looked at again, in milliseconds since 1970.
  private func nextHours(of outputs: [OutputRecord]) -> [Int64] {
    let state = state(of: [])
    return outputs.compactMap { output in
      guard let hours = output.presentation.hours else { return nil }
      return state.nextHours(snapshot(of: output)) ?? hours.horizon(after: now.wall / 1000).map { $0 * 1000 }
    }
  }

  /// Redraws content that looks different now, lets displays sleep or wake by their hours, and ends expired messages and pending mode changes.
  mutating func momentCame() {
    scenesDue = nil
    // This comes first, so that durations end by the new clock.
    followClock()
    change { store, now in store.expire(at: now) }
    endPendingModes()
    follow(outputs.map(\.id))
    for output in outputs where output.nextChange.map({ $0 <= now.wall }) ?? false {
      update(output.id) { $0.nextChange = nil }
      redraw(output.id)
    }
    scheduleScenes()
  }

  /// Adjusts the session model after the clock was set. The age of absent monitors stays the same, and messages with a
  /// duration still end after it.
  mutating func followSetClock() {
    guard let jump = bootLead.jump(to: now.wall &- now.boot) else { return }
    let old = store
    store.setClock(by: jump, to: now.wall, timed: timedMessages)
    emit(.store(SessionModel.changes(from: old, to: store)))
    scenesDue = nil
  }

  /// Adjusts the outputs after the clock was set. Page turns, playlists and pending mode changes continue as if it had not been
  /// set, and all other content shows the new time. A host suspend has the same effect on the clocks.
  mutating func followClock() {
    guard let jump = clockLead.jump(to: now.wall &- Int64(clamping: now.monotonic / 1_000_000)) else { return }
    scenesDue = nil
    for output in outputs {
      update(output.id) { output in
        output.since &+= jump
        output.painted.progress.move(by: jump)
        if let until = output.pending?.until { output.pending?.until = until &+ jump }
      }
      refresh([output.id])
    }
  }
}

extension Core.Instant {
  /// Returns the control loop's time after a delay in nanoseconds.
  func due(inNanoseconds wait: Int64) -> UInt64 { loop &+ UInt64(max(wait, 0)) }

  /// Returns the control loop's time for a time of CLOCK_MONOTONIC, or nil for nil.
  func loopTime(of due: UInt64?) -> UInt64? {
    due.map { self.due(inNanoseconds: Int64(clamping: $0 > monotonic ? $0 - monotonic : 0)) }
  }
}
