import Geometry
import Glibc
import Lab
import Scenes
import Testing

/// The unit under a real systemd: the files of scripts/install, in a Debian that boots with them.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: Installation.unavailableReason == nil, "\(Installation.unavailableReason ?? "")"))
struct UnitStories {
  /// One boot. The stories run from boot to shutdown, in the order of this file.
  private static let lab = Result { try Installation.boot(message: "Unit") }
  private static let size = Size(1024, 768)
  /// The guest's only font, which is independent of this machine.
  private static let style = Style(font: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")

  private func lab() throws -> Lab { try Self.lab.get() }

  private func see(_ message: String, _ lab: Lab, after act: () throws(LabError) -> Void = {}) throws {
    let expected = try Expectation(message, Self.size, style: Self.style)
    do {
      _ = try lab.waitForFrame(0, within: .generous, after: act) { expected.matches($0) }
    } catch {
      Issue.record("the journal:\n\(try lab.journal(of: "placard"))")
      throw error
    }
  }

  private func property(_ name: String, of unit: String = "placard", _ lab: Lab) throws -> String {
    let text = try lab.systemctl("show", "--value", "-p", name, unit)
    return text.split(separator: "\n").first.map(String.init) ?? ""
  }

  /// Returns the words of each line of a process's /proc/PID/status, by the first one.
  private func fields(ofProcess pid: String, _ lab: Lab) throws -> [String: [String]] {
    try lab.text("/proc/\(pid)/status").split(separator: "\n").reduce(into: [:]) { fields, line in
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      fields[words.first ?? ""] = Array(words.dropFirst())
    }
  }

  /// Waits until the first display is in a state.
  private func waitForDisplay(in state: String, _ lab: Lab) throws {
    let displays = try lab.start(["placard", "displays", "--watch", "--json"])
    try displays.waitForLine(containing: "\"state\":\"\(state)\"", within: .generous)
    try displays.kill(SIGTERM)
  }

  /// Waits until the service manager has received a status of the service.
  private func waitForStatusText(_ text: String, _ lab: Lab) throws {
    // logind subscribes to the manager's signals at its start, so systemd sends them.
    let match = "type='signal',path='/org/freedesktop/systemd1/unit/placard_2eservice'"
    let signals = try lab.start(["busctl", "monitor", "--match", match])
    try signals.waitForLine(containing: "Monitoring", within: .generous)
    if try !property("StatusText", lab).hasPrefix(text) {
      try signals.waitForLine(containing: text, within: .generous)
    }
    try signals.kill(SIGTERM)
  }

  @Test func `1: at boot the first card starts the service, and the message is on the monitor`() throws {
    let lab = try lab()
    // The job of the udev rule can be added after the boot has ended: Debian 13 loads the card's driver that late.
    try lab.shell("systemctl is-system-running --wait || true", within: .generous)
    try see("Unit", lab)
    // The frame is visible a moment before its flip is reported.
    try waitForStatusText("1 of 1 displays lit", lab)
    #expect(try property("ActiveState", lab) == "active")
    #expect(try property("UnitFileState", lab) == "disabled", "only the udev rule requested the start")
    #expect(try property("NRestarts", lab) == "0")
    #expect(try lab.shell("placard displays").contains("Virtual-1"))
  }

  @Test func `2: the service runs as its own user, without any capability`() throws {
    let lab = try lab()
    let fields = try fields(ofProcess: property("MainPID", lab), lab)
    let user = try lab.shell("id -u placard").filter(\.isNumber)
    #expect(fields["Uid:"]?.count == 4 && fields["Uid:"]?.allSatisfy { $0 == user && $0 != "0" } == true)
    for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
      #expect(fields["\(set):"] == ["0000000000000000"], "\(set)")
    }
    #expect(fields["NoNewPrivs:"] == ["1"])
    #expect(fields["Seccomp:"] == ["2"], "system calls are filtered")
  }

  @Test func `3: uevents reach the service in its sandbox`() throws {
    let lab = try lab()
    let expected = try Expectation("Unit", Self.size, style: Self.style)
    try lab.unplug(0)
    _ = try lab.waitForFrame(0, within: .generous) { !expected.matches($0) }
    try waitForDisplay(in: "disconnected", lab)
    try see("Unit", lab) { () throws(LabError) in
      try lab.plug(0, width: Self.size.width, height: Self.size.height)
    }
  }

