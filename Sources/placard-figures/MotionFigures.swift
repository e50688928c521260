import Control
import Glibc
import JSON
import Lab

/// What time brings: many plugs on each of three drivers, and a line that scrolls while monitors come and go.
struct MotionFigures {
  /// The directory of placardd, placard and placard-lab.
  let programs: String
  /// The bare client whose line scrolls for comparison, scripts/bench.d/ticker.c compiled.
  let bare: String

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
      "| a line that scrolls on vkms, 60 Hz | whose | pictures | missed | of them in a row | processor time for each, ms |\n"
        + "|---|---|---|---|---|---|")
    for isBesidePlugs in [false, true] {
      let beside = isBesidePlugs ? "a plug or unplug each second" : "nothing else"
      let seconds = isBesidePlugs ? minutes * 60 : minutes * 12
      let bare = try bareTicker(seconds, isBesidePlugs)
      Table.print("| \(beside) | bare client | \(bare.pictures) | \(bare.missed) | \(bare.missedInARow) | |")
      let own = try ownTicker(seconds, isBesidePlugs)
      Table.print(
        "| \(beside) | service | \(own.pictures) | \(own.missed) | \(own.missedInARow) | \(fixed(own.milliseconds, 2)) |")
    }
  }

  private func ownTicker(_ seconds: Int, _ isBesidePlugs: Bool) throws -> Scrolled {
    let guest = try Guest(programs: programs, card: .virtioGPU(outputs: 4))
    defer { guest.lab.down() }
    let service = try guest.startService("legible")
    let vkms = try guest.lab.addVKMS()
    try guest.open(#"{"kind": "ticker", "text": "Gate 17 is boarding now"}"#, on: vkms.connectorName)
    let watched = Watched(guest, vkms.connectorName)
    let before = try watched.look()
    try pass(seconds, isBesidePlugs, guest)
    let after = try watched.look()
    let pictures = Int((after.seconds - before.seconds) * 60)
    let missed = after.missed - before.missed
    try guest.end(service)
    return Scrolled(
      pictures: pictures, missed: missed, missedInARow: after.missedInARow,
      milliseconds: (after.processor - before.processor) * 1000 / Double(max(1, pictures - missed)))
  }

  /// What remains where nothing but the kernel, the emulator and the scheduler can make a picture late.
  private func bareTicker(_ seconds: Int, _ isBesidePlugs: Bool) throws -> Scrolled {
    let guest = try Guest(programs: programs, card: .virtioGPU(outputs: 4))
    defer { guest.lab.down() }
    let vkms = try guest.lab.addVKMS()
    let client = try guest.lab.start([bare, "/dev/dri/\(vkms.node)"])
    try client.waitForLine(containing: "scrolls on", within: .seconds(20))
    let service = try guest.startService("legible")
    try pass(seconds, isBesidePlugs, guest)
    try client.kill(SIGTERM)
    let result = try client.wait(within: .seconds(20))
    // pictures N missed N in a row N
    let numbers = (result.output.split(separator: "\n").last ?? "").split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 3 else { throw FiguresError("the bare client says: \(result.output)\(result.errors)") }
    try guest.end(service)
    return Scrolled(pictures: numbers[0], missed: numbers[1], missedInARow: numbers[2], milliseconds: .nan)
  }

  /// Lets seconds pass, each with a monitor that is plugged or unplugged, or without.
  private func pass(_ seconds: Int, _ isBesidePlugs: Bool, _ guest: Guest) throws {
    for second in 0..<seconds {
      if isBesidePlugs {
        if second % 2 == 0 { try guest.lab.plug(0, width: 1280, height: 720) } else { try guest.lab.unplug(0) }
      }
      poll(nil, 0, 1000)
    }
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

/// How a line has scrolled.
private struct Scrolled {
  /// Of the monitor.
  var pictures: Int
  var missed: Int
  /// The most of them one after the other.
  var missedInARow: Int
  /// Of processor time for each picture; not a number where that was not looked at.
  var milliseconds: Double
}

/// A service that runs, and what is known of it and of one of its displays.
private struct Watched {
  struct Look {
    /// The guest's clock.
    var seconds: Double
    /// Seconds of processor time that the service took so far.
    var processor: Double
    var missed: Int
    /// The most of them one after the other.
    var missedInARow: Int
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
      missed: watched?.missedFrames ?? 0, missedInARow: watched?.missedInARow ?? 0, resident: number("VmRSS"),
      anonymous: number("RssAnon"), descriptors: descriptors.flatMap { Int($0) } ?? 0, threads: number("Threads"))
  }
}
