import Control
import Calendars
import Geometry
import Glibc
import Lab
import Scenes
import Schedules
import Testing

/// The kernel's virtual card: its frames take 16.7 ms as on a monitor, and it reports a checksum of each.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"),
  .enabled(if: GuestFixture.hasVKMS, "vkms is not available; the reason is printed above"))
struct VKMSStories {
  /// One boot for all stories of this suite. Each has a new daemon.
  private static let guest = Result {
    var options = LabOptions()
    options.card = .none
    let lab = try GuestFixture.boot(options, processors: hasShortItems ? 2 : 1)
    return (lab: lab, card: try lab.addVKMS())
  }
  /// The frame time in nanoseconds: VESA's 1024x768 at 60 Hz has 1344 times 806 pixels at 65 MHz.
  private static let frame = 1344.0 * 806 / 65e6 * 1e9

  @Test func `vkms: the message is in the frames, and connectors that are not displays are ignored`() throws {
    let (lab, card) = try Self.guest.get()
    let guest = try GuestFixture(lab: lab, ["--message", "Frames"])
    let entries = try guest.lab.shell("ls /sys/class/drm")
    #expect(entries.contains("\(card.node)-Writeback-1"), "\(entries)")
    let displays = try guest.displays()
    #expect(displays.map(\.name) == [card.connectorName])
    try guest.see("Frames", on: card)
    let answer = try guest.placard("show", "Gate 7", "--wait")
    #expect(answer.contains("\(card.connectorName): shown after"), "\(answer)")
    try guest.see("Gate 7", on: card)
    try guest.end()
  }

  @Test func `vkms: a flip takes one frame time, no matter how many messages there are`() throws {
    let (lab, card) = try Self.guest.get()
    let guest = try GuestFixture(lab: lab, ["--message", "Frames"])
    try guest.see("Frames", on: card)
    #expect(try guest.display(card.connectorName).mode == "1024x768@60")
    let events = try Watch(guest)
    // One program sends the messages, eight at a time.
    let count = 200
    let requests = (1...count).map { number in
      "url = http://placard/v1/message\nunix-socket = \(GuestFixture.socket)\nrequest = PUT\noutput = /dev/null\n"
        + "header = \"Content-Type: application/json\"\ndata = \"{\\\"text\\\":\\\"Number \(number)\\\"}\"\n"
    }
    let sent = try guest.lab.run(
      ["curl", "-sS", "--parallel", "--parallel-max", "8", "--config", "-"],
      input: Array(requests.joined(separator: "next\n").utf8), within: .generous)
    #expect(sent.status.isSuccess, "\(sent.errors)")
    try guest.placard("show", "Last", "--wait")
    try events.wait(for: .messageShown, on: card.connectorName, saying: "Last")
    let times = try events.events.filter { $0.kind == .messageShown }.map { Double($0.time) }
    let frames = zip(times.dropFirst(), times).map { ($0 - $1) / Self.frame }
    #expect(frames.allSatisfy { $0 > 0.99 }, "at most one flip per frame")
    // The driver stamps flips with its vertical blanks, whose interval it rounds to whole nanoseconds. After 5 s without
    // a flip, the kernel turns the vertical blanks off, and they begin anew at the next one (drm_vblank_offdelay).
    let stray = frames.filter { $0 * Self.frame < 4e9 }.map { abs($0 - $0.rounded()) }.max() ?? 0
    #expect(stray < 0.01, "flips are whole frames apart")
    print("\(count) messages in \(times.count) flips, \(frames.min() ?? 0) frames apart at least, \(stray) off at most")
    try guest.see("Last", on: card)
    try guest.end()
  }

  /// The time of items and the number of changes: PLACARD_CHANGES with items of 0.2 s, which take an hour for 10,000, or
  /// 20 with items of 1.5 s.
  ///
  /// The driver reads a buffer in a worker of the kernel. Without time on a processor, it does so long after it reports
  /// the flip to the next buffer, when a short item is being painted there. So short items have a second processor and a small mode.
  private static let turns =
    unsafe getenv("PLACARD_CHANGES").flatMap { unsafe Int(String(cString: $0)) }.map { (seconds: 0.2, changes: $0) }
    ?? (seconds: 1.5, changes: 20)
  private static var hasShortItems: Bool { turns.seconds < 1 }

  @Test func `vkms: a playlist changes from frame to frame, without a black or half-drawn one`() throws {
    let (lab, card) = try Self.guest.get()
    let guest = try GuestFixture(lab: lab, ["--message", "Frames"])
    try guest.see("Frames", on: card)
    if Self.hasShortItems { try guest.placard("mode", card.connectorName, "640x480", "--keep") }
    let report = try guest.display(card.connectorName)
    let size = Size(report.width, report.height)
    let items = try Self.items
    let now: Int64 = 1_795_000_000_000
    let sums = try items.map { try Expectation($0, size, scale: report.scale, at: now).checksum }
    #expect(Set(sums).count == items.count, "the items differ")
    let (seconds, wanted) = Self.turns
    let entries = items.map { item in
      // The time from a flip to the next one must be enough for the driver, and a code takes long to paint.
      if case .qr = item.content, Self.hasShortItems { return Playlist.Item(item, seconds: 3 * seconds) }
      return Playlist.Item(item)
    }
    let playlist = Scene(.playlist(Playlist(entries, seconds: seconds)))
    try guest.open(playlist, on: card.connectorName)
    let frames = try lab.watchFrames(of: card)
    defer { try? frames.kill(9) }
    let (changes, lines) = try Self.follow(frames, sums, for: wanted, guest)
    print("items of \(seconds) s: \(changes) changes in \(lines) frames")
    #expect(try guest.display(card.connectorName).state == .lit)
    try guest.end()
  }

