import Control
import Geometry
import Glibc
import Lab
import Testing
import USBDisplays

/// The commits and probes of the service on a real kernel if monitors change.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"))
struct PlanStories {
  /// One boot for all stories of this suite. Each starts without monitors and with a new daemon.
  private static let lab = Result { try GuestFixture.boot() }

  private func guest() throws -> GuestFixture {
    let lab = try Self.lab.get()
    for output in 0..<4 { try? lab.unplug(output) }
    return try GuestFixture(lab: lab, ["--message", "Welcome"])
  }

  /// Plugs or unplugs a monitor, and waits for the uevent of it.
  private func change(_ guest: GuestFixture, _ action: () throws(LabError) -> Void) throws {
    let mark = try guest.lab.ueventCount
    try action()
    _ = try guest.lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug }
  }

  @Test func `monitors that are plugged in together are lit by one commit, and sleep and wake by one`() throws {
    let guest = try guest()
    let lab = guest.lab
    let trace = try KernelTrace(lab, "drm_atomic_commit")
    // The first monitor makes kernel 6.12 set up its console. A monitor that is plugged in meanwhile has no uevent.
    try lab.plug(2, width: 800, height: 600)
    _ = try guest.see(2, try Expectation("Welcome", Size(800, 600)))
    // The service finds both at once, as after a switch of a power strip.
    try guest.service.kill(SIGSTOP)
    try change(guest) { () throws(LabError) in try lab.plug(0, width: 1280, height: 720) }
    try change(guest) { () throws(LabError) in try lab.plug(1, width: 1024, height: 768) }
    try trace.begin()
    try guest.service.kill(SIGCONT)
    _ = try guest.see(0, try Expectation("Welcome", Size(1280, 720)))
    _ = try guest.see(1, try Expectation("Welcome", Size(1024, 768)))
    var calls = try trace.calls()
    #expect(calls.count == 1, "one commit lights both and leaves the third: \(calls)")

    try trace.begin()
    try guest.placard("sleep")
    calls = try trace.calls()
    #expect(calls.count == 1, "one commit ends all three signals: \(calls)")
    try trace.begin()
    try guest.placard("wake")
    _ = try guest.see(2, try Expectation("Welcome", Size(800, 600)))
    _ = try guest.see(0, try Expectation("Welcome", Size(1280, 720)))
    _ = try guest.see(1, try Expectation("Welcome", Size(1024, 768)))
    calls = try trace.calls()
    #expect(calls.count == 1, "one commit wakes all three: \(calls)")
    try trace.end()
    try guest.end()
  }

  @Test(.enabled(if: GuestFixture.hasInterrupts, "no hotplug interrupts; the reason is printed above"))
  func `a hotplug event that names its connector probes no other one`() throws {
    let guest = try guest()
    let lab = guest.lab
    let lobby = MonitorEDID.hdmi(width: 1280, height: 720, name: "Lobby", serial: 11)
    // The second connector stays empty: such a card has one CRTC.
    let card = try lab.plugUSBCard([.hdmi, .hdmi])
    let names = card.connectorNames
    try lab.recordProbes()
    try lab.plug(lobby, into: 0, of: card)
    try guest.see(0, of: card, "Welcome", Size(1280, 720))
    #expect(Set(try lab.probes()) == Set(names), "an event without a name probes all connectors of the card")

    try lab.recordProbes()
    let mark = try lab.ueventCount
    try lab.unplug(0, of: card, isReported: false)
    try lab.raiseInterrupt(of: names[0])
    try guest.waitForLog("\(names[0]): disconnected")
    try lab.plug(lobby, into: 0, of: card, isReported: false)
    try lab.raiseInterrupt(of: names[0])
    try guest.see(0, of: card, "Welcome", Size(1280, 720))
    let uevent = try lab.waitForUevent(from: mark, within: .generous) { $0.isHotplug }
    #expect(uevent["CONNECTOR"] != nil, "\(uevent)")
    let probes = try lab.probes()
    #expect(Set(probes) == [names[0]], "\(probes)")
    try lab.yank(card)
    try guest.end()
  }
}

extension GuestFixture {
  /// True if the lab can simulate hotplug interrupts of connectors.
  static let hasInterrupts: Bool = {
    guard hasUSBCards, let reason = Lab.interruptsUnavailableReason else { return hasUSBCards }
    print("The story of hotplug interrupts is skipped: \(reason)")
    return false
  }()
}

/// The calls of a function in the guest's kernel, counted by a kprobe.
struct KernelTrace {
  private static let folder = "/sys/kernel/debug/tracing"
  private let lab: Lab

  /// Prepares a trace.
  init(_ lab: Lab, _ function: String) throws {
    self.lab = lab
    // The lab has a probe as well.
    try lab.shell("echo 'p:placard/call \(function)' >>\(Self.folder)/kprobe_events")
    try lab.put("1".utf8, to: Self.folder + "/events/placard/call/enable")
  }

  /// Removes the calls so far.
  func begin() throws { try lab.put("\n".utf8, to: Self.folder + "/trace") }

  /// Returns the calls of programs, each with the name of its thread. The kernel's own threads draw the console.
  func calls() throws -> [String] {
    let lines = try lab.text(Self.folder + "/trace").split(separator: "\n").map(String.init)
    return lines.filter { !$0.hasPrefix("#") && !$0.contains("kworker/") }
  }

  /// Removes the probe.
  func end() throws {
    try lab.put("0".utf8, to: Self.folder + "/events/placard/call/enable")
    try lab.shell("echo '-:placard/call' >>\(Self.folder)/kprobe_events")
  }
}
