import Control
import Displays
import FoundationEssentials
import Geometry
import Glibc
import Lab
import Testing

/// The main path on a real kernel: all stories share one guest with a virtio-gpu card.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"))
struct FirstStories {
  /// One boot for all stories of this suite. Each starts without monitors and with a new daemon.
  private static let lab = Result { try GuestFixture.boot() }

  private func guest(_ arguments: String...) throws -> GuestFixture {
    let lab = try Self.lab.get()
    for output in 0..<4 { try? lab.unplug(output) }
    return try GuestFixture(lab: lab, ["--message", "Welcome"] + arguments)
  }

  @Test func `a monitor that is plugged in shows the message`() throws {
    let guest = try guest()
    let events = try guest.watch("events", "--json")
    try events.waitForLine(containing: "Waiting for events", within: .generous)
    let lab = guest.lab
    let mark = try lab.ueventCount
    let sighting = try guest.see(0, try Expectation("Welcome", Size(1920, 1080))) { () throws(LabError) in
      try lab.plug(0, width: 1920, height: 1080)
    }
    let uevent = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug }
    let ink = try Expectation("Welcome", Size(1920, 1080)).ink(of: sighting.picture)
    #expect(ink.inside > 50_000 && ink.outside == 0, "text inside the safe area, nothing outside: \(ink)")
    try events.waitForLine(containing: "messageShown", within: .generous)
    let all = try events.output.split(separator: "\n").map {
      try JSONDecoder().decode(ControlEvent.self, from: Data($0.utf8))
    }
    #expect(all.first { $0.kind == .stateChanged }?.detail == "lit")
    let reported = all.filter { $0.kind != .stateChanged }
    #expect(reported.map(\.kind) == [.connected, .modeChanged, .messageShown])
    #expect(reported.last?.time ?? 0 > uevent.nanoseconds, "presented after the uevent")
    #expect(reported.last?.detail == "Welcome")
    try guest.end()
  }

  @Test func `a message is presented and reports when`() throws {
    let guest = try guest()
    try guest.lab.plug(0, width: 1280, height: 720)
    _ = try guest.see(0, try Expectation("Welcome", Size(1280, 720)))
    let answer = try guest.placard("show", "Gate 7", "--wait")
    #expect(answer.contains("Virtual-1: shown after"))
    _ = try guest.see(0, try Expectation("Gate 7", Size(1280, 720)), within: .generous)
    let file = FileManager.default.temporaryDirectory.appending(path: "placard-story-\(getpid()).png")
    defer { try? FileManager.default.removeItem(at: file) }
    try guest.placard("screenshot", "Virtual-1", file.path)
    let frame = try guest.lab.picture(0)
    let own = try Shot(pngBytes: Array(Data(contentsOf: file)))
    #expect(own.bytes == frame.bytes, "the screenshot equals the monitor's frame")
    try guest.end()
  }

  @Test func `a page in many scripts appears on the monitor exactly as painted in memory`() throws {
    let guest = try guest()
    try guest.lab.plug(0, width: 1280, height: 720)
    _ = try guest.see(0, try Expectation("Welcome", Size(1280, 720)))
    let page = """
      Welcome, مرحبا بالعالم 123 (abc), שלום (עולם) 45!
      हिन्दी नमस्ते · বাংলা · ภาษาไทยสวัสดีครับ
      日本語のテスト。「引用」 한국어 안녕하세요
      Tiếng Việt — Ελληνικά — Русский 🎉👩‍🚒🇩🇪👍🏽
      """
    let answer = try guest.placard("show", page, "--wait")
    #expect(answer.contains("Virtual-1: shown after"))
    _ = try guest.see(0, try Expectation(page, Size(1280, 720)), within: .generous)
    try guest.end()
  }

  @Test func `two monitors show their own messages, and unplugging one does not affect the other`() throws {
    let guest = try guest()
    let lab = guest.lab
    try lab.plug(0, width: 1280, height: 720)
    _ = try guest.see(0, try Expectation("Welcome", Size(1280, 720)))
    // Plug one at a time: the driver clears the event of a second change that arrives while it handles the first.
    try lab.plug(1, width: 1024, height: 768)
    _ = try guest.see(1, try Expectation("Welcome", Size(1024, 768)))
    try guest.placard("show", "Left", "--display", "Virtual-1", "--wait")
    try guest.placard("show", "Right", "--display", "Virtual-2", "--wait")
    let left = try Expectation("Left", Size(1280, 720))
    _ = try guest.see(0, left)
    _ = try guest.see(1, try Expectation("Right", Size(1024, 768)))

    guest.skipLog()
    let mark = guest.service.lines.count
    let before = try crtcState(guest, "Virtual-1")
    #expect(try activeCRTCs(guest) == 2)
    try lab.unplug(1)
    try guest.waitForLog("Virtual-2: disconnected")
    // The command returns when nothing is being done with the card.
    try guest.placard("wake", "Virtual-1")
    let state = try guest.file("/sys/kernel/debug/dri/0/state")
    #expect(try activeCRTCs(guest) == 1, "its pipe is off: \(state)")
    #expect(left.matches(try lab.picture(0)))
    #expect(try crtcState(guest, "Virtual-1") == before, "the same framebuffer on the same CRTC")
    try lab.plug(1, width: 1024, height: 768)
    _ = try guest.see(1, try Expectation("Right", Size(1024, 768)))
    #expect(try activeCRTCs(guest) == 2)
    #expect(left.matches(try lab.picture(0)))
    #expect(!guest.log(from: mark).contains { $0.contains("Virtual-1:") }, "no modeset on it")
    try guest.end()
  }

  /// Returns the number of active CRTCs (debugfs `state`).
  private func activeCRTCs(_ guest: GuestFixture) throws -> Int {
    try guest.file("/sys/kernel/debug/dri/0/state").split(separator: "\n").count { $0 == "\tactive=1" }
  }

  /// Returns the connector's CRTC and plane from debugfs `state`: CRTC ID, framebuffer ID and mode.
  private func crtcState(_ guest: GuestFixture, _ connector: String) throws -> [String] {
    let lines = try guest.file("/sys/kernel/debug/dri/0/state").split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("connector[") && $0.contains(connector) })
    let route = try #require(lines[start...].first { $0.contains("crtc=") })
    let crtc = String(route.drop { $0 != "=" }.dropFirst())
    let planes = lines.indices.filter { lines[$0].hasPrefix("plane[") && lines[$0 + 1].contains("crtc=\(crtc)") }
    return [route] + planes.flatMap { lines[$0..<($0 + 3)] }
  }

  @Test func `a restart after a kill restores the frame, and a clean end restores the console`() throws {
    let guest = try guest()
    try guest.lab.plug(0, width: 1024, height: 768)
    let expected = try Expectation("Welcome", Size(1024, 768))
    _ = try guest.see(0, expected)
    try guest.end(SIGKILL)
    try guest.restart(["--message", "Welcome"])
    _ = try guest.see(0, expected)
    try guest.end()
    let console = try guest.lab.waitForFrame(0, within: .generous) { !expected.matches($0) }
    #expect(console.picture.pixel(1000, 760) == .init(red: 0, green: 0, blue: 0), "the console is black")
    #expect(try guest.file("/sys/kernel/debug/dri/0/state").contains("allocated by = [fbcon]"))
  }

  private static let release = "/dev/dri/card0: another program closed it; opening it again"

  @Test func `another DRM master is named, and the message appears after it ends`() throws {
    let lab = try Self.lab.get()
    try lab.plug(0, width: 1024, height: 768)
    let holder = try lab.start(["/bin/bash", "-c", "exec 3<>/dev/dri/card0; echo held; read"], input: nil)
    try holder.waitForLine(containing: "held", within: .generous)
    let guest = try GuestFixture(lab: lab, ["--message", "Welcome", "--log", "debug"])
    #expect(
      guest.log(from: 0).contains { $0.contains("/dev/dri/card0 is held by bash (pid ") }, "\(guest.service.errors)")
    #expect(try guest.placard("status").contains("is held by bash"))
    // The longest delay: only the event can cause the next attempt.
    try guest.service.waitForLine(containing: "/dev/dri/card0: next attempt in 5000 ms", within: .generous)
    #expect(!guest.log(from: 0).contains { $0.contains(Self.release) })
    _ = try guest.see(0, try Expectation("Welcome", Size(1024, 768))) { () throws(LabError) in
      try holder.kill(SIGKILL)
    }
    #expect(guest.log(from: 0).contains { $0.contains(Self.release) }, "\(guest.service.errors)")
    try guest.end()
  }

  @Test func `the frame and its messages are on the monitor, whichever virtual terminal is active`() throws {
    let guest = try guest()
    try guest.lab.plug(0, width: 1024, height: 768)
    _ = try guest.see(0, try Expectation("Welcome", Size(1024, 768)))
    // VT_ACTIVATE and VT_WAITACTIVE (vt.h). The kernel's console does not draw while there is a DRM master.
    for (terminal, text) in [(2, "Two"), (1, "One")] {
      try guest.lab.shell(
        "perl -e 'open(my $t, \"+<\", \"/dev/tty0\") or die; ioctl($t, 0x5606, \(terminal)) or die; "
          + "ioctl($t, 0x5607, \(terminal)) or die; open(my $v, \">\", \"/dev/tty\(terminal)\") or die; print $v \"x\" x 4000'"
      )
      try guest.placard("show", text, "--wait")
      _ = try guest.see(0, try Expectation(text, Size(1024, 768)))
    }
    try guest.end()
  }

  @Test func `a thousand hotplug events in a burst cause few probes, and lit displays are not touched (37)`() throws {
    let guest = try guest()
    try guest.lab.plug(0, width: 1024, height: 768)
    _ = try guest.see(0, try Expectation("Welcome", Size(1024, 768)))
    try guest.waitForLog("Virtual-1: lit at 1024x768")
    guest.skipLog()
    let mark = guest.service.lines.count
    let uevents = try guest.lab.ueventCount
    try guest.lab.shell("n=0; while [ $n -lt 1000 ]; do echo change >/sys/class/drm/card0/uevent; n=$((n+1)); done")
    #expect(try guest.lab.ueventCount - uevents >= 1000)
    try guest.lab.unplug(0)
    try guest.waitForLog("Virtual-1: disconnected")
    try guest.lab.plug(0, width: 800, height: 600)
    _ = try guest.see(0, try Expectation("Welcome", Size(800, 600)))
    try guest.waitForLog("Virtual-1: lit at 800x600")
    // QEMU can enable the output with its former size first, so that there are two modes after the burst.
    let burst = guest.log(from: mark).prefix { !$0.contains("Virtual-1: disconnected") }
    #expect(!burst.contains { $0.contains("Virtual-1: ") }, "\(burst)")
    try guest.end()
  }

  @Test func `the legacy API gives the same result without atomic modesetting`() throws {
    let guest = try guest("--no-atomic")
    #expect(guest.log(from: 0).contains { $0.contains("legacy KMS") })
    try guest.lab.plug(0, width: 1280, height: 720)
    _ = try guest.see(0, try Expectation("Welcome", Size(1280, 720)))
    try guest.placard("show", "Legacy", "--wait")
    _ = try guest.see(0, try Expectation("Legacy", Size(1280, 720)))
    try guest.placard("show", "Legacy, twice", "--wait")
    _ = try guest.see(0, try Expectation("Legacy, twice", Size(1280, 720)))
    try guest.lab.unplug(0)
    try guest.waitForLog("Virtual-1: disconnected")
    try guest.end()
  }
}
