import Calendars
import Geometry
import Lab
import Scenes
import Testing

/// How often the daemon wakes up while nothing, or little, changes. The guest is idle for most of this suite.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"))
struct WakeUpStories {
  /// Noon on 21 November 2026 in UTC, in seconds since 1970.
  private static let noon = 1_795_262_400

  @Test func `a banner causes no wake-ups, and a clock only when its text changes`() throws {
    let guest = try GuestFixture(LabOptions(), ["--message", "Welcome"])
    try guest.lab.plug(0, width: 1280, height: 720)
    _ = try guest.see(0, try Expectation("Welcome", Size(1280, 720)))
    try guest.open(.banner("At rest"), on: "Virtual-1")
    let banner = try wakeUps(guest, at: [3, 23], from: try now(guest))
    #expect(banner == [[:]], "wake-ups with a banner")

    // One minute ends in the middle of each period. The clock is set past the time between them, which shows the new
    // time at once.
    let clock = Scene(.clock(Clock(zone: "UTC")))
    try guest.open(clock, on: "Virtual-1")
    var minutes: [[String: Int]] = []
    for (start, moments) in [(30, [40, 55, 65, 80]), (100, [110, 117, 125])] {
      try guest.lab.shell("date -u -s @\(Self.noon + start)")
      try guest.see(0, clock, at: Int64(Self.noon + start) * 1000)
      minutes += try wakeUps(guest, at: moments, from: Self.noon)
    }
    try guest.see(0, clock, at: Int64(Self.noon + 125) * 1000)
    let counts = minutes.map { $0.values.reduce(0, +) }
    #expect(counts[0] == 0 && counts[2] == 0 && counts[3] == 0, "wake-ups while nothing changes: \(minutes)")
    #expect(
      (1...12).contains(counts[1]) && (1...12).contains(counts[4]), "wake-ups for a change each minute: \(minutes)")

    try guest.open(Scene(.clock(Clock(zone: "UTC", hasSeconds: true))), on: "Virtual-1")
    let seconds = try wakeUps(guest, at: [3, 13], from: try now(guest))
    let rate = Double(seconds[0].values.reduce(0, +)) / 10
    #expect((1...12).contains(rate), "wake-ups for a change each second: \(seconds)")
    print("wake-ups: banner \(banner), minutes \(minutes), 10 seconds \(seconds)")
    try guest.end()
  }

  /// Returns how often each thread of the daemon woke up between two times, in seconds of the guest's clock from
  /// `start` on. Threads without wake-ups are omitted.
  private func wakeUps(_ guest: GuestFixture, at moments: [Int], from start: Int) throws -> [[String: Int]] {
    let pid = try guest.pid()
    let counts = try moments.map { moment in
      try guest.lab.shell(
        "left=$((\(start + moment) - $(date +%s))); if [ $left -gt 0 ]; then sleep $left; fi", within: .seconds(600))
      return try guest.lab.wakeUps(of: pid)
    }
    return zip(counts, counts.dropFirst()).map { before, after in
      after.reduce(into: [:]) { changed, thread in
        let count = thread.value - (before[thread.key] ?? 0)
        if count != 0 { changed[thread.key] = count }
      }
    }
  }

  private func now(_ guest: GuestFixture) throws -> Int {
    try #require(Int(try guest.lab.shell("date +%s").prefix { $0.isNumber }))
  }
}
