import Configuration
package import Control
import Displays
import Geometry
import Ordering
import Outputs
import Pictures
import Scenes

extension Director: ControlService {
  package func status() async -> ServiceStatus {
    let kept = await persistence.summary()
    return state.status(kept, logTroubles)
  }

  package func displays() -> [DisplayReport] { state.displays() }

  package func why(_ display: String) throws(ControlError) -> WhyReport {
    try state.why(display)
  }

  package func screenshot(_ display: String, _ request: ScreenshotRequest) async throws(ControlError) -> [UInt8] {
    let (_, output) = try connected(display)
    guard output.isLit, let surface = output.surface,
      let (picture, rotation) = await output.painter.picture(surface)
    else { throw state.notLit(output.snapshot) }
    do throws(ImageError) {
      let upright = request.isAsScannedOut ? Rotation.none : rotation.inverse
      return try await imageEncoder.file(of: picture, turned: upright, as: request.format)
    } catch {
      throw ControlError(
        .failed, "\(display): the screenshot could not be written as \(request.format.rawValue.uppercased()): \(error)")
    }
  }

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

  package func events() -> AsyncStream<ControlEvent> { chronicle.hub.listen().events }

  package func events(after place: EventPlace?) -> EventFeed { chronicle.hub.listen(after: place) }

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
        state.note(output.snapshot, isNotShowing: source, in: &report)
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

  /// Returns the output with a name, or throws why there is none.
  func connected(_ display: String) throws(ControlError) -> (ManagedCard, Output) {
    if let found = output(display) { return found }
    _ = try state.connected(display)
    throw .unknownDisplay(display, known: state.displays().map(\.name))
  }

  /// Throws if there is no connector with a name.
  func mustBeKnown(_ display: String) throws(ControlError) { try state.mustBeKnown(display) }

  /// Returns the report of an output.
  func report(_ output: Output) -> DisplayReport { state.report(output.snapshot) }

}
