import Configuration
package import Control
import Displays
import Geometry
import Ordering
import Outputs
import Pictures
import Scenes

extension Director: ControlService {
  /// Returns the status of the whole service.
  package func status() async -> ServiceStatus {
    let kept = await persistence.summary()
    return ServiceStatus(
      version: environment.version, backend: environment.backend, pid: environment.pid,
      lit: outputs.filter(\.isLit).count, connected: outputs.count,
      problems: waitingCards.naturallySorted { $0.key }.map(\.value)
        + troubles.map { "\($0.display): \($0.state.reason ?? $0.state.word)" }
        + lostPictures + losses.open.map(\.text) + (kept.isInTrouble ? [kept.words].compactMap { $0 } : [])
        + processTroubles,
      storage: kept.words, address: address)
  }

  /// Returns all connectors that can carry a display, connected ones first.
  package func displays() -> [DisplayReport] {
    let connected = managedCards.values.flatMap { managed in managed.outputs.values.map { report($0) } }
    let empty = managedCards.values.flatMap { managed in
      (managed.machine.snapshot?.connectors ?? []).filter { managed.outputs[$0.name] == nil && $0.kind.role != nil }
        .map { emptyReport(managed, $0) }
    }
    let waiting = waitingReports
    return (connected + waiting.filter { $0.state == .dark }).naturallySorted { $0.name }
      + (empty + waiting.filter { $0.state != .dark }).naturallySorted { $0.name }
      + lost.values.map(\.report).naturallySorted { $0.name }
  }

  /// Returns how the mode of a display was chosen.
  ///
  /// - Parameter display: The connector's name.
  /// - Throws: `ControlError` if the display is unknown or not connected.
  /// - Returns: The policy and the mode, with the reasons for it and against each rejected mode.
  package func why(_ display: String) throws(ControlError) -> WhyReport {
    let (_, output) = try connected(display)
    let policy = output.presentation.policy
    return WhyReport(
      display: display, policy: policy.description, mode: output.candidate?.mode.description,
      scale: output.candidate?.scale ?? 1,
      reasons: (output.choice?.reasons ?? []) + turnReasons(output) + output.presentation.reasons,
      rejected: (output.choice?.rejected ?? []).map { .init(mode: $0.mode.description, reason: $0.reason) },
      attempts: output.attempts)
  }

  private func turnReasons(_ output: Output) -> [String] {
    let (rotation, mounted) = (output.presentation.rotation, output.connector.orientation)
    let panel =
      mounted == .none
      ? []
      : [
        "its panel is mounted turned, as the kernel says: pictures are turned by \(mounted.rawValue) degrees clockwise"
      ]
    if rotation == .none || choice(for: output).rotation != nil { return panel }
    return panel + ["the settings turn pictures by \(rotation.rawValue) degrees clockwise"]
  }

  /// Returns the frame on screen as a file.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - request: The file format, and whether the frame is rotated upright.
  /// - Throws: `ControlError` if the display is unknown or not lit, or if the encoder fails.
  /// - Returns: The bytes of a PNG or JPEG file.
  package func screenshot(_ display: String, _ request: ScreenshotRequest) async throws(ControlError) -> [UInt8] {
    let (_, output) = try connected(display)
    guard output.isLit, let surface = output.surface,
      let (picture, rotation) = await output.painter.picture(surface)
    else { throw notLit(output) }
    do throws(ImageError) {
      let upright = request.isAsScannedOut ? Rotation.none : rotation.inverse
      return try await imageEncoder.file(of: picture, turned: upright, as: request.format)
    } catch {
      throw ControlError(
        .failed, "\(display): the screenshot could not be written as \(request.format.rawValue.uppercased()): \(error)")
    }
  }

  /// Returns the error for an output that shows no frame.
  func notLit(_ output: Output) -> ControlError {
    ControlError(.conflict, "\(output.name) is not lit: \(reason(of: output) ?? "its first frame is on the way")")
  }

