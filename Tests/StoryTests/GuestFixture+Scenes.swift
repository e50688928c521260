import Control
import Geometry
import JSON
import Lab
import Scenes
import Testing

extension GuestFixture {
  /// Opens a scene on a display as a session, and returns its ID once it is presented.
  @discardableResult
  func open(_ scene: Scene, on display: String, tag: String? = nil) throws -> Int {
    let document = try JSON.encode(scene.document)
    let result = try run(["open", "-", display, "--wait"] + (tag.map { ["--tag", $0] } ?? []), input: document)
    try #require(result.output.contains("\(display): "), "\(result.output)\(result.errors)")
    let words = result.output.split(whereSeparator: \.isWhitespace)
    return try #require(words.dropFirst().first.flatMap { Int($0) }, "\(result.output)")
  }

  /// Returns the sessions of all monitors, including disconnected ones.
  func sessions() throws -> [SessionReport] {
    try JSON.decode([SessionReport].self, from: Array(placard("sessions", "--json").utf8))
  }

  /// Plugs a monitor in, and waits until it has a mode.
  func plug(_ edid: [UInt8], _ output: Int) throws {
    skipLog()
    try lab.plug(output, edid: edid)
    try waitForLog("Virtual-\(output + 1): connected")
    try waitForLog(", scale ")
  }

  /// Unplugs monitors one after the other.
  func unplug(_ outputs: Int...) throws {
    for output in outputs {
      skipLog()
      try lab.unplug(output)
      try waitForLog("Virtual-\(output + 1): disconnected")
    }
  }

  /// Unplugs the monitors of an earlier story, and waits until the daemon has noticed.
  ///
  /// The driver clears the event of a second change that arrives while it handles the first.
  func empty(_ output: Int) throws {
    let name = "Virtual-\(output + 1)"
    if try displays().contains(where: { $0.name == name && $0.state != .disconnected }) { try unplug(output) }
  }

  /// Waits until an output shows a scene as it is painted here.
  func see(_ output: Int, _ scene: Scene, at moment: Int64 = 0) throws {
    let report = try display("Virtual-\(output + 1)")
    _ = try see(
      output, try Expectation(scene, Size(report.width, report.height), scale: report.scale, at: moment))
  }
}

/// A monitor, the output it is plugged into, and the scene it must show.
struct Sign {
  var edid: [UInt8]
  var output: Int
  var scene: Scene

  var display: String { "Virtual-\(output + 1)" }
  /// The text of the scene in events and reports.
  var words: String { if case .banner(let text) = scene.content { text } else { scene.summary } }

  /// Returns the same sign on another output.
  func on(_ output: Int) -> Sign { Sign(edid: edid, output: output, scene: scene) }
}

extension GuestFixture {
  /// Plugs monitors in one after the other, and expects each one's first frame to be its own scene.
  func expectFirstFrames(_ signs: [Sign]) throws {
    let watch = try Watch(self)
    for sign in signs { try plug(sign.edid, sign.output) }
    for sign in signs {
      try watch.wait(for: .messageShown, on: sign.display)
      #expect(try watch.shown(on: sign.display) == [sign.words], "no other scene before it")
      try see(sign.output, sign.scene)
    }
  }
}
