import Configuration
import Control
import Displays
import Geometry
import Scenes

/// The content that displays should show, and the view of it.
extension ServiceState {
  /// Returns the scene of an output that has no message or session.
  func fallbackScene(of output: OutputState) -> Scene {
    output.presentation.scene ?? facts.greeting ?? .banner("")
  }

  /// Returns the content that an output should show.
  func shown(on output: OutputState) -> Shown { store.shown(on: output.name, otherwise: fallbackScene(of: output)) }

  /// Returns the view of that content at the current time.
  func moment(of output: OutputState) -> ResolvedScene { moment(of: output, showing: shown(on: output)) }

  /// Returns the view of some content on an output at the current time.
  func moment(of output: OutputState, showing shown: Shown) -> ResolvedScene {
    let turning = turning(output, shown)
    var context = ViewContext(
      now: now, style: output.presentation.style, zones: zones, place: shown.place, pages: output.showing.extent.pages,
      began: turning.began, progress: turning.progress, pagedAt: output.showing.progress.main,
      library: store.library, controller: controllerPanel(beside: store.tellsOfOthers(shown.scene) ? output : nil),
      identity: identityPanel(of: output)
    ) { mirrored($0) }
    context.values = store.values
    context.pass = output.showing.extent.pass
    context.skipped = output.skipped
    context.zonePages = output.showing.zonePages
    if output.showing.source != shown.source { (context.pages, context.pass, context.zonePages) = (1, nil, [:]) }
    return shown.scene.view(in: context)
  }

  /// Returns the view of a scene that no display shows, at the current time.
  func moment(of scene: Scene, in style: Style) -> ResolvedScene {
    var context = ViewContext(
      now: now, style: style, zones: zones, began: now, library: store.library,
      controller: ControllerPanel(host: facts.host, address: reachableAddress)
    ) { mirrored($0) }
    context.values = store.values
    return scene.view(in: context)
  }

  /// Returns when a scene came to its display or was last scrolled to a place, from which its pages turn. Also returns
  /// the steps that its playlists and schedules were at.
  private func turning(_ output: OutputState, _ shown: Shown) -> (began: Int64, progress: SceneProgress) {
    shown == output.wanted ? (output.turning, output.progress) : (now, SceneProgress())
  }

  private func mirrored(_ display: String) -> MirroredScene? {
    guard let output = output(display), let candidate = output.candidate else { return nil }
    let shown = shown(on: output)
    let turning = turning(output, shown)
    var mirrored = MirroredScene(
      shown.scene, style: output.presentation.style, place: shown.place, pages: output.showing.extent.pages,
      began: turning.began, progress: turning.progress, pagedAt: output.showing.progress.main,
      pixels: output.turn.inverse.turn(candidate.mode.size), scale: candidate.scale,
      identity: identityPanel(of: output))
    mirrored.zonePages = output.showing.zonePages
    mirrored.skipped = output.skipped
    return mirrored
  }

  /// Returns the panel of the controller screen on an output, or with nil the parts that do not depend on other
  /// displays.
  private func controllerPanel(beside output: OutputState?) -> ControllerPanel {
    guard let output else { return ControllerPanel(host: facts.host, address: reachableAddress) }
    let others = outputs.filter { $0.name != output.name }
    let lines = others.map { other in
      ControllerPanel.Line(
        name: other.name, state: other.state.word,
        detail: reason(of: other) ?? (other.isLit ? other.showing.summary : nil))
    }
    return ControllerPanel(
      host: facts.host, address: reachableAddress, displays: lines, message: topMessage(on: others))
  }

  /// Returns the summary of the topmost message on screen in one line, or nil if none of the displays shows one.
  private func topMessage(on outputs: [OutputState]) -> String? {
    let lit = outputs.filter(\.isLit)
    for message in store.messages {
      if let output = lit.first(where: { $0.showing.source == .message(message.id) }) { return output.showing.summary }
    }
    return nil
  }

  private func identityPanel(of output: OutputState) -> IdentityPanel {
    let turn = output.presentation.rotation == .none ? "" : " turned by \(output.presentation.rotation.rawValue)°"
    let mode = output.candidate.map { "\($0.mode)\($0.scale > 1 ? " at scale \($0.scale)" : "")\(turn)" }
    return IdentityPanel(
      name: output.name, monitor: output.identity.label, mode: mode, role: output.role.rawValue,
      address: reachableAddress)
  }

  /// The web page's address, if other machines can reach it. A person who reads it from a display uses another machine.
  private var reachableAddress: String? { address.flatMap { $0.isLoopbackAddress ? nil : $0 } }
}
