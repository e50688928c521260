import Control
import Glibc
import JSON
import Lab

/// The measurements in the guest.
///
/// An uncounted first run of each loads the files into its page cache.
struct Measurements {
  let guest: Guest
  let rounds: Int

  /// The start times of the service, of the bare client, and of the bare client that draws a line of text.
  struct Start {
    var placard = Sample()
    var bare = Sample()
    var line = Sample()

    func ratio(to other: Sample) -> String { fixed(placard.median / other.median, 2) }
  }

  /// Measures the time from exec to the frame on a connected monitor.
  ///
  /// Service and bare clients alternate.
  func start(_ monitor: Extent, policy: String, showing picture: Extent) throws -> Start {
    var start = Start()
    try guest.lab.plug(0, width: monitor.width, height: monitor.height)
    for round in 0...rounds {
      let placard = try run(guest.service(policy), saying: ", scale ", FramePredicate.placard(picture))
      let bare = try run(guest.bareClient(), saying: "lit", FramePredicate.bare(monitor))
      let line = try run(guest.bareClient("-line"), saying: "lit", FramePredicate.line(monitor))
      guard round > 0 else { continue }
      start.placard.add(placard)
      start.bare.add(bare)
      start.line.add(line)
    }
    try guest.lab.unplug(0)
    return start
  }

  private func run(_ command: [String], saying line: String, _ matches: (CapturedFrame) -> Bool) throws -> Double {
    var process: LabProcess?
    let seconds = try guest.time(0, matches) { () throws(LabError) in
      process = try guest.lab.start(command)
      try process?.waitForLine(containing: line, within: .seconds(20))
    }
    if let process { try guest.end(process) }
    try guest.waitForDifferentFrame(0, than: matches)
    return seconds
  }

  /// Times of hotplugs while the service runs.
  struct Plug {
    /// Seconds until the first monitor since the service's start shows a frame.
    var first = Sample()
    /// Milliseconds from the kernel's uevent to the flip, by the guest's clock.
    var flip = Sample()
    var again = Sample()
    /// Seconds until a second monitor shows a frame beside an enabled one.
    var beside = Sample()
  }

  func plug(_ size: Extent) throws -> Plug {
    var plug = Plug()
    for round in 0...rounds {
      let service = try guest.startService("native")
      let first = try plugged(0, size)
      try unplug(0, size)
      let again = try plugged(0, size)
      let beside = try plugged(1, size)
      try unplug(1, size)
      try unplug(0, size)
      try guest.end(service)
      guard round > 0 else { continue }
      plug.first.add(first.seconds)
      plug.again.add(again.seconds)
      plug.beside.add(beside.seconds)
      for each in [first, again, beside] { plug.flip.add(each.milliseconds) }
    }
    return plug
  }

  private func plugged(_ output: Int, _ size: Extent) throws -> (seconds: Double, milliseconds: Double) {
    let events = try guest.placard(["events", "--json"])
    try events.waitForLine(containing: "Waiting for events", within: .seconds(20))
    let mark = try guest.lab.ueventCount
    let seconds = try guest.time(output, FramePredicate.placard(size)) { () throws(LabError) in
      try guest.lab.plug(output, width: size.width, height: size.height)
      try events.waitForLine(containing: "messageShown", within: .seconds(20))
    }
    let uevent = try guest.lab.waitForUevent(from: mark, within: .seconds(5)) { $0.isHotplug }
    let line = try events.waitForLine(containing: "messageShown", within: .seconds(5))
    let shown = try JSON.decode(ControlEvent.self, from: events.lines[line].text.utf8)
    try guest.end(events)
    return (seconds, (Double(shown.time) - Double(uevent.nanoseconds)) / 1e6)
  }

  private func unplug(_ output: Int, _ size: Extent) throws {
    try guest.lab.unplug(output)
    try guest.waitForDifferentFrame(output, than: FramePredicate.placard(size))
  }

  /// Times of messages on an enabled display.
  struct Message {
    /// Seconds from the start of `placard` to the frame.
    var picture = Sample()
    /// Seconds from writing the text to a waiting `placard` process to the frame.
    var piped = Sample()
    /// Milliseconds from the arrival of the request to the flip, as the service reports them.
    var flip = Sample()
  }

  func message(_ size: Extent) throws -> Message {
    var message = Message()
    let service = try guest.startService("native")
    _ = try plugged(0, size)
    for round in 0...rounds {
      let text = "Gate \(17 + round) is boarding now"
      let started = try show(size) { () throws(LabError) in try guest.placard(["show", "--wait", text]) }
      let waiting = try guest.placard(["show", "--wait", "-"], input: nil)
      // No event reports that the process reads its input. Two seconds suffice.
      poll(nil, 0, 2000)
      let piped = try show(size) { () throws(LabError) in
        try waiting.write(Array((text + ", please").utf8))
        try waiting.closeInput()
        return waiting
      }
      guard round > 0, let reported = milliseconds(in: started.answer) else { continue }
      message.picture.add(started.seconds)
      message.piped.add(piped.seconds)
      message.flip.add(reported)
    }
    try unplug(0, size)
    try guest.end(service)
    return message
  }

  /// Measures the time from an action until a new frame is on screen.
  ///
  /// The action returns a `placard` process, which reports when the message is shown.
  private func show(
    _ size: Extent, _ act: () throws(LabError) -> LabProcess
  ) throws -> (seconds: Double, answer: String) {
    let before = try guest.lab.picture(0)
    var tool: LabProcess?
    let isNew = { (picture: CapturedFrame) in FramePredicate.placard(size)(picture) && picture != before }
    let seconds = try guest.time(0, isNew) { () throws(LabError) in
      tool = try act()
      try tool?.waitForLine(containing: " ms", within: .seconds(20))
    }
    return (seconds, try tool?.wait(within: .seconds(20)).output ?? "")
  }

  /// Parses the number in `Virtual-1: shown after 4.2 ms`.
  private func milliseconds(in answer: String) -> Double? {
    let words = answer.split(whereSeparator: \.isWhitespace)
    guard let unit = words.firstIndex(of: "ms"), unit > 0 else { return nil }
    return Double(words[unit - 1])
  }
}
