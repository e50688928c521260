import Control
import Glibc
import JSON
import Lab

/// Long-running measurements: many hotplugs on each of three drivers, and scrolling while monitors come and go.
struct MotionFigures {
  /// The directory of placardd, placard and placard-lab.
  let programs: String
  /// The directory of the compiled scripts/bench.d/ticker.c and heartbeat.c.
  ///
  /// The ticker is a bare client that scrolls a line for comparison. The heartbeat reports when the guest stalled.
  let yardsticks: String

  /// Measures the milliseconds from the kernel's uevent to the first flip, and prints one row per driver.
  func plugs(_ count: Int) throws {
    Table.print("| from uevent to flip, ms, of \(count) plugs | median | worst |\n|---|---|---|")
    for driver in PluggedCard.Driver.allCases {
      let guest = try Guest(programs: programs, card: driver == .virtio ? .virtioGPU(outputs: 4) : .none)
      defer { guest.lab.down() }
      let service = try guest.startService("legible")
      let card = try PluggedCard(driver, in: guest.lab)
      let events = try guest.placard(["events", "--json"])
      var line = try events.waitForLine(containing: "Waiting for events", within: .seconds(20))
      var sample = Sample()
      // The first plug is not counted: it loads all programs and fonts into the guest's memory.
      for number in 0...count {
        try card.unplug()
        line = try events.waitForLine(containing: "\"disconnected\"", from: line + 1, within: .seconds(30))
        // The service holds events back that follow another one within 50 ms, so a service that reports the unplug sooner
        // would seem slower.
        poll(nil, 0, 100)
        let mark = try guest.lab.ueventCount
        try card.plug()
        line = try events.waitForLine(containing: "\"messageShown\"", from: line + 1, within: .seconds(30))
        let uevent = try guest.lab.waitForUevent(from: mark, within: .seconds(5)) { $0.isOfDisplays }
        let shown = try JSON.decode(ControlEvent.self, from: events.lines[line].text.utf8)
        if number > 0 { sample.add((Double(shown.time) - Double(uevent.nanoseconds)) / 1e6) }
      }
      Table.print("| \(driver.rawValue) | \(fixed(sample.median, 1)) | \(fixed(sample.values.max() ?? .nan, 1)) |")
      try guest.end(events)
      try guest.end(service)
    }
  }

  /// Compares a line that the service scrolls on vkms with one that the bare client scrolls.
  ///
  /// The first part, of a fifth of the minutes, runs undisturbed: the line alone, and as a zone below a static scene and
  /// below one that changes each second. In the second part, another monitor is plugged or unplugged each second. The
  /// service drives that monitor in both cases.
  func ticker(minutes: Int) throws {
    Table.print(
      "| a line that scrolls on vkms, 60 Hz | whose | pictures | missed | in a row | of them while the guest ran | in a row "
        + "| processor time for each, ms |\n|---|---|---|---|---|---|---|---|")
    for isBesidePlugs in [false, true] {
      let beside = isBesidePlugs ? "a plug or unplug each second" : "nothing else"
      let seconds = isBesidePlugs ? minutes * 60 : minutes * 12
      Table.print("| \(beside) | bare client | \(try bareTicker(seconds, isBesidePlugs).row) |")
      Table.print("| \(beside) | service | \(try ownTicker(seconds, isBesidePlugs).row) |")
      guard !isBesidePlugs else { continue }
      for (main, words) in [(Self.banner, "a static scene above it"), (Self.clock, "a scene that changes each second")]
      {
        let zones = #"{"kind": "zones", "main": \#(main), "zones": [{"at": "bottom", "show": \#(Self.line)}]}"#
        Table.print("| \(words) | service | \(try ownTicker(seconds, isBesidePlugs, zones).row) |")
      }
    }
  }

  private static let line = #"{"kind": "ticker", "text": "Gate 17 is boarding now"}"#
  private static let banner = #"{"kind": "banner", "text": "Departures"}"#
  private static let clock = #"{"kind": "clock", "seconds": true}"#