  /// Ten scenes of different kinds, whose frames do not change by themselves.
  private static var items: [Scene] {
    get throws {
      let always = try DisplayHours(parsing: "Mo-Su 00:00-24:00")
      let board = Board(columns: [Board.Column(title: "Now", cards: [Card(title: "Lift"), Card(title: "Bread")])])
      return [
        .banner("Welcome"), Scene(.markdown(MarkdownText("# Menu\n\n- Soup\n- Bread\n"))),
        Scene(.card(Card(title: "Lift 2", content: "Out of order until Friday"))), Scene(.board(board)),
        Scene(.now(NowPlaying(title: "Clair de lune", subtitle: "Claude Debussy", progress: 0.4))),
        Scene(.qr(QRPanel(text: "https://example.org", caption: "Here"))), .blank, Scene(.pattern(.bars)),
        Scene(.countdown(Countdown(to: try DateTime("2020-01-01T00:00Z"), title: "Opening"))),
        Scene(.schedule(Schedule([Schedule.Rule(.banner("At all times"), hours: always)]))),
      ]
    }
  }

  /// Compares each frame with those of the items, until there were enough changes. Returns the numbers of changes and
  /// frames. A frame that differs stops the service, so that the next frames show whether its buffer differs too.
  private static func follow(
    _ frames: LabProcess, _ sums: [UInt32], for wanted: Int, _ guest: GuestFixture
  ) throws -> (changes: Int, lines: Int) {
    var (line, changes, current) = (-1, 0, UInt32?.none)
    func next() throws -> (text: String, sum: UInt32) {
      line = try frames.waitForLine(containing: " 0x", from: line + 1, within: .generous)
      let text = frames.lines[line].text.filter { !$0.isNewline && $0 != "\0" }
      return (
        text, try #require(text.split(separator: " ").last.flatMap { UInt32($0.dropFirst(2), radix: 16) }, "\(text)")
      )
    }
    while changes < wanted {
      let (text, sum) = try next()
      // The last message is on screen until the playlist's first frame.
      guard current != nil || sums.contains(sum) else { continue }
      guard sums.contains(sum) else {
        try guest.service.kill(SIGSTOP)
        let following = try (0..<120).map { _ in String(try next().sum, radix: 16) }
        try guest.service.kill(SIGCONT)
        let items = sums.map { String($0, radix: 16) }
        Issue.record("frame \(text), after \(changes) changes, is none of \(items); the next ones: \(following)")
        break
      }
      if current != sum { changes += 1 }
      current = sum
    }
    return (changes, line + 1)
  }

  @Test func `vkms: a display that wakes is lit by its own flip, and a scrolling line moves with the frames`() throws {
    let (lab, card) = try Self.guest.get()
    let guest = try GuestFixture(lab: lab, ["--message", "Frames"])
    try guest.see("Frames", on: card)
    let session = try guest.open(Scene(.ticker(Ticker("Gate 17 is boarding now"))), on: card.connectorName)
    // A flip is pending when the display goes to sleep. The driver reports the flip that lights it again with the time
    // of the previous vertical blank.
    for _ in 0..<3 {
      try guest.placard("sleep")
      try guest.placard("wake")
    }
    try guest.placard("close", "\(session)")
    try guest.see("Frames", on: card)
    #expect(try guest.display(card.connectorName).mode == "1024x768@60", "no other mode was tried")
    try guest.open(Scene(.ticker(Ticker("Gate 17 is boarding now"))), on: card.connectorName)
    let frames = try lab.watchFrames(of: card)
    defer { try? frames.kill(9) }
    var (last, moved, sum) = (-1, 0, "")
    while moved < 12 {
      last = try frames.waitForLine(containing: " 0x", from: last + 1, within: .generous)
      try #require(last < 10_000, "the line moves")
      let next = String(frames.lines[last].text.split(separator: " ").last ?? "")
      if !sum.isEmpty, next != sum { moved += 1 }
      sum = next
    }
    let missed = try #require(try guest.display(card.connectorName).missedFrames)
    print("of \(last + 1) frames \(moved) had moved; the service missed \(missed) since the line began")
    #expect(try guest.display(card.connectorName).state == .lit)
    try guest.end()
  }
}

extension GuestFixture {
  /// Whether vkms is available. If not, it prints the reason once. The first access builds the driver.
  static let hasVKMS: Bool = {
    guard let unavailableReason = Lab.vkmsUnavailableReason else { return true }
    print("Stories on vkms are skipped: \(unavailableReason)")
    return false
  }()

  /// Waits until a frame of vkms is exactly the frame of a message.
  func see(_ message: String, on card: VKMSCard, within: Duration = .generous) throws {
    let report = try display(card.connectorName)
    let expected = try Expectation(message, Size(report.width, report.height), scale: report.scale)
    do {
      try lab.waitForFrame(expected.checksum, on: card, within: within)
    } catch {
      Issue.record("the service's log:\n\(log(from: 0).joined(separator: "\n"))")
      throw error
    }
  }
}
