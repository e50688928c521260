import Configuration
import Displays
import Geometry
import Ordering
import Outputs
import Scenes

/// The content and the desired state of outputs, recomputed whenever one of their inputs changes.
extension Core {
  // MARK: Content

  /// Returns the content that an output should show.
  func shown(on output: OutputRecord) -> Shown { state(of: []).shown(on: snapshot(of: output)) }

  /// Returns the view of that content at the current time.
  func moment(of output: OutputRecord) -> ResolvedScene { content(of: output).moment }

  /// Returns the content to show, and its view at the current time.
  func content(of output: OutputRecord) -> (shown: Shown, moment: ResolvedScene) {
    let own = state(of: [output])
    let snapshot = own.outputs[0]
    let shown = own.shown(on: snapshot)
    return (shown, (store.tellsOfOthers(shown.scene) ? state : own).moment(of: snapshot, showing: shown))
  }

  /// Returns the surface of an output, and the view of its content at the current time; nil if it has no mode.
  func surfaceAndMoment(of id: OutputID) -> (surface: Painting.SurfaceID, moment: ResolvedScene)? {
    guard let output = self[id], let surface = surface(of: id) else { return nil }
    return (surface, moment(of: output))
  }

  /// Returns the view of that content at another time, in milliseconds since 1970.
  func moment(of output: OutputRecord, at time: Int64) -> ResolvedScene {
    var state = state(of: [output])
    let snapshot = state.outputs[0]
    if store.tellsOfOthers(state.shown(on: snapshot).scene) { state = self.state }
    state.now = time
    return state.moment(of: snapshot)
  }

  /// Renders the changed scene of an output, now or after the pending flip. Outputs that show it in a mirror or in a
  /// list are redrawn as well.
  mutating func redraw(_ id: OutputID) { refresh([id] + observers(of: id)) }

  /// Returns the other outputs that show content of an output, or with nil of any output.
  func observers(of id: OutputID?) -> [OutputID] {
    unorderedOutputs.filter { $0.id != id && $0.isObserver }.naturallySorted { $0.name }.map(\.id)
  }

  /// Updates outputs whose visible content changed.
  mutating func refresh(_ ids: [OutputID]) {
    guard !ids.isEmpty else { return }
    for id in ids { countContent(of: id) }
    follow(ids)
  }

  /// Offers new content to the render thread while the flip of an endless animation is pending. The next frame of the
  /// animation then has that content, and none is missed. One offer is open at a time, so that content which changes
  /// more often than the display is not laid out in vain.
  mutating func offerDuringMotion(_ id: OutputID) {
    let frames = frames(of: id)
    guard let output = self[id], output.isLit, output.moving?.isEndless ?? false, output.offered == nil,
      frames.isDirty, case .waitingForFlip = frames.state, let job = paintJob(id, frames.generation)
    else { return }
    update(id) { $0.offered = FrameOffer(version: job.version, generation: frames.generation) }
    updatePermit(id.name, of: id.card)
    emit(.offer(id, job, generation: frames.generation))
  }

  /// Records that an output has new content. `follow(_:)` passes it to the machine.
  mutating func countContent(of id: OutputID) {
    guard let shown = self[id].map({ shown(on: $0) }) else { return }
    countContent(shown, of: id)
  }

  /// Records new content for an output.
  mutating func countContent(_ shown: Shown, of id: OutputID) {
    want(shown, on: id)
    update(id) { $0.content += 1 }
  }

  /// Requests the next frame of the content that an output shows.
  mutating func repaint(_ id: OutputID) {
    update(id) { $0.content += 1 }
    follow([id])
  }

  /// Records the content that an output should show. If it differs from the content before, its pages turn from now on.
  mutating func want(_ shown: Shown, on id: OutputID) {
    let isObserver = store.tellsOfOthers(shown.scene)
    if self[id]?.isObserver != isObserver { update(id) { $0.isObserver = isObserver } }
    guard self[id]?.wanted != shown else { return }
    followClock()
    let wall = now.wall
    update(id) { output in
      output.wanted = shown
      output.since = wall
    }
  }

  /// Restarts the page turns of an output from now on.
  mutating func beginTurning(_ id: OutputID) {
    followClock()
    let wall = now.wall
    update(id) { $0.since = wall }
  }

  /// Sets the address of the web page, and redraws the displays, which may show it.
  mutating func setAddress(_ address: String?) {
    guard address != self.address else { return }
    self.address = address
    for output in outputs { redraw(output.id) }
  }

  /// Redraws the outputs with these surfaces, whose image files are loaded.
  mutating func picturesCame(for surfaces: Set<Painting.SurfaceID>) {
    for output in outputs where surface(of: output.id).map(surfaces.contains) ?? false { redraw(output.id) }
  }

