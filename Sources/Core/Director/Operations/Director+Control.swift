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
    let id = try connected(display)
    guard core[id]?.isLit ?? false, let surface = core.surface(of: id), let painter = handles[id]?.painter,
      let (picture, rotation) = await painter.picture(surface)
    else { throw notLit(id) }
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
    for managed in presentCards { await reconcile(managed) }
    await persistence.settled()
    guard let id = core.output(named: name)?.id else {
      throw ControlError(
        .failed, "\(name) is plugged, but its card could not be probed yet; `placard displays` reports when it is lit")
    }
    return try report(id)
  }

  package func unplug(_ display: String) async throws(ControlError) {
    let simulator = try requireSimulator()
    guard simulator.unplug(display) else {
      try mustBeKnown(display)
      throw ControlError(
        .conflict, "\(display): no virtual monitor is plugged in; `placard displays` lists the displays")
    }
    persistence.write([.put(VirtualRecord.of(simulator.sockets))])
    for managed in presentCards { await reconcile(managed) }
    await persistence.settled()
  }

  package func events() -> AsyncStream<ControlEvent> { hub.listen().events }

  package func events(after place: EventPlace?) -> EventFeed { hub.listen(after: place) }

  /// Adds to a report how outputs show their content: warnings for people, and the distances from which it is readable.
  ///
  /// - Parameters:
  ///   - outputs: The outputs.
  ///   - waits: Whether the request waits for frames. Otherwise image files are waited for at most one second, and
  ///     painters that the kernel blocks until `inspectionLimit`, which is below a client's time limit for an answer.
  ///   - report: The report. An output that shows no frame adds nothing, unless it is asleep.
  func inspect(_ outputs: [OutputID], waits: Bool, into report: inout MessageReport) async {
    let start = ContinuousClock.now
    for id in outputs {
      guard let isAsleep = core[id]?.isAsleep, let painter = handles[id]?.painter else { continue }
      if isAsleep { report.warnings.append("\(id.name): asleep; the message is shown when it is woken") }
      guard !isAsleep, let (surface, moment) = step({ $0.surfaceAndMoment(of: id) }) else { continue }
      let inspection: Painting.Inspection?
      if waits {
        inspection = await painter.inspect(surface, moment.view)
      } else {
        let limit = max(environment.inspectionLimit - (ContinuousClock.now - start), .milliseconds(100))
        inspection = await result(within: limit) {
          await painter.inspect(surface, moment.view, until: start + Painter.quickLook)
        }
      }
      guard let inspection else {
        let seconds = environment.inspectionLimit.components.seconds
        report.warnings.append(
          "\(id.name): the message was not checked, because painting takes longer than \(seconds) s")
        continue
      }
      guard let output = core[id].map(core.snapshot) else { continue }
      let unreadable = [output.legibilityWarning(of: inspection.extent)].compactMap(\.self)
      report.warnings += (moment.warnings + inspection.warnings + unreadable).map { "\(output.name): \($0)" }
      guard let legibility = output.legibility(of: inspection.extent) else { continue }
      report.legibility = (report.legibility ?? []) + [legibility]
    }
  }

  /// Waits until outputs present a scene of a source, or until something else covers or replaces it. Adds the results
  /// to the report.
  func waitForFlips(
    of outputs: [OutputID], to source: Shown.Source, _ scene: Scene, since arrival: UInt64,
    into report: inout MessageReport
  ) async {
    for id in outputs {
      switch await shown(id) {
      // A request with the same message name replaces the scene and keeps the message's number.
      case .shown(_, let other) where other?.source != source || other?.scene != scene:
        if let output = core[id] { state.note(core.snapshot(of: output), isNotShowing: source, in: &report) }
      case .shown where core.lostPictures(of: source, on: id) != nil:
        report.notShown.append("\(id.name): \(core.lostPictures(of: source, on: id) ?? "")")
      case .shown(let time, _):
        let elapsed = time > arrival ? Double(time - arrival) / 1_000_000 : 0
        report.shown.append(.init(display: id.name, flipTime: time, milliseconds: elapsed))
      case .notShown(let reason):
        report.notShown.append("\(id.name): \(reason)")
      }
    }
  }

  private func requireSimulator() throws(ControlError) -> any MonitorSimulator {
    if let simulator = environment.simulator { return simulator }
    throw ControlError(
      .conflict, "the service drives real cards, and virtual monitors need `placardd --backend virtual`")
  }

  /// Returns the output with a name, or throws why there is none.
  func connected(_ display: String) throws(ControlError) -> OutputID {
    if let output = core.output(named: display) { return output.id }
    _ = try state.connected(display)
    throw .unknownDisplay(display, known: state.displays().map(\.name))
  }

  /// Throws if there is no connector with a name.
  func mustBeKnown(_ display: String) throws(ControlError) { try state.mustBeKnown(display) }

  /// Returns the report of an output, or throws if its monitor went.
  func report(_ id: OutputID) throws(ControlError) -> DisplayReport {
    guard let output = core[id] else { throw .gone(id.name) }
    return state.report(core.snapshot(of: output))
  }

  /// Returns the reports of the outputs whose monitors are connected.
  func reports(_ ids: [OutputID]) -> [DisplayReport] {
    let state = state
    return ids.compactMap { core.output(named: $0.name) }.map { state.report(core.snapshot(of: $0)) }
  }

  /// Returns the error for an output that shows no frame.
  func notLit(_ id: OutputID) -> ControlError {
    guard let output = core[id] else { return ControlError(.conflict, "\(id.name) is not lit: the monitor is gone") }
    return state.notLit(core.snapshot(of: output))
  }

}