  @Test func `4: after a kill the service is restarted, and the open sessions are restored`() throws {
    let lab = try lab()
    try lab.shell("placard show --timeout 600 --display Virtual-1 --wait Kept")
    try see("Kept", lab)
    let pid = try property("MainPID", lab)
    let journal = try lab.start(["journalctl", "--follow", "--lines=all", "--output=cat", "--unit=placard"])
    let start = try journal.waitForLine(containing: "Started ", within: .generous)
    try lab.systemctl("kill", "-s", "KILL", "placard")
    try journal.waitForLine(containing: "Started ", from: start + 1, within: .generous)
    try journal.kill(SIGTERM)
    #expect(try property("NRestarts", lab) == "1")
    #expect(try property("ActiveState", lab) == "active")
    #expect(try property("MainPID", lab) != pid)
    try see("Kept", lab)
    #expect(try lab.shell("placard status").contains("/var/lib/placard/placard.db"))
    #expect(try lab.shell("stat -c %U:%G /var/lib/placard/placard.db") == "placard:placard\n")
    try lab.shell("placard show --timeout 600 --clear --display Virtual-1")
    try see("Unit", lab)
  }

  @Test func `5: on a reload the service reads its configuration again and shows its message`() throws {
    let lab = try lab()
    let pid = try property("MainPID", lab)
    try lab.put("message = \"Reloaded\"\n".utf8, to: "/etc/placard/placard.toml")
    // systemd only sends a signal, so that the service can still be reloading when this returns.
    try lab.systemctl("reload", "placard")
    try see("Reloaded", lab)
    #expect(["active", "reloading"].contains(try property("ActiveState", lab)))
    #expect(try property("MainPID", lab) == pid)
  }

  @Test func `6: the bridge's unit has no rights, and waits for a broker`() throws {
    let lab = try lab()
    try lab.put("broker = \"mqtt://127.0.0.1\"\nnode = \"box\"\n".utf8, to: "/etc/placard/mqtt.toml")
    let journal = try lab.start(["journalctl", "--follow", "--lines=all", "--output=cat", "--unit=placard-mqtt"])
    try lab.systemctl("start", "placard-mqtt")
    try journal.waitForLine(containing: "no connection to the broker", within: .generous)
    let pid = try property("MainPID", of: "placard-mqtt", lab)
    let fields = try fields(ofProcess: pid, lab)
    #expect(fields["Uid:"]?.contains("0") == false)
    #expect(fields["CapEff:"] == ["0000000000000000"] && fields["CapBnd:"] == ["0000000000000000"])
    #expect(fields["NoNewPrivs:"] == ["1"] && fields["Seccomp:"] == ["2"])

    let broker = try lab.start(["mosquitto"])
    try journal.waitForLine(containing: "connected to the broker again", within: .generous)
    // The box subscribes before it says that it is online.
    try lab.shell("mosquitto_sub -h 127.0.0.1 -t placard/default/box/availability -C 1 | grep -q online")
    let body = #"{"method": "PUT", "path": "/v1/message", "body": {"text": "From afar"}}"#
    try see("From afar", lab) { () throws(LabError) in
      let box = "placard/default/box"
      let exchange = "mosquitto_rr -h 127.0.0.1 -q 1 -t \(box)/cmd/1 -e \(box)/reply/1"
      let reply = try lab.shell("\(exchange) -m '\(body)'")
      #expect(reply.contains(#""status":200"#), "\(reply)")
    }
    #expect(try lab.shell("ls /var/lib/private/placard-mqtt").contains("outbox.sqlite"))

    try lab.systemctl("stop", "placard-mqtt")
    #expect(try property("Result", of: "placard-mqtt", lab) == "success")
    #expect(try !lab.shell("placard status").contains("mqtt"), "a bridge that has ended is not listed")
    try broker.kill(SIGTERM)
    try journal.kill(SIGTERM)
  }

  @Test func `7: when the service stops, the console returns, and a monitor does not start it`() throws {
    let lab = try lab()
    let banner = try lab.picture(0)
    try lab.systemctl("stop", "placard")
    #expect(try property("Result", lab) == "success")
    #expect(try property("ExecMainStatus", lab) == "0")
    let console = try lab.waitForFrame(0, within: .generous) { $0.bytes != banner.bytes }
    #expect(console.picture.pixel(1000, 760) == .init(red: 0, green: 0, blue: 0), "the console is black")
    #expect(try lab.text("/sys/kernel/debug/dri/0/state").contains("allocated by = [fbcon]"))
    let mark = try lab.ueventCount
    try lab.unplug(0)
    _ = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug }
    try lab.shell("udevadm settle")
    #expect(try property("ActiveState", lab) == "inactive")
    try lab.systemctl("enable", "placard")
    #expect(try property("UnitFileState", lab) == "enabled")
  }
}