  private func ownTicker(_ seconds: Int, _ isBesidePlugs: Bool, _ scene: String = line) throws -> Scrolled {
    let guest = try Guest(programs: programs, card: .virtioGPU(outputs: 4))
    defer { guest.lab.down() }
    let service = try guest.startService("legible", ["--log", "debug"])
    let vkms = try guest.lab.addVKMS()
    let heartbeat = try heartbeat(in: guest)
    try guest.open(scene, on: vkms.connectorName)
    let watched = ServiceProbe(guest, vkms.connectorName)
    let before = try watched.look()
    let span = try pass(seconds, isBesidePlugs, guest)
    let after = try watched.look()
    try guest.end(service)
    // The queries at the start and end load the guest, so frames missed outside the span do not count.
    let misses = service.lines.compactMap { Miss($0.text) }.filter { span.contains($0.time) }
    let shown = (after.seconds - before.seconds) * 60 - Double(after.missed - before.missed)
    return Scrolled(
      span: span, misses: misses, standstills: heartbeat.lines.compactMap { Standstill($0.text) },
      milliseconds: (after.processor - before.processor) * 1000 / max(1, shown))
  }

  /// Measures the baseline: only the kernel, the emulator and the scheduler can delay these frames.
  private func bareTicker(_ seconds: Int, _ isBesidePlugs: Bool) throws -> Scrolled {
    let guest = try Guest(programs: programs, card: .virtioGPU(outputs: 4))
    defer { guest.lab.down() }
    let vkms = try guest.lab.addVKMS()
    let heartbeat = try heartbeat(in: guest)
    let client = try guest.lab.start(["\(yardsticks)/ticker", "/dev/dri/\(vkms.node)"])
    try client.waitForLine(containing: "scrolls on", within: .seconds(20))
    let service = try guest.startService("legible")
    let span = try pass(seconds, isBesidePlugs, guest)
    try client.kill(SIGTERM)
    let result = try client.wait(within: .seconds(20))
    guard result.output.contains("pictures") else {
      throw FiguresError("the bare client says: \(result.output)\(result.errors)")
    }
    // The client scrolled before the service's start. Frames missed outside the span do not count.
    let misses = result.output.split(separator: "\n").compactMap { Miss(String($0)) }.filter { span.contains($0.time) }
    try guest.end(service)
    return Scrolled(
      span: span, misses: misses,
      standstills: heartbeat.lines.compactMap { Standstill($0.text) }, milliseconds: nil)
  }

  private func heartbeat(in guest: Guest) throws -> LabProcess {
    let heartbeat = try guest.lab.start(["\(yardsticks)/heartbeat"])
    try heartbeat.waitForLine(containing: "beats", within: .seconds(20))
    return heartbeat
  }

  /// Waits for a number of seconds, optionally with a plug or unplug in each.
  ///
  /// - Returns: The elapsed span in microseconds of the guest's CLOCK_MONOTONIC.
  private func pass(_ seconds: Int, _ isBesidePlugs: Bool, _ guest: Guest) throws -> Range<UInt64> {
    let beginning = try guest.lab.clock() / 1000
    for second in 0..<seconds {
      if isBesidePlugs {
        if second % 2 == 0 { try guest.lab.plug(0, width: 1280, height: 720) } else { try guest.lab.unplug(0) }
      }
      poll(nil, 0, 1000)
    }
    return beginning..<(try guest.lab.clock() / 1000)
  }

