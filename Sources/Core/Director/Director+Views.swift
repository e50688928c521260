import Access
import Configuration
import Control
import Displays
import Geometry
import Scenes

extension Director {
  /// Returns the content that an output should show.
  func shown(on output: Output) -> Shown { state(of: [output]).shown(on: output.snapshot) }

  /// Returns the view of that content at the current time.
  func moment(of output: Output) -> ResolvedScene {
    let own = state(of: [output])
    let isAlone = !own.shown(on: own.outputs[0]).scene.tellsOfOthers
    return (isAlone ? own : state).moment(of: own.outputs[0])
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