  /// Plugs in a virtual monitor, and returns after the hotplug was handled.
  ///
  /// - Parameter request: The monitor's size or EDID, and the name of the virtual output.
  /// - Throws: `ControlError` if the backend has no virtual monitors, if the request is invalid, or if the card could
  ///   not be probed yet.
  /// - Returns: The report of the display.
  package func plug(_ request: PlugRequest) async throws(ControlError) -> DisplayReport {
    let simulator = try requireSimulator()
    let monitor = try VirtualPlug(request)
    try monitor.check(against: simulator.plugged(besides: request.display))
    guard let name = try monitor.plug(into: simulator) else {
      let asked = request.display ?? "a virtual display"
      throw ControlError(.invalid, "\(asked) cannot be plugged: names are Virtual-1 to Virtual-64, and eDP-1")
    }
    persistence.write([.put(VirtualRecord.of(simulator.sockets))])
    for managed in managedCards.values { await reconcile(managed) }
    await persistence.settled()
    guard let (_, output) = output(name) else {
      throw ControlError(
        .failed, "\(name) is plugged, but its card could not be probed yet; `placard displays` reports when it is lit")
    }
    return report(output)
  }

  /// Unplugs a virtual monitor.
  ///
  /// - Parameter display: The connector's name.
  /// - Throws: `ControlError` if the backend has no virtual monitors, or if no virtual monitor is plugged in there.
  package func unplug(_ display: String) async throws(ControlError) {
    let simulator = try requireSimulator()
    guard simulator.unplug(display) else {
      try mustBeKnown(display)
      throw ControlError(
        .conflict, "\(display): no virtual monitor is plugged in; `placard displays` lists the displays")
    }
    persistence.write([.put(VirtualRecord.of(simulator.sockets))])
    for managed in managedCards.values { await reconcile(managed) }
    await persistence.settled()
  }

  /// Returns the events from now on.
  package func events() -> AsyncStream<ControlEvent> { hub.listen().events }

  /// Returns the remembered events since a place, followed by the events from now on.
  ///
  /// - Parameter place: The place of the last event that the client received; nil for new events only.
  /// - Returns: The events, and whether some were lost.
  package func events(after place: EventPlace?) -> EventFeed { hub.listen(after: place) }

  /// Returns the warnings for people about how outputs show their content, one sentence each.
  ///
  /// - Parameters:
  ///   - outputs: The outputs.
  ///   - waits: Whether the request waits for frames. Otherwise image files are waited for at most one second, which is
  ///     below a client's time limit for an answer.
  /// - Returns: The warnings. An output that shows no frame has none, unless it is asleep.
  func warnings(_ outputs: [Output], waits: Bool) async -> [String] {
    let limit = waits ? nil : ContinuousClock.now + Painter.quickLook
    var warnings: [String] = []
    for output in outputs {
      if output.isAsleep { warnings.append("\(output.name): asleep; the message is shown when it is woken") }
      guard let surface = output.surface, !output.isAsleep else { continue }
      let moment = moment(of: output)
      let painted =
        if let limit {
          await output.painter.warnings(surface, moment.view, until: limit)
        } else {
          await output.painter.warnings(surface, moment.view)
        }
      warnings += (moment.warnings + painted).map { "\(output.name): \($0)" }
    }
    return warnings
  }

  /// Waits until outputs present a scene of a source, or until something else covers or replaces it. Adds the results
  /// to the report.
  func waitForFlips(
    of outputs: [Output], to source: Shown.Source, _ scene: Scene, since arrival: UInt64,
    into report: inout MessageReport
  ) async {
    for output in outputs {
      switch await shown(output) {
      // A request with the same message name replaces the scene and keeps the message's number.
      case .shown(_, let other) where other?.source != source || other?.scene != scene:
        note(output, isNotShowing: source, in: &report)
      case .shown where output.showing.source == source && !output.showing.lostPictures.isEmpty:
        report.notShown.append("\(output.name): " + output.showing.lostPictures.joined(separator: "; "))
      case .shown(let time, _):
        let elapsed = time > arrival ? Double(time - arrival) / 1_000_000 : 0
        report.shown.append(.init(display: output.name, flipTime: time, milliseconds: elapsed))
      case .notShown(let reason):
        report.notShown.append("\(output.name): \(reason)")
      }
    }
  }

