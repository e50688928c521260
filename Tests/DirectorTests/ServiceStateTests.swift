import Calendars
import Configuration
import Control
import Displays
import Geometry
import JSON
import Scenes
import Schedules
import Testing

@testable import Director
@testable import Outputs

/// Reports, reasons and refusals as functions of a state, without cards or threads.
struct ServiceStateTests {
  private static func connector(_ name: String, _ status: ConnectionStatus = .connected) -> ConnectorSnapshot {
    ConnectorSnapshot(
      id: 1, name: name, kind: ConnectorKind(named: name.dropLast(2)) ?? ConnectorKind(0), status: status)
  }

  private static func output(_ name: String, _ state: DisplayState = .lit) -> OutputState {
    let connector = connector(name)
    let presentation = Settings().presentation(for: MonitorIdentity(connector), role: .external)
    let id = OutputID(card: CardID(number: 1), name: name, number: 1)
    var fields = OutputFields(id, connector, presentation, painter: 0, at: 5)
    fields.state = state
    var machine = CardMachine(path: "/dev/dri/card0")
    machine.snapshot = CardSnapshot(card: "/dev/dri/card0", driver: "i915", connectors: [connector], crtcs: [])
    return OutputState(
      record: OutputRecord(fields), cardRecord: CardRecord(id.card, path: "/dev/dri/card0", machine: machine))
  }

  /// Returns a state with displays whose monitors are known to the session model.
  private static func state(_ outputs: [OutputState]) -> ServiceState {
    var state = ServiceState(outputs: outputs, now: 1000)
    state.store.attach(
      outputs.map { output in
        Arrival(
          display: output.name, monitor: output.name, label: output.name, place: output.name, role: "external",
          tags: [])
      }, at: 0)
    return state
  }

  private static func refusal(_ body: () throws(ControlError) -> Void) -> String {
    do throws(ControlError) {
      try body()
      return "none"
    } catch { return error.message }
  }