  /// Measures the service's resource usage while a line scrolls on vkms and a clock with seconds runs on virtio-gpu.
  func endurance(minutes: Int) throws {
    let guest = try Guest(programs: programs, card: .virtioGPU(outputs: 4))
    defer { guest.lab.down() }
    let service = try guest.startService("legible")
    let vkms = try guest.lab.addVKMS()
    try guest.lab.plug(0, width: 1280, height: 720)
    try guest.open(#"{"kind": "ticker", "text": "Gate 17 is boarding now"}"#, on: vkms.connectorName)
    try guest.open(#"{"kind": "clock", "seconds": true}"#, on: "Virtual-1")
    let watched = ServiceProbe(guest, vkms.connectorName)
    Table.print("| minutes | RSS, KiB | of it anonymous | descriptors | threads | missed |\n|---|---|---|---|---|---|")
    for minute in 0...max(1, minutes) {
      if minute > 0 { poll(nil, 0, 60_000) }
      guard minute < 3 || minute % 10 == 0 || minute == minutes else { continue }
      let look = try watched.look()
      Table.print(
        "| \(minute) | \(look.resident) | \(look.anonymous) | \(look.descriptors) | \(look.threads) | \(look.missed) |")
    }
    try guest.end(service)
  }
}

/// A log entry about missed frames, `missed 1 before 24045745`, in microseconds of CLOCK_MONOTONIC.
private struct Miss {
  let count: Int
  let time: UInt64

  init?(_ line: String) {
    let all = line.split(separator: " ").map(String.init)
    let words = Array(all[(all.firstIndex(of: "missed") ?? all.endIndex)...])
    guard words.count >= 4, words[2] == "before", let count = Int(words[1]), let time = UInt64(words[3]) else {
      return nil
    }
    (self.count, self.time) = (count, time)
  }

  /// The time from the last presented frame before the missed ones to the next presented frame, at 60 Hz.
  var span: Range<UInt64> { time - min(time, UInt64(count + 1) * 16_667)..<time }
}

/// A period in which the guest stalled: `still 24045745 24058112`, in microseconds of CLOCK_MONOTONIC.
private struct Standstill {
  let span: Range<UInt64>

  init?(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 3, words[0] == "still", let begin = UInt64(words[1]), let end = UInt64(words[2]), begin < end
    else { return nil }
    span = begin..<end
  }
}

/// The results of a scrolling measurement.
private struct Scrolled {
  /// The measured span in microseconds of CLOCK_MONOTONIC.
  var span: Range<UInt64>
  var misses: [Miss]
  var standstills: [Standstill]
  /// The processor time per frame in milliseconds, or nil if it was not measured.
  var milliseconds: Double?

  /// The number of refresh cycles of the monitor in the span, at 60 Hz.
  private var pictures: Int { span.count * 60 / 1_000_000 }

  /// The missed frames that do not overlap a stall of the guest.
  private var own: [Miss] {
    misses.filter { miss in !standstills.contains { $0.span.overlaps(miss.span) } }
  }

  /// The cells of the table row.
  var row: String {
    func cells(_ misses: [Miss]) -> String {
      "\(misses.map(\.count).reduce(0, +)) | \(misses.map(\.count).max() ?? 0)"
    }
    return "\(pictures) | \(cells(misses)) | \(cells(own)) | \(milliseconds.map { fixed($0, 2) } ?? "")"
  }
}

/// The running service and one of its displays.
private struct ServiceProbe {
  struct FramePredicate {
    /// The guest's clock in seconds.
    var seconds: Double
    /// The processor time that the service has used so far, in seconds.
    var processor: Double
    var missed: Int
    /// The resident set size in KiB.
    var resident: Int
    var anonymous: Int
    var descriptors: Int
    var threads: Int
  }

  private let guest: Guest
  private let display: String

  init(_ guest: Guest, _ display: String) { (self.guest, self.display) = (guest, display) }

  func look() throws -> FramePredicate {
    let lab = guest.lab
    let pid = try lab.process(named: "placardd")
    let report = try guest.placard(["displays", "--json"]).wait(within: .seconds(30)).output
    let displays = try JSON.decode([DisplayReport].self, from: Array(report.utf8))
    let status = try lab.text("/proc/\(pid)/status").split(separator: "\n")
    func number(_ key: String) -> Int {
      status.first { $0.hasPrefix(key + ":") }?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap {
        Int($0)
      }
        ?? 0
    }
    // utime and stime in hundredths of a second. They follow the name in parentheses (kernel:
    // Documentation/filesystems/proc.rst, stat).
    let words = try lab.text("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = words.count > 12 ? (Double(words[11]) ?? 0) + (Double(words[12]) ?? 0) : 0
    let descriptors = try lab.shell("ls /proc/\(pid)/fd | wc -l").split(whereSeparator: \.isWhitespace).first
    let watched = displays.first { $0.name == display }
    return FramePredicate(
      seconds: Double(try lab.clock()) / 1e9, processor: ticks / 100,
      missed: watched?.missedFrames ?? 0, resident: number("VmRSS"),
      anonymous: number("RssAnon"), descriptors: descriptors.flatMap { Int($0) } ?? 0, threads: number("Threads"))
  }
}