  private func requireSimulator() throws(ControlError) -> any MonitorSimulator {
    if let simulator = environment.simulator { return simulator }
    throw ControlError(
      .conflict, "the service drives real cards, and virtual monitors need `placardd --backend virtual`")
  }

  func mustBeKnown(_ display: String) throws(ControlError) {
    let known = managedCards.values.contains { managed in
      managed.outputs[display] != nil || managed.machine.snapshot?.connectors.contains { $0.name == display } ?? false
    }
    if !known, waitingReport(of: display) == nil { throw unknown(display) }
  }

  func connected(_ display: String) throws(ControlError) -> (ManagedCard, Output) {
    if let found = output(display) { return found }
    try mustBeKnown(display)
    let reason =
      managedCards.values.lazy.compactMap { $0.bare[display]?.state.reason }.first ?? waitingReport(of: display)?.reason
      ?? "nothing is plugged in"
    throw ControlError(.conflict, "\(display): \(reason)")
  }

  private func unknown(_ display: String) -> ControlError {
    if let gone = lost[display]?.report.reason { return ControlError(.conflict, "\(display) is lost: \(gone)") }
    return .unknownDisplay(display, known: displays().map(\.name))
  }

  func report(_ output: Output) -> DisplayReport {
    let candidate = output.candidate
    let isDark = output.state.darkness.map { $0 != .asleep } ?? output.state.isLost
    return DisplayReport(
      name: output.name, state: .init(output.state), reason: reason(of: output),
      cause: output.state.darkness.map(DisplayReport.Cause.init), since: Timestamp(milliseconds: output.stateSince),
      role: .init(output.connector.kind.role), card: output.managed.card.path,
      driver: output.managed.machine.snapshot?.driver ?? "unknown", monitor: output.identity.label,
      identity: output.identity.description, mode: isDark ? nil : candidate?.mode.description,
      width: isDark ? 0 : candidate?.mode.size.width ?? 0, height: isDark ? 0 : candidate?.mode.size.height ?? 0,
      scale: candidate?.scale ?? 1, message: output.isLit ? output.showing.words : nil,
      warnings: output.isLit ? output.showing.warnings : [],
      rotation: output.presentation.rotation.rawValue, modes: output.connector.modes.requestable.map(\.description),
      pending: pendingReport(output), isChosen: !choice(for: output).isEmpty,
      session: store.session(on: output.name)?.id, missedFrames: output.missedFrames,
      missedInARow: output.missedInARow,
      mounted: output.connector.orientation == .none ? nil : output.connector.orientation.rawValue)
  }

  /// Returns why an output shows nothing or nothing new, or nil while it is lit or about to be. The reason for sleep is
  /// computed anew, because the way to wake the display can have changed since it fell asleep.
  func reason(of output: Output) -> String? { output.isAsleep ? sleepReason(output) : output.state.reason }

  /// Returns why no further flip of an output can arrive, or nil if one may arrive.
  func endReason(of output: Output) -> String? {
    switch output.state {
    case .dark, .lost: reason(of: output)
    case .lighting, .lit, .stalled: nil
    }
  }
}

extension DisplayState {
  /// Whether the state needs a person's attention.
  var isTrouble: Bool {
    switch self {
    case .dark(.asleep, _), .dark(.noMonitor, _), .dark(.leftAlone, _), .lighting, .lit: false
    case .dark, .stalled, .lost: true
    }
  }
}
