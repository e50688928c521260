import Access
import Configuration
import Control
import Displays
import Geometry
import Scenes

extension Director {
  /// Returns the presentation of an output's monitor: the settings, overridden by what was chosen for the monitor.
  func presentation(of output: Output) -> Presentation {
    var presentation = settings.presentation(
      for: output.identity, role: output.connector.kind.role ?? .external)
    let choice = choice(for: output)
    guard let words = choice.words else { return presentation }
    presentation.policy = choice.mode.flatMap(ModePolicy.init(parsing:)) ?? presentation.policy
    presentation.rotation = choice.rotation ?? presentation.rotation
    let reason =
      output.pending == nil
      ? "was chosen for this monitor by remote control, and goes before the settings; "
        + "`placard mode \(output.name) --reset` undoes that"
      : "is pending on this monitor; `placard mode \(output.name) --confirm` keeps it, otherwise it is reverted"
    presentation.reasons.append("\(words) \(reason)")
    return presentation
  }

  /// Returns the scene of an output that has no message or session.
  func fallbackScene(of output: Output) -> Scene {
    output.presentation.scene ?? environment.greeting ?? .banner("")
  }

  /// Returns the content that an output should show.
  func shown(on output: Output) -> Shown { store.shown(on: output.name, otherwise: fallbackScene(of: output)) }

  /// Returns the view of that content at the current time.
  func moment(of output: Output) -> ResolvedScene {
    let shown = shown(on: output)
    var context = ViewContext(
      now: environment.wallClock(), style: output.presentation.style, zones: zones, place: shown.place,
      pages: output.showing.extent.pages, began: began(output, shown),
      controller: controllerPanel(beside: shown.scene.tellsOfOthers ? output : nil),
      identity: identityPanel(of: output)
    ) { [self] in mirrored($0) }
    if output.showing.source != shown.source { context.pages = 1 }
    return shown.scene.view(in: context)
  }

  /// Renders the changed scene of an output, now or after the pending flip. Outputs that show it in a mirror or in a
  /// list are redrawn as well.
  func redraw(_ output: Output) { refresh([output] + observers(of: output)) }

  /// Redraws the other outputs that show content of an output, or with nil of any output.
  func redrawObservers(of output: Output?) {
    refresh(observers(of: output))
  }

  /// Returns the outputs that show the content of other outputs.
  func observers(of output: Output?) -> [Output] { outputs.filter { $0 !== output && $0.isObserver } }

  /// Updates outputs whose visible content changed.
  func refresh(_ outputs: [Output]) {
    for output in outputs { countContent(of: output) }
    follow(outputs)
  }

  /// Records that an output has new content. `follow(_:)` passes it to the machine.
  func countContent(of output: Output) {
    want(shown(on: output), on: output)
    output.content += 1
  }

  /// Requests the next frame of the content that an output shows.
  func repaint(_ output: Output) {
    output.content += 1
    follow([output])
  }

  /// Records the content that an output should show. If it differs from the content before, its pages turn from now on.
  func want(_ shown: Shown, on output: Output) {
    if shown != output.wanted { beginTurning(output) }
    output.wanted = shown
  }

  /// Restarts the page turns of an output from now on.
  func beginTurning(_ output: Output) {
    followClock()
    output.since = environment.wallClock()
  }

  /// Returns the time from which pages turn: when a scene came to its display, or was last scrolled to a place.
  private func began(_ output: Output, _ shown: Shown) -> Int64 {
    shown == output.wanted ? output.since : environment.wallClock()
  }

  private func mirrored(_ display: String) -> MirroredScene? {
    guard let (_, output) = output(display), let candidate = output.candidate else { return nil }
    let shown = shown(on: output)
    let size = candidate.mode.size
    return MirroredScene(
      shown.scene, style: output.presentation.style, place: shown.place, pages: output.showing.extent.pages,
      began: began(output, shown), pixels: output.turn.inverse.turn(size),
      scale: candidate.scale, identity: identityPanel(of: output))
  }

  /// Returns the panel of the controller screen on an output, or with nil the parts that do not depend on other
  /// displays.
  private func controllerPanel(beside output: Output?) -> ControllerPanel {
    guard let output else { return ControllerPanel(host: environment.host, address: reachableAddress) }
    let others = outputs.filter { $0 !== output }
    let lines = others.map { other in
      ControllerPanel.Line(
        name: other.name, state: other.state.word,
        detail: reason(of: other) ?? (other.isLit ? other.showing.summary : nil))
    }
    return ControllerPanel(
      host: environment.host, address: reachableAddress, displays: lines, message: topMessage(on: others))
  }

  /// Returns the summary of the topmost message on screen in one line, or nil if none of the displays shows one.
  private func topMessage(on outputs: [Output]) -> String? {
    let lit = outputs.filter(\.isLit)
    for message in store.messages {
      if let output = lit.first(where: { $0.showing.source == .message(message.id) }) { return output.showing.summary }
    }
    return nil
  }

  private func identityPanel(of output: Output) -> IdentityPanel {
    let turn = output.presentation.rotation == .none ? "" : " turned by \(output.presentation.rotation.rawValue)°"
    let mode = output.candidate.map { "\($0.mode)\($0.scale > 1 ? " at scale \($0.scale)" : "")\(turn)" }
    return IdentityPanel(
      name: output.name, monitor: output.identity.label, mode: mode,
      role: (output.connector.kind.role ?? .external).rawValue, address: reachableAddress)
  }

  /// The web page's address, if other machines can reach it. A person who reads it from a display uses another machine.
  private var reachableAddress: String? { address.flatMap { $0.isLoopbackAddress ? nil : $0 } }

  /// Sets the address of the web page, and redraws the displays, which may show it.
  ///
  /// - Parameter address: The new address; nil if the page is no longer reachable.
  package func setAddress(_ address: String?) {
    guard address != self.address else { return }
    self.address = address
    for output in outputs { redraw(output) }
  }
}

extension Output {
  /// Whether its content depends on what other outputs show.
  var isObserver: Bool { wanted?.scene.tellsOfOthers ?? false }
}

extension String {
  /// Whether a URL names the local machine: localhost (RFC 6761, 6.3), 127.0.0.0/8, ::1, or the unspecified address
  /// (0.0.0.0, ::). `127.1` is 127.0.0.1 (inet_aton(3)).
  var isLoopbackAddress: Bool {
    let scheme = firstIndex(of: ":").flatMap { self[$0...].hasPrefix("://") ? index($0, offsetBy: 3) : nil }
    let rest = self[(scheme ?? startIndex)...]
    let authority = rest.prefix { $0 != "/" }
    let host =
      authority.hasPrefix("[")
      ? String(authority.dropFirst().prefix { $0 != "]" }) : authority.prefix { $0 != ":" }.lowercased()
    if let address = IPAddress(parsing: host) { return address.isLoopback || address.isWildcard }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.last == "localhost" || parts.first == "127" && parts.allSatisfy { UInt32($0) != nil }
  }
}

extension Scene {
  /// Whether it shows the content of other displays, now or later.
  fileprivate var tellsOfOthers: Bool {
    switch content {
    case .mirror, .controller: true
    case .countdown(let countdown): countdown.then?.tellsOfOthers ?? false
    default: false
    }
  }
}