  @Test func `an unknown display is refused with those that exist, and a lost one with the reason`() {
    var state = Self.state([Self.output("HDMI-A-1")])
    #expect(Self.refusal { () throws(ControlError) in try state.mustBeKnown("HDMI-A-1") } == "none")
    #expect(
      Self.refusal { () throws(ControlError) in try state.mustBeKnown("DP-1") }
        == "there is no display DP-1; the displays are HDMI-A-1")
    var report = state.report(Self.output("DP-1"))
    report.reason = "the device is gone"
    state.lost["DP-1"] = LostDisplay(report: report, monitor: "m")
    #expect(
      Self.refusal { () throws(ControlError) in _ = try state.connected("DP-1") }
        == "DP-1 is lost: the device is gone")
  }

  @Test func `a connector without an output has its reason`() {
    var state = Self.state([])
    let connector = Self.connector("DP-1", .disconnected)
    state.cards = [
      CardState(
        path: "/dev/dri/card0", driver: "i915", connectors: [connector],
        bare: ["DP-1": BareConnector(state: connector.bareState(beside: []), since: 7)], lastMonitors: ["DP-1": "Old"])
    ]
    let report = state.displays()[0]
    #expect(report.state == .disconnected && report.reason == "nothing is plugged in" && report.cause == .noMonitor)
    #expect(report.monitor == "Old" && report.since?.milliseconds == 7)
    #expect(
      Self.refusal { () throws(ControlError) in _ = try state.connected("DP-1") } == "DP-1: nothing is plugged in")
  }

  @Test func `a message that another one covers has the reason with its end and the command`() throws {
    var state = Self.state([Self.output("HDMI-A-1")])
    let low = try state.store.post(.banner("low"), name: "low", priority: 1, at: 0)
    let high = try state.store.post(.banner("high"), name: "high", priority: 2, needsAcknowledgement: true, at: 0)
    let shown = state.shown(on: state.outputs[0])
    state.outputs[0].record.change { $0.wanted = shown }
    #expect(
      state.unseenReason(.message(low.id), low.scene)
        == "HDMI-A-1: message \(high.id) (\"high\") covers it until it is acknowledged; `placard ack \(high.id)` ends it"
    )
    #expect(state.unseenReason(.message(high.id), high.scene) == nil)
    var report = MessageReport(display: nil, text: nil)
    state.note(state.outputs[0], isNotShowing: .message(low.id), in: &report)
    #expect(report.covers?.map(\.message) == [high.id] && report.notShown.count == 1)
    state.outputs[0].record.change { $0.state = .dark(.failed, reason: "broken") }
    #expect(state.unseenReason(.message(high.id), high.scene) == "HDMI-A-1: broken")
  }

  @Test func `a message for a role or a tag without a display says so`() throws {
    var state = Self.state([Self.output("HDMI-A-1")])
    let role = try state.store.post(.banner("a"), to: .role("internal"), at: 0)
    let tag = try state.store.post(.banner("a"), to: .tag("lobby"), at: 0)
    #expect(state.unseenReason(.message(role.id), role.scene)?.hasPrefix("no internal display is connected") == true)
    #expect(
      state.unseenReason(.message(tag.id), tag.scene)?.hasPrefix("no connected display has the tag lobby") == true)
    state.outputs = []
    #expect(state.unseenReason(.message(tag.id), tag.scene) == "no monitor is connected")
  }

  @Test func `a mode that the monitor does not list is refused with the nearest ones`() {
    var output = Self.output("HDMI-A-1")
    output.record.change { $0.pending = PendingMode(choice: MonitorChoice(), until: nil) }
    let state = Self.state([output])
    #expect(
      Self.refusal { () throws(ControlError) in _ = try state.choice(of: ModeRequest(mode: "640x480"), for: output) }
        == "the monitor on HDMI-A-1 has no mode 640x480: it lists none")
    #expect(
      Self.refusal { () throws(ControlError) in _ = try state.choice(of: ModeRequest(mode: "big"), for: output) }
        .hasPrefix("big is not a mode"))
    #expect(
      Self.refusal { () throws(ControlError) in _ = try state.choice(of: ModeRequest(), for: output) }
        .hasPrefix("A request for a mode needs mode or rotation"))
    let choice = try? state.choice(of: ModeRequest(mode: "native", rotation: 90), for: output)
    #expect(choice?.mode == "native" && choice?.rotation == .quarter)
  }

  @Test func `a pending choice overrides the settings, and its reason names the way to keep it`() {
    var state = Self.state([Self.output("HDMI-A-1")])
    _ = state.store.choose(MonitorChoice(rotation: .half), on: "HDMI-A-1")
    let kept = state.presentation(of: state.outputs[0])
    #expect(kept.rotation == .half && kept.reasons.last?.contains("placard mode HDMI-A-1 --reset") == true)
    state.outputs[0].record.change { $0.pending = PendingMode(choice: MonitorChoice(rotation: .quarter), until: 9) }
    let pending = state.presentation(of: state.outputs[0])
    #expect(pending.rotation == .quarter && pending.reasons.last?.contains("--confirm") == true)
    #expect(state.report(state.outputs[0]).pending?.until.milliseconds == 9)
  }

  @Test func `a display sleeps by its own wish or during a host suspend, with the way to wake it`() {
    var state = Self.state([Self.output("HDMI-A-1")])
    #expect(state.wish(of: state.outputs[0], content: 3).sleepReason == nil)
    state.hold = ControllerHold(isOn: true)
    #expect(
      state.wish(of: state.outputs[0], content: 3).sleepReason
        == "asleep while the machine sleeps or its lid is closed; `placard wake HDMI-A-1` lights it")
    _ = state.store.setAsleep(true, on: "HDMI-A-1")
    #expect(state.sleepReason(state.outputs[0]) == "asleep; `placard wake HDMI-A-1` lights it")
  }

  @Test func `a display sleeps outside its hours, until they begin or it is woken`() throws {
    // 2026-11-27 is a Friday.
    let zone = try Zone(named: "Europe/Berlin")
    var output = Self.output("HDMI-A-1")
    let hours = try DisplayHours(parsing: "Mo-Fr 07:00-19:00", zone: "Europe/Berlin")
    output.record.change { $0.presentation.hours = hours }
    var state = Self.state([output])
    state.now = zone.seconds(of: try DateTime("2026-11-27T18:59:59")) * 1000
    #expect(!state.isToSleep(output))
    state.now += 1000
    #expect(state.isToSleep(output))
    let monday = zone.seconds(of: try DateTime("2026-11-30T07:00:00")) * 1000
    #expect(state.nextHours(output) == monday)
    let words = state.sleepReason(output)
    #expect(words.hasPrefix("asleep outside its hours (Mo-Fr 07:00-19:00), until 30 November 07:00"), "\(words)")
    #expect(words.hasSuffix("; `placard wake HDMI-A-1` lights it"))
    let reason = try state.why("HDMI-A-1").reasons.last
    #expect(reason == "its hours are Mo-Fr 07:00-19:00 in Europe/Berlin: asleep until 30 November 07:00")
    state.wokenUntil = ["HDMI-A-1": monday]
    #expect(!state.isToSleep(output))
    state.now = monday
    #expect(!state.isToSleep(output))
  }

  @Test func `a session scrolls by pages only while it is on screen, and to headings that exist`() throws {
    var state = Self.state([Self.output("HDMI-A-1")])
    let scene = try Scene(document: ["kind": "markdown", "text": "# First steps\n\nText"])
    let session = state.store.open(scene, tag: nil, on: "HDMI-A-1", at: 0)
    #expect(
      Self.refusal { () throws(ControlError) in _ = try state.place(.page(1), from: session) }
        .contains("is not on screen"))
    #expect(
      Self.refusal { () throws(ControlError) in _ = try state.place(.heading("first-step"), from: session) }
        .hasSuffix("did you mean #first-steps?"))
    #expect(try state.place(.heading("first-steps"), from: session) == .heading("first-steps"))
    let shown = state.shown(on: state.outputs[0])
    state.outputs[0].record.change { output in
      output.showing.shown = shown
      output.showing.extent.pages = 3
    }
    #expect(try state.place(.page(1), from: session) == .page(1, of: 3))
  }

  @Test func `a clock that is set is detected once, and drift or a first reading is not`() {
    var lead = ClockLead()
    #expect(lead.jump(to: 1_795_000_000_000) == nil, "the first reading, even far from 1970")
    #expect(lead.jump(to: 1_795_000_001_000) == nil, "drift")
    #expect(lead.jump(to: 1_795_000_002_001) == 1001)
    #expect(lead.jump(to: 1_795_000_002_001) == nil)
    #expect(lead.jump(to: 0) == -1_795_000_002_001, "a clock that was set back to 1970")
  }

  @Test func `the interface has the limits of the model`() {
    let (priorities, sides) = (Message.priorities, 16...FrameLimits.longestSide)
    #expect(
      MessageRequest.interface["priority"]?.limit == "from \(priorities.lowerBound) to \(priorities.upperBound)")
    for side in ["width", "height"] {
      #expect(PlugRequest.interface[side]?.limit == "from \(sides.lowerBound) to \(sides.upperBound)")
    }
    #expect(ModeRequest.interface["rotation"]?.choices == Rotation.allCases.map { "\($0.rawValue)" })
    #expect(MessageRequest.interface["role"]?.choices == Role.allCases.map(\.rawValue))
  }

  @Test func `the health names dark displays, lost images and settings that need a restart`() {
    var state = Self.state([Self.output("HDMI-A-1", .dark(.refused, reason: "no mode was accepted"))])
    state.sharedSettings = Shared(Settings(backend: .kms))
    let reasons = state.healthReasons(PersistenceSummary("full disk", isInTrouble: true), frozen: ["frozen"], ["log"])
    #expect(reasons[0].hasPrefix("HDMI-A-1 is dark") && reasons[0].contains("placard why HDMI-A-1"))
    #expect(reasons.dropFirst().prefix(2) == ["frozen", "full disk"] && reasons.last == "log")
    #expect(reasons.contains { $0.contains("backend") })
  }
}
