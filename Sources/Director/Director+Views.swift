import Configuration
import Control
import Displays
import Geometry
import NIOCore
import Scenes

extension Director {
  /// What the settings make of an output's monitor.
  func presentation(of output: Output) -> Presentation {
    settings.presentation(for: output.identity, role: output.connector.kind.role ?? .external)
  }

  /// What an output shows when nobody asked for anything.
  func fallbackScene(of output: Output) -> Scene {
    output.presentation.scene ?? .banner(environment.greeting ?? "")
  }

  /// What an output is to show.
  func shown(on output: Output) -> Shown { store.shown(on: output.name, otherwise: fallbackScene(of: output)) }

  /// What is seen of that now.
  func moment(of output: Output) -> SceneMoment {
    let shown = shown(on: output)
    var context = ViewContext(
      now: environment.wallClock(), style: output.presentation.style, zones: zones, place: shown.place,
      pages: output.showing.extent.pages, began: began(output, shown), controller: controllerPanel(beside: output)
    ) { [self] in mirrored($0) }
    if output.showing.source != shown.source { context.pages = 1 }
    return shown.scene.view(in: context)
  }

  /// The scene of an output changed: it is painted now, or when the flip that is under way has come. So are those that
  /// show it in a mirror or in a list.
  func redraw(_ output: Output) {
    refresh(output)
    for other in outputs where other !== output && isObserver(other) { refresh(other) }
  }

  private func refresh(_ output: Output) {
    let wanted = shown(on: output)
    if wanted != output.wanted { output.since = environment.wallClock() }
    output.wanted = wanted
    handle(.sceneChanged, for: output)
  }

  /// Whether what it shows depends on what other outputs show.
  private func isObserver(_ output: Output) -> Bool {
    switch output.wanted?.scene.content {
    case .mirror, .controller: true
    default: false
    }
  }

  /// Pages turn from the time when a scene came to its display, or was last sent to a place.
  private func began(_ output: Output, _ shown: Shown) -> Int64 {
    shown == output.wanted ? output.since : environment.wallClock()
  }

  private func mirrored(_ display: String) -> MirroredScene? {
    guard let (_, output) = output(display), let candidate = output.candidate else { return nil }
    let shown = shown(on: output)
    let size = candidate.mode.size
    return MirroredScene(
      shown.scene, style: output.presentation.style, place: shown.place, pages: output.showing.extent.pages,
      began: began(output, shown), pixels: output.presentation.rotation.inverse.turn(size),
      scale: candidate.scale)
  }

  private func controllerPanel(beside output: Output) -> ControllerPanel {
    let others = outputs.filter { $0 !== output }
    let lines = others.map { other in
      ControllerPanel.Line(
        name: other.name, state: other.state.word, detail: darkReason(other) ?? shown(on: other).scene.summary)
    }
    return ControllerPanel(
      address: environment.address, displays: lines, message: store.messages.first?.scene.summary)
  }

  /// One timer for all displays, armed at the next moment when one of them will look different, or a message is over.
  func armTimer() {
    let moments = outputs.filter(\.isLit).compactMap(\.nextChange) + [store.nextExpiry].compactMap { $0 }
    guard let next = moments.min() else {
      sceneTimer?.cancel()
      sceneTimer = nil
      timerMoment = nil
      return
    }
    guard next != timerMoment else { return }
    timerMoment = next
    sceneTimer?.cancel()
    // A clock that is set back or forward is heard of within the hour.
    let wait = min(max(next - environment.wallClock(), 0), 3_600_000)
    sceneTimer = loop.scheduleTask(in: .milliseconds(wait)) { [weak self] in
      guard let self else { return }
      self.assumeIsolated { director in director.momentCame() }
    }
  }

  private func momentCame() {
    timerMoment = nil
    let now = environment.wallClock()
    changeAtOnce { store, now in store.expire(at: now) }
    for output in outputs where output.nextChange.map({ $0 <= now }) ?? false {
      output.nextChange = nil
      redraw(output)
    }
    armTimer()
  }
}
