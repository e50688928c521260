import Control
import Displays
import FoundationEssentials
import Geometry
import Lab
import Testing

/// What is a monitor's own, on a real kernel: its message, and whether it sleeps. One guest with a virtio-gpu card.
@Suite(.serialized, .tags(.lab), .enabled(if: Stage.obstacle == nil, "no lab here: see scripts/test"))
struct SessionStories {
  private static let lab = Result { try Stage.boot() }

  private func stage(_ arguments: String...) throws -> Stage {
    let lab = try Self.lab.get()
    for output in 0..<4 { try? lab.unplug(output) }
    return try Stage(lab: lab, ["--message", "Welcome"] + arguments)
  }

  @Test(arguments: [[], ["--no-atomic"]])
  func `a display sleeps with its mode kept, over unplug and plug, and wakes with its message`(
    options: [String]
  ) throws {
    let stage = try options.isEmpty ? stage() : stage(options[0])
    let lab = stage.lab
    try lab.plug(0, width: 1280, height: 720)
    try lab.plug(1, width: 1024, height: 768)
    _ = try stage.see(0, try Expectation("Welcome", Size(1280, 720)))
    _ = try stage.see(1, try Expectation("Welcome", Size(1024, 768)))

    try stage.placard("sleep", "Virtual-1")
    let crtc = try crtc(stage, "Virtual-1")
    #expect(crtc.contains("enable=1") && crtc.contains("active=0"), "\(crtc)")
    #expect(crtc.contains { $0.hasPrefix("mode: \"1280x720\"") }, "\(crtc)")
    #expect(try self.crtc(stage, "Virtual-2").contains("active=1"), "the other one is awake")

    for _ in 0..<2 {
      stage.skipLog()
      try lab.unplug(0)
      try stage.waitForLog("Virtual-1: disconnected")
      try lab.plug(0, width: 1280, height: 720)
      try stage.waitForLog("Virtual-1: asleep")
      #expect(try stage.display("Virtual-1").state == "asleep")
      #expect(try activeCRTCs(stage) == 1)
    }

    let answer = try stage.run(["show", "Later", "--display", "Virtual-1"])
    #expect(answer.errors.contains("Virtual-1: asleep; the message is shown when it is woken"))
    try stage.placard("wake", "Virtual-1")
    _ = try stage.see(0, try Expectation("Later", Size(1280, 720)))
    #expect(try activeCRTCs(stage) == 2)
    try stage.end()
  }

  @Test(.enabled(if: MonitorData.folder != nil, "no EDIDs of real monitors beside this repository"))
  func `two real monitors change ports, and each shows its own message in its first frame`() throws {
    let (one, other) = (try real("1920", "1080"), try real("1280", "1024"))
    let stage = try stage()
    let lab = stage.lab
    try plug(one, 0, stage)
    try plug(other, 1, stage)
    try stage.placard("show", "One", "--display", "Virtual-1", "--wait")
    try stage.placard("show", "Other", "--display", "Virtual-2", "--wait")
    stage.skipLog()
    for output in 0..<2 {
      try lab.unplug(output)
      try lab.resetEDID(output)
      try stage.waitForLog("Virtual-\(output + 1): disconnected")
    }
    let events = try stage.watch("events", "--json")
    try events.waitForLine(containing: "Waiting for events", within: .seconds(60))
    try plug(one, 1, stage)
    try plug(other, 0, stage)
    for (output, text) in [(0, "Other"), (1, "One")] {
      let report = try stage.display("Virtual-\(output + 1)")
      _ = try stage.see(
        output, try Expectation(text, Size(report.width, report.height), scale: report.scale), within: .seconds(60))
    }
    let shown = try events.output.split(separator: "\n")
      .map { try JSONDecoder().decode(ControlEvent.self, from: Data($0.utf8)) }
      .filter { $0.kind == .messageShown }
    #expect(shown.map(\.detail) == ["One", "Other"], "and nothing else before")
    for output in 0..<2 { try lab.resetEDID(output) }
    try stage.end()
  }

  private func real(_ width: String, _ height: String) throws -> [UInt8] {
    try #require(try MonitorData.first { $0["pref_w"] == width && $0["pref_h"] == height })
  }

  private func plug(_ edid: [UInt8], _ output: Int, _ stage: Stage) throws {
    stage.skipLog()
    try stage.lab.plug(output, edid: edid)
    try stage.waitForLog("Virtual-\(output + 1): connected")
    try stage.waitForLog(", scale ")
  }

  /// What the kernel says of the CRTC that drives a connector (debugfs `state`).
  private func crtc(_ stage: Stage, _ connector: String) throws -> [String] {
    let lines = try state(stage)
    let start = try #require(lines.firstIndex { $0.hasPrefix("connector[") && $0.contains(connector) })
    let route = try #require(lines[start...].first { $0.hasPrefix("crtc=") })
    let head = try #require(
      lines.firstIndex { $0.hasPrefix("crtc[") && $0.hasSuffix(": " + route.dropFirst("crtc=".count)) })
    return Array(lines[(head + 1)...].prefix { !$0.contains("[") || $0.hasPrefix("mode") })
  }

  private func activeCRTCs(_ stage: Stage) throws -> Int { try state(stage).filter { $0 == "active=1" }.count }

  private func state(_ stage: Stage) throws -> [String] {
    try stage.file("/sys/kernel/debug/dri/0/state").split(separator: "\n").map { line in
      String(line.drop { $0 == "\t" || $0 == " " })
    }
  }
}
