import Configuration
package import Control
import Displays
import Geometry
import JSON
import Ordering
import Scenes

extension Director {
  package func health() async -> HealthReport {
    let kept = await persistence.summary()
    let reasons = state.healthReasons(kept, frozen: frozen, logTroubles)
    return HealthReport(
      state: !isSettled ? .starting : reasons.isEmpty ? .ok : .degraded, ready: isSettled, reasons: reasons,
      uptime: Int((environment.now() &- began) / 1_000_000_000), losses: core.losses.open.map(LossReport.init))
  }

  package func doctor() async throws(ControlError) -> DoctorReport {
    let displays = displays()
    var reasons: [String: WhyReport] = [:]
    for display in displays where display.state != .disconnected { reasons[display.name] = try? why(display.name) }
    return await environment.examine(await status(), displays, reasons)
  }

  package func log() -> LogReport { LogReport(lines: environment.logLines()) }

  /// The number of dropped log lines, in a sentence.
  var logTroubles: [String] {
    let dropped = environment.droppedLogLines()
    return dropped == 0 ? [] : ["log lines dropped: \(dropped), since the reader of standard error takes no more"]
  }

  /// The maximum time that a render thread may spend on one piece of work, in nanoseconds.
  private static let mostWork: UInt64 = 5_000_000_000

  /// The render threads that make no progress, one sentence each, with the displays that they serve.
  private var frozen: [String] {
    painters.compactMap { painter in
      guard let duration = painter.work.duration, duration > Self.mostWork else { return nil }
      let names = core.outputs.filter { painters[$0.painter] === painter }.map(\.name).joined(separator: ", ")
      let seconds = duration / 1_000_000_000
      return "\(names.isEmpty ? "a render thread" : names): painting has made no progress for \(seconds) s; "
        + "restart the service if that goes on"
    }
  }

  package func identify(_ request: IdentifyRequest) async throws(ControlError) -> [DisplayReport] {
    try request.check()
    let seconds = request.seconds ?? 10
    let concerned = if let name = request.display { [try connected(name)] } else { core.outputs.map(\.id) }
    guard !concerned.isEmpty else { return state.waitingReports.filter { $0.state == .dark } }
    let target = request.display.map(Message.Target.display) ?? .all
    let message = try attempt { store, now throws(SessionModelError) in
      try store.post(
        Scene(.identify), to: target, name: Message.identifyName, priority: Message.priorities.upperBound,
        expires: now &+ Int64(seconds) * 1000, at: now)
    }
    step { $0.noteTimed(message.id) }
    await persistence.settled()
    for output in concerned { _ = await shown(output) }
    return reports(concerned)
  }

  package func virtualMonitors() async -> VirtualReport {
    guard environment.simulator != nil else { return VirtualReport(available: false) }
    var choices = VirtualReport.Choice.sizes
    if let folder = core.settings.edids {
      choices += await environment.edids(folder).compactMap(VirtualReport.Choice.init(edid:))
    }
    return VirtualReport(available: true, plugged: core.outputs.map(\.name), choices: choices)
  }
}

extension VirtualReport.Choice {
  /// The common sizes from small to large. A laptop's panel has a connector of its own.
  fileprivate static let sizes: [VirtualReport.Choice] = [
    .init(Size(800, 480), "a small panel"), .init(Size(1024, 600), "a netbook's size"), .init(Size(1280, 720), "720p"),
    .init(Size(1366, 768), "a laptop's panel", into: "eDP-1"), .init(Size(1920, 1080), "1080p"),
    .init(Size(1080, 1920), "upright"), .init(Size(2560, 1440), "1440p"), .init(Size(3440, 1440), "ultrawide"),
    .init(Size(3840, 2160), "4K"),
  ]

  private init(_ size: Size, _ what: String, into display: String? = nil) {
    self.init(
      label: "\(size), \(what)", request: PlugRequest(display: display, width: size.width, height: size.height))
  }

  /// Creates a choice from the EDID of a real monitor; nil if the EDID has no mode that can be chosen.
  fileprivate init?(edid bytes: [UInt8]) {
    guard let choice = EDIDReport(bytes, policy: .native).choice else { return nil }
    let label = MonitorIdentity(edid: bytes, connector: "").label
    self.init(label: "\(label), \(choice.mode.size)", request: PlugRequest(edid: Base64.encode(bytes)))
  }
}
