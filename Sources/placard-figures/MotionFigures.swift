import Control
import Glibc
import JSON
import Lab

/// What time brings: many plugs on each of three drivers, and a line that scrolls while monitors come and go.
struct MotionFigures {
  /// The directory of placardd, placard and placard-lab.
  let programs: String
  /// The directory of the bare client whose line scrolls for comparison, and of the heartbeat that tells when the guest
  /// stood still: scripts/bench.d/ticker.c and heartbeat.c compiled.
  let yardsticks: String

  /// Milliseconds from the kernel's uevent to the first flip of so many plugs, for each driver a row.
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
      // The first is not counted: then all programs and fonts are in the guest's memory.
      for number in 0...count {
        try card.unplug()
        line = try events.waitForLine(containing: "\"disconnected\"", from: line + 1, within: .seconds(30))
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

  /// A line that scrolls on vkms, beside nothing for a fifth of so many minutes, and then beside a monitor that is plugged or
  /// unplugged each second: the bare client's, while the service lights the monitor only, and the service's own.
  func ticker(minutes: Int) throws {
    Table.print(
      "| a line that scrolls on vkms, 60 Hz | whose | pictures | missed | in a row | of them while the guest ran | in a row "
        + "| processor time for each, ms |\n|---|---|---|---|---|---|---|---|")
    for isBesidePlugs in [false, true] {
      let beside = isBesidePlugs ? "a plug or unplug each second" : "nothing else"
      let seconds = isBesidePlugs ? minutes * 60 : minutes * 12
      Table.print("| \(beside) | bare client | \(try bareTicker(seconds, isBesidePlugs).row) |")
      Table.print("| \(beside) | service | \(try ownTicker(seconds, isBesidePlugs).row) |")
    }
  }

  private func ownTicker(_ seconds: Int, _ isBesidePlugs: Bool) throws -> Scrolled {
    let guest = try Guest(programs: programs, card: .virtioGPU(outputs: 4))
    defer { guest.lab.down() }
    let service = try guest.startService("legible", ["--log", "debug"])
    let vkms = try guest.lab.addVKMS()
    let heartbeat = try heartbeat(in: guest)
    try guest.open(#"{"kind": "ticker", "text": "Gate 17 is boarding now"}"#, on: vkms.connectorName)
    let watched = Watched(guest, vkms.connectorName)
    let before = try watched.look()
    let span = try pass(seconds, isBesidePlugs, guest)
    let after = try watched.look()
    try guest.end(service)
    // The looks themselves are work for the guest, which is not measured.
    let misses = service.lines.compactMap { Miss($0.text) }.filter { span.contains($0.time) }
    let shown = (after.seconds - before.seconds) * 60 - Double(after.missed - before.missed)
    return Scrolled(
      span: span, misses: misses, standstills: heartbeat.lines.compactMap { Standstill($0.text) },
      milliseconds: (after.processor - before.processor) * 1000 / max(1, shown))
  }

  /// What remains where nothing but the kernel, the emulator and the scheduler can make a picture late.
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
    // It has scrolled since before the service's start, which is not measured.
    let misses = result.output.split(separator: "\n").compactMap { Miss(String($0)) }.filter { span.contains($0.time) }
    try guest.end(service)
    return Scrolled(
      span: span, misses: misses,
      standstills: heartbeat.lines.compactMap { Standstill($0.text) }, milliseconds: nil)
  }

  private func heartbeat(in guest: Guest) throws -> GuestProcess {
    let heartbeat = try guest.lab.start(["\(yardsticks)/heartbeat"])
    try heartbeat.waitForLine(containing: "beats", within: .seconds(20))
    return heartbeat
  }

  /// Lets seconds pass, each with a monitor that is plugged or unplugged, or without. Answers when that was, in microseconds
  /// of the guest's CLOCK_MONOTONIC.
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

  /// A line that scrolls on vkms and a clock with seconds on virtio-gpu, for so many minutes: what the service has.
  func endurance(minutes: Int) throws {
    let guest = try Guest(programs: programs, card: .virtioGPU(outputs: 4))
    defer { guest.lab.down() }
    let service = try guest.startService("legible")
    let vkms = try guest.lab.addVKMS()
    try guest.lab.plug(0, width: 1280, height: 720)
    try guest.open(#"{"kind": "ticker", "text": "Gate 17 is boarding now"}"#, on: vkms.connectorName)
    try guest.open(#"{"kind": "clock", "seconds": true}"#, on: "Virtual-1")
    let watched = Watched(guest, vkms.connectorName)
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

/// Pictures that were missed before one: `missed 1 before 24045745`, in microseconds of CLOCK_MONOTONIC.
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

  /// When the missed ones were due, and the one before.
  var span: Range<UInt64> { time - min(time, UInt64(count + 1) * 16_667)..<time }
}

/// A time in which the guest stood still: `still 24045745 24058112`, in microseconds of CLOCK_MONOTONIC.
private struct Standstill {
  let span: Range<UInt64>

  init?(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 3, words[0] == "still", let begin = UInt64(words[1]), let end = UInt64(words[2]), begin < end
    else { return nil }
    span = begin..<end
  }
}

/// How a line has scrolled.
private struct Scrolled {
  /// When, in microseconds of CLOCK_MONOTONIC.
  var span: Range<UInt64>
  var misses: [Miss]
  var standstills: [Standstill]
  /// Of processor time for each picture; nil where that was not looked at.
  var milliseconds: Double?

  /// Of the monitor.
  private var pictures: Int { span.count * 60 / 1_000_000 }

  /// Those beside which the guest stood still for no time that counts.
  private var own: [Miss] {
    misses.filter { miss in !standstills.contains { $0.span.overlaps(miss.span) } }
  }

  /// What the table says of it.
  var row: String {
    func cells(_ misses: [Miss]) -> String {
      "\(misses.map(\.count).reduce(0, +)) | \(misses.map(\.count).max() ?? 0)"
    }
    return "\(pictures) | \(cells(misses)) | \(cells(own)) | \(milliseconds.map { fixed($0, 2) } ?? "")"
  }
}

/// A service that runs, and what is known of it and of one of its displays.
private struct Watched {
  struct Look {
    /// The guest's clock.
    var seconds: Double
    /// Seconds of processor time that the service took so far.
    var processor: Double
    var missed: Int
    /// KiB.
    var resident: Int
    var anonymous: Int
    var descriptors: Int
    var threads: Int
  }

  private let guest: Guest
  private let display: String

  init(_ guest: Guest, _ display: String) { (self.guest, self.display) = (guest, display) }

  func look() throws -> Look {
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
    // utime and stime in hundredths of a second, behind the name in its brackets (kernel:
    // Documentation/filesystems/proc.rst, stat).
    let words = try lab.text("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = words.count > 12 ? (Double(words[11]) ?? 0) + (Double(words[12]) ?? 0) : 0
    let descriptors = try lab.shell("ls /proc/\(pid)/fd | wc -l").split(whereSeparator: \.isWhitespace).first
    let watched = displays.first { $0.name == display }
    return Look(
      seconds: Double(try lab.clock()) / 1e9, processor: ticks / 100,
      missed: watched?.missedFrames ?? 0, resident: number("VmRSS"),
      anonymous: number("RssAnon"), descriptors: descriptors.flatMap { Int($0) } ?? 0, threads: number("Threads"))
  }
}
