import Displays
import NIOCore
import Outputs
import Scenes

/// Everything that happens by itself. No other part of the director sets a timer.
extension Director {
  /// The items of all parts.
  var agenda: Agenda {
    var agenda = Agenda()
    for (path, desk) in desks {
      agenda.add(.card(path: path), at: loopTime(of: desk.due))
      for (name, output) in desk.outputs {
        agenda.add(.animation(display: name), at: output.animationDue)
        agenda.add(.firstFrame(display: name), at: output.checkDue)
      }
    }
    agenda.add(.scenes, at: scenesDue?.loopTime)
    for (waiter, due) in settleLimits { agenda.add(.settleLimit(waiter: waiter), at: due) }
    return agenda
  }

  /// Returns the time of the control loop's clock after a wait.
  func due(in wait: Duration) -> UInt64 { due(inNanoseconds: TimeAmount(wait).nanoseconds) }

  /// Returns the time of the control loop's clock after a wait in nanoseconds.
  func due(inNanoseconds wait: Int64) -> UInt64 { loop.now.uptimeNanoseconds &+ UInt64(max(wait, 0)) }

  /// Returns the time of the control loop's clock at a time of CLOCK_MONOTONIC; nil for nil.
  func loopTime(of due: UInt64?) -> UInt64? {
    due.map { due in
      let now = environment.now()
      return self.due(inNanoseconds: Int64(clamping: due > now ? due - now : 0))
    }
  }

  /// Makes sure that the timer fires at a time; nil for no time.
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

  /// The longest wait for a time of the wall clock, in milliseconds. A clock that is set without a notification is noticed
  /// within this time.
  private static let longestWait: Int64 = 3_600_000

  /// Enters the next time at which a scene looks different, a message expires, or a pending mode change ends.
  func scheduleScenes() {
    followClock()
    let outputs = unorderedOutputs
    let moments =
      outputs.filter(\.isLit).compactMap(\.nextChange) + outputs.compactMap(\.trial?.until)
      + [store.nextExpiry].compactMap(\.self)
    guard let next = moments.min() else { return scenesDue = nil }
    guard next != scenesDue?.wallTime else { return }
    let wait = min(max(next - environment.wallClock(), 0), Self.longestWait)
    scenesDue = (next, due(inNanoseconds: wait * 1_000_000))
    schedule(scenesDue?.loopTime)
  }

  /// Shows the new time after the system time was set, and keeps what is due some time from now.
  package func clockWasSet() { momentCame() }

  /// Shows what looks different now, and ends what is over.
  func momentCame() {
    scenesDue = nil
    // First, so that what ends some time from now ends by the new time.
    followClock()
    let now = environment.wallClock()
    changeAtOnce { store, now in store.expire(at: now) }
    endTrials(at: now)
    for output in outputs where output.nextChange.map({ $0 <= now }) ?? false {
      output.nextChange = nil
      redraw(output)
    }
    scheduleScenes()
  }

  /// After the clock was set, what is remembered of absent monitors is as old as before, and messages that were to end
  /// some time after they were posted still do.
  func followSetClock() {
    let now = environment.wallClock()
    let lead = now &- environment.sinceBoot()
    let last = bootLead
    bootLead = lead
    guard let last, (lead &- last).magnitude > 1000 else { return }
    let old = store
    store.setClock(by: lead &- last, to: now, timed: timedMessages)
    keeper.write(SessionModel.changes(from: old, to: store))
    scenesDue = nil
  }

  /// After the clock was set, pages turn and pending mode changes end as if it had not been, and all else shows the new
  /// time. After a suspend of the machine it looks the same.
  func followClock() {
    let lead = environment.wallClock() &- Int64(clamping: environment.now() / 1_000_000)
    let last = clockLead
    clockLead = lead
    guard let last, (lead &- last).magnitude > 1000 else { return }
    scenesDue = nil
    for output in outputs {
      output.since &+= lead &- last
      if let until = output.trial?.until { output.trial?.until = until &+ lead &- last }
      refresh([output])
    }
  }
}
