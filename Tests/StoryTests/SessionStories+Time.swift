import Calendars
import Control
import Geometry
import Glibc
import Lab
import Scenes
import Testing

/// The effect of time on sessions: messages that end, clocks, and texts that are being typed.
extension SessionStories {
  @Test func `an urgent message covers a session for its duration, and a normal one does not`() throws {
    let stage = try stage()
    try stage.lab.plug(0, width: 1280, height: 720)
    _ = try stage.see(0, try Expectation("Welcome", Size(1280, 720)))
    try stage.open(.banner("Timetable"), on: "Virtual-1")
    let watch = try Watch(stage)
    try stage.placard("show", "--priority", "-10", "By the way")
    let urgent = try Expectation("Fire drill", Size(1280, 720))
    try stage.placard("show", "--priority", "50", "--for", "10s", "--wait", "Fire drill")
    _ = try stage.see(0, urgent)
    #expect(try stage.sessions().first?.covered == true)
    let end = try watch.wait(for: .messageEnded)
    try watch.wait(for: .messageShown, on: "Virtual-1", saying: "Timetable")
    try stage.see(0, .banner("Timetable"))
    #expect(try stage.sessions().first?.covered == false)

    let told = try watch.events.filter { [.messageShown, .messageEnded].contains($0.kind) }
    #expect(told.map(\.kind) == [.messageShown, .messageEnded, .messageShown])
    #expect(told.first?.detail == "Fire drill", "the other message was never presented")
    let shown = try #require(told.first?.time)
    #expect(end.time - shown < 10_500_000_000, "the duration counts from the request: \(end.time - shown) ns")
    let back = try #require(told.last?.time)
    #expect(back - end.time < 1_000_000_000, "the covered session is presented again at once: \(back - end.time) ns")
    try stage.end()
  }

  /// Noon on 21 November 2026 in UTC, in seconds since 1970.
  private static let noon = 1_795_262_400

  @Test func `a banner causes no wake-ups, and a clock only when its text changes`() throws {
    let stage = try stage()
    try stage.lab.plug(0, width: 1280, height: 720)
    _ = try stage.see(0, try Expectation("Welcome", Size(1280, 720)))
    try stage.open(.banner("At rest"), on: "Virtual-1")
    let banner = try wakeUps(stage, at: [3, 23], from: try now(stage))
    #expect(banner == [[:]], "wake-ups with a banner")

    try stage.lab.shell("date -u -s @\(Self.noon + 15)")
    let clock = Scene(.clock(Clock(zone: "UTC")))
    try stage.open(clock, on: "Virtual-1")
    // Two minutes end, at 60 and at 120 seconds.
    let minutes = try wakeUps(stage, at: [45, 55, 70, 115, 130, 165], from: Self.noon)
    try stage.see(0, clock, at: Int64(Self.noon + 165) * 1000)
    let counts = minutes.map { $0.values.reduce(0, +) }
    #expect(counts[0] == 0 && counts[2] == 0 && counts[4] == 0, "wake-ups while nothing changes: \(minutes)")
    #expect(
      (1...12).contains(counts[1]) && (1...12).contains(counts[3]), "wake-ups for a change each minute: \(minutes)")

    try stage.open(Scene(.clock(Clock(zone: "UTC", hasSeconds: true))), on: "Virtual-1")
    let seconds = try wakeUps(stage, at: [3, 23], from: try now(stage))
    let rate = Double(seconds[0].values.reduce(0, +)) / 20
    #expect((1...12).contains(rate), "wake-ups for a change each second: \(seconds)")
    print("wake-ups: banner \(banner), minutes \(minutes), 20 seconds \(seconds)")
    try stage.end()
  }

  /// Returns how often each thread of the daemon woke up between two times, in seconds of the guest's clock from
  /// `start` on. Threads without wake-ups are omitted.
  private func wakeUps(_ stage: Stage, at moments: [Int], from start: Int) throws -> [[String: Int]] {
    let pid = try stage.pid()
    let counts = try moments.map { moment in
      try stage.lab.shell(
        "left=$((\(start + moment) - $(date +%s))); if [ $left -gt 0 ]; then sleep $left; fi", within: .seconds(600))
      return try stage.lab.wakeUps(of: pid)
    }
    return zip(counts, counts.dropFirst()).map { before, after in
      after.reduce(into: [:]) { news, thread in
        let count = thread.value - (before[thread.key] ?? 0)
        if count != 0 { news[thread.key] = count }
      }
    }
  }

  private func now(_ stage: Stage) throws -> Int {
    try #require(Int(try stage.lab.shell("date +%s").prefix { $0.isNumber }))
  }

  @Test func `a text that is saved a hundred times per second is never shown late`() throws {
    let stage = try stage()
    let lab = stage.lab
    try lab.plug(0, width: 1280, height: 720)
    _ = try stage.see(0, try Expectation("Welcome", Size(1280, 720)))
    let watch = try Watch(stage)
    try lab.put("# Draft 0\n".utf8, to: "/run/draft.md")
    let follower = try lab.start([
      "\(Stage.programs)/placard", "show", "--markdown", "/run/draft.md", "--follow", "--display", "Virtual-1",
      "--socket", Stage.socket,
    ])
    try watch.wait(for: .messageShown, on: "Virtual-1", saying: "Draft 0")
    // Use only shell builtins: starting a program for each save would be slower.
    let end = try lab.shell(
      """
      mkfifo /run/pace; exec bash -c 'exec 3<>/run/pace
      for n in {1..300}; do echo "# Draft $n" > /run/draft.md; read -t 0.01 -u 3; done
      read uptime rest < /proc/uptime; echo $uptime'
      """)
    let last = try watch.wait(for: .messageShown, on: "Virtual-1", saying: "Draft 300")
    let saved = try #require(end.split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) }, "\(end)") * 1e9
    let shown = try watch.events.filter { $0.kind == .messageShown }
    #expect(shown.last == last)
    let late = shown.count { Double($0.time) > saved }
    #expect(late <= 3, "at most the pending frame, one of the last read, and the newest: \(late)")
    print("300 saves: \(shown.count) frames, the newest \((Double(last.time) - saved) / 1e6) ms after the last")
    try stage.see(0, Scene(.markdown(MarkdownText("# Draft 300\n", folder: "/run"))))
    try follower.kill(SIGTERM)
    try stage.end()
  }
}
