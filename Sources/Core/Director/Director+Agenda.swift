import Displays
import NIOCore
import Outputs
import Scenes

/// The timed work of the director. No other part of the director sets a timer.
extension Director {
  /// The timed items of all parts of the director.
  var agenda: Agenda {
    var agenda = Agenda()
    for (path, managed) in managedCards {
      agenda.add(.card(path: path), at: loopTime(of: managed.due))
      for (name, output) in managed.outputs {
        agenda.add(.animation(display: name), at: output.animationDue)
        agenda.add(.firstFrame(display: name), at: output.checkDue)
      }
    }
    agenda.add(.scenes, at: scenesDue?.loopTime)
    for (waiter, due) in settleLimits { agenda.add(.settleLimit(waiter: waiter), at: due) }
    return agenda
  }

  /// Returns the control loop's time after a delay.
  func due(in wait: Duration) -> UInt64 { due(inNanoseconds: TimeAmount(wait).nanoseconds) }

  /// Returns the control loop's time after a delay in nanoseconds.
  func due(inNanoseconds wait: Int64) -> UInt64 { loop.now.uptimeNanoseconds &+ UInt64(max(wait, 0)) }

  /// Returns the control loop's time for a time of CLOCK_MONOTONIC, or nil for nil.
  func loopTime(of due: UInt64?) -> UInt64? {
    due.map { due in
      let now = environment.now()
      return self.due(inNanoseconds: Int64(clamping: due > now ? due - now : 0))
    }
  }

  /// Ensures that the timer fires at a time of the control loop's clock; does nothing for nil.
  func schedule(_ due: UInt64?) {
    guard !isClosing, agendaTimer.include(due), let due else { return }
    scheduled?.cancel()
    scheduled = loop.scheduleTask(deadline: .uptimeNanoseconds(due)) { [weak self] in
      guard let self else { return }
      self.assumeIsolated { director in director.agendaIsDue() }
    }
  }

  private func agendaIsDue() {
    agendaTimer.fired()
    for item in agenda.items(dueAt: loop.now.uptimeNanoseconds) { perform(item) }
    schedule(agenda.next)
  }

  private func perform(_ item: Agenda.Item) {
    switch item {
    case .card(let path): cardIsDue(path)
    case .animation(let display): stepIsDue(display)
    case .firstFrame(let display): checkFirstFrame(display)
    case .scenes: momentCame()
    case .settleLimit(let waiter): stopWaiting(waiter)
    }
  }

  // MARK: The wall clock

  /// The maximum delay until the wall clock is checked again, in milliseconds. A clock change without a notification is
  /// detected within this time.
  private static let longestWait: Int64 = 3_600_000

  /// Schedules the next time at which a scene looks different, a message expires or a pending mode change ends.
  func scheduleScenes() {
    followClock()
    let outputs = unorderedOutputs
    let moments =
      outputs.filter(\.isLit).compactMap(\.nextChange) + outputs.compactMap(\.pending?.until)
      + [store.nextExpiry].compactMap(\.self)
    guard let next = moments.min() else { return scenesDue = nil }
    guard next != scenesDue?.wallTime else { return }
    let wait = min(max(next - environment.wallClock(), 0), Self.longestWait)
    scenesDue = (next, due(inNanoseconds: wait * 1_000_000))
    schedule(scenesDue?.loopTime)
  }

  /// Shows the new time after the system clock was set, and keeps deadlines that were given as durations.
  package func clockWasSet() { momentCame() }

  /// Redraws content that looks different now, and ends expired messages and pending mode changes.
  func momentCame() {
    scenesDue = nil
    // This comes first, so that durations end by the new clock.
    followClock()
    let now = environment.wallClock()
    changeAtOnce { store, now in store.expire(at: now) }
    endPendingModes(at: now)
    for output in outputs where output.nextChange.map({ $0 <= now }) ?? false {
      output.nextChange = nil
      redraw(output)
    }
    scheduleScenes()
  }

  /// Adjusts the session model after the clock was set. The age of absent monitors stays the same, and messages with a
  /// duration still end after it.
  func followSetClock() {
    let now = environment.wallClock()
    guard let jump = bootLead.jump(to: now &- environment.sinceBoot()) else { return }
    let old = store
    store.setClock(by: jump, to: now, timed: timedMessages)
    persistence.write(SessionModel.changes(from: old, to: store))
    scenesDue = nil
  }

  /// Adjusts the outputs after the clock was set. Page turns and pending mode changes continue as if it had not been
  /// set, and all other content shows the new time. A host suspend has the same effect on the clocks.
  func followClock() {
    let lead = environment.wallClock() &- Int64(clamping: environment.now() / 1_000_000)
    guard let jump = clockLead.jump(to: lead) else { return }
    scenesDue = nil
    for output in outputs {
      output.since &+= jump
      if let until = output.pending?.until { output.pending?.until = until &+ jump }
      refresh([output])
    }
  }
}
