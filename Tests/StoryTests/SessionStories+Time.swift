import Control
import Geometry
import Glibc
import Lab
import Scenes
import Testing

/// The effect of time on sessions: messages that end, clocks, and texts that are being typed.
extension SessionStories {
  @Test func `an urgent message covers a session for its duration, and a normal one does not`() throws {
    let guest = try guest()
    try guest.lab.plug(0, width: 1280, height: 720)
    _ = try guest.see(0, try Expectation("Welcome", Size(1280, 720)))
    try guest.open(.banner("Timetable"), on: "Virtual-1")
    let watch = try Watch(guest)
    try guest.placard("show", "--priority", "-10", "By the way")
    let urgent = try Expectation("Fire drill", Size(1280, 720))
    try guest.placard("show", "--priority", "50", "--for", "10s", "--wait", "Fire drill")
    _ = try guest.see(0, urgent)
    #expect(try guest.sessions().first?.covered == true)
    let end = try watch.wait(for: .messageEnded)
    try watch.wait(for: .messageShown, on: "Virtual-1", saying: "Timetable")
    try guest.see(0, .banner("Timetable"))
    #expect(try guest.sessions().first?.covered == false)

    let reported = try watch.events.filter { [.messageShown, .messageEnded].contains($0.kind) }
    #expect(reported.map(\.kind) == [.messageShown, .messageEnded, .messageShown])
    #expect(reported.first?.detail == "Fire drill", "the other message was never presented")
    let shown = try #require(reported.first?.time)
    #expect(end.time - shown < 10_500_000_000, "the duration counts from the request: \(end.time - shown) ns")
    let back = try #require(reported.last?.time)
    #expect(back - end.time < 1_000_000_000, "the covered session is presented again at once: \(back - end.time) ns")
    try guest.end()
  }

  @Test func `a text that is saved a hundred times per second is never shown late`() throws {
    let guest = try guest()
    let lab = guest.lab
    try lab.plug(0, width: 1280, height: 720)
    _ = try guest.see(0, try Expectation("Welcome", Size(1280, 720)))
    let watch = try Watch(guest)
    try lab.put("# Draft 0\n".utf8, to: "/run/draft.md")
    let follower = try lab.start([
      "\(GuestFixture.programs)/placard", "show", "--markdown", "/run/draft.md", "--follow", "--display", "Virtual-1",
      "--socket", GuestFixture.socket,
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
    try guest.see(0, Scene(.markdown(MarkdownText("# Draft 300\n", folder: "/run"))))
    try follower.kill(SIGTERM)
    try guest.end()
  }
}