  /// Returns the options of an output's surfaces.
  func surfaceOptions(for id: OutputID) -> Surface.Options {
    let turn = self[id].map { snapshot(of: $0).turn } ?? Rotation.none
    return Surface.Options(rotation: turn, glyphBytes: settings.glyphCache)
  }

  // MARK: Wishes

  /// Passes the desired states of outputs to their machines, if they changed.
  mutating func follow(_ ids: [OutputID]) {
    let state = state(of: [])
    for (card, ids) in byCard(ids) {
      var wishes: [String: OutputWish] = [:]
      for id in ids {
        guard let wish = newWish(of: id, in: state) else { continue }
        wishes[id.name] = wish
        update(id) { $0.wish = wish }
      }
      guard !wishes.isEmpty else { continue }
      feed(.wished(wishes), to: card)
      for id in ids where wishes[id.name] != nil { offerDuringMotion(id) }
    }
  }

  /// Returns the state that an output should be in; nil if its machine knows it, or if its monitor is not introduced yet.
  private func newWish(of id: OutputID, in state: ServiceState) -> OutputWish? {
    guard let output = self[id], output.isIntroduced else { return nil }
    let wish = state.wish(of: snapshot(of: output), content: output.content)
    return wish == output.wish ? nil : wish
  }

  /// Has the machine of an output try these modes instead of those of its policy.
  mutating func attempt(_ candidates: [ModeChoice.Candidate], on id: OutputID) {
    guard let output = self[id] else { return }
    let wish = state(of: []).wish(of: snapshot(of: output), content: output.content)
    update(id) { $0.wish = wish }
    feed(.tried(display: output.name, wish, candidates), to: id.card)
  }

  /// Applies what the settings specify for the monitors of outputs, and what was chosen for the monitors.
  mutating func adopt(_ ids: [OutputID]) {
    let state = state(of: [])
    for id in ids {
      guard let output = self[id] else { continue }
      let presentation = state.presentation(of: snapshot(of: output))
      // A display that was woken by hand stays lit until its hours begin, or until there are other hours.
      if presentation.hours != output.presentation.hours { wokenUntil[output.name] = nil }
      update(id) { $0.presentation = presentation }
    }
    let adopted = ids.compactMap { self[$0] }.map { (output: $0, role: snapshot(of: $0).role) }
    change { store, _ in
      for (output, role) in adopted {
        store.setTags(output.presentation.tags, role: role.rawValue, on: output.name)
      }
    }
  }

  /// Replaces the settings. Messages stay, unless the settings name another message than before.
  mutating func setSettings(_ settings: Settings) {
    if settings.message != self.settings.message, let old = store.message(named: Message.shownName) {
      change { store, _ in _ = try? store.withdraw(old.id) }
    }
    self.settings = settings
    zones.forget()
    adopt(outputs.map(\.id))
    scheduleScenes()
  }

  /// Returns outputs grouped by card, in the order of the outputs. Outputs that are gone are left out.
  func byCard(_ ids: [OutputID]) -> [(card: CardID, outputs: [OutputID])] {
    var cards: [(card: CardID, outputs: [OutputID])] = []
    for id in ids where self[id] != nil && self.cards[id.card]?.isPresent ?? false {
      if let index = cards.firstIndex(where: { $0.card == id.card }) {
        cards[index].outputs.append(id)
      } else {
        cards.append((id.card, [id]))
      }
    }
    return cards
  }

  // MARK: Sleep

  /// Puts displays to sleep or wakes them, by request.
  ///
  /// - Parameters:
  ///   - ids: The outputs.
  ///   - isAsleep: Whether they sleep from now on.
  ///   - areAll: Whether all displays are meant. Monitors that are absent are woken as well.
  mutating func setAsleep(_ ids: [OutputID], _ isAsleep: Bool, areAll: Bool) {
    change { store, _ in
      for id in ids { _ = store.setAsleep(isAsleep, on: id.name) }
      if areAll, !isAsleep { store.wakeAbsent() }
    }
    hold.override(ids.map(\.name), isAwake: !isAsleep)
    let state = state(of: [])
    wokenUntil = wokenUntil.filter { $0.value > now.wall }
    for output in ids.compactMap({ self[$0] }) {
      wokenUntil[output.name] = nil
      let snapshot = snapshot(of: output)
      if !isAsleep, state.isClosed(snapshot) { wokenUntil[output.name] = state.nextHours(snapshot) ?? .max }
    }
    follow(ids)
  }

  /// Begins or ends the sleep of external displays during a host suspend or while the lid is closed.
  mutating func setHold(_ isOn: Bool) {
    hold = ControllerHold(isOn: isOn)
    follow(outputs.map(\.id))
    // CLOCK_MONOTONIC and its timers stood still during the suspend.
    if !isOn { scheduleScenes() }
  }
}
