// Usage:
//
//     import Lab
//
//     var options = LabOptions()                     // virtio-gpu, 4 outputs, no monitor, the host's root
//     let lab = try Lab.boot(options)                // about 5 s; ends with this program
//     try lab.plug(0, width: 1920, height: 1080)     // output 0 is connector Virtual-1
//     try lab.plug(1, edid: bytes)                   // a real monitor's EDID
//     let result = try lab.run(["ls", "/dev/dri"])   // result.status, result.output, result.errors
//     let program = try lab.start(["/usr/sbin/some-kms-program", "--verbose"])
//     try program.waitForLine(containing: "ready", within: .seconds(20))
//     let mark = try lab.ueventCount
//     try lab.unplug(0)
//     let event = try lab.waitForUevent(from: mark, within: .seconds(5)) { $0.isHotplug }
//     let picture = try lab.picture(0)               // pixels; try lab.screenshot(0) returns a PNG file
//     let seen = try lab.witness(0, within: .seconds(10)) { $0.pixel(10, 10) == .init(red: 0, green: 0, blue: 64) }
//     let card = try lab.addCard()                   // "card1"; try lab.removeCard(card)
//     let vkms = try lab.addVKMS()                   // a card with the frame timing of a real monitor
//     try lab.witness(VKMSCard.checksum(ofPixels: rgb), on: vkms, within: .seconds(10))
//     let usb = try lab.plugUSBCard([.hdmi, .displayPort], monitors: [0: edid])    // usb.connectorNames[0]: "HDMI-A-1"
//     try lab.plug(edid, into: 1, of: usb); try lab.unplug(1, of: usb); try lab.yank(usb)
//     let glimpse = try usb.witness(0, within: .seconds(10)) { $0?.pixel(10, 10) == .init(red: 0, green: 0, blue: 64) }
//     try program.kill(SIGTERM); let end = try program.wait(within: .seconds(5))
//     try lab.put("text".utf8, to: "/run/file"); let bytes = try lab.get("/proc/version")
//     lab.down()
//
// Data that must outlive the guest goes to a separate disk: options.disk = "state.img", mounted from
// options.diskDevice. lab.cutPower() ends the guest without a shutdown. A later lab with the same disk finds the
// flushed data.
//
// The guest sees the host's files at the same paths: a read-only share below an overlay in memory. /run starts empty.
// The guest caches the host's files. After a change on the host, call `lab.dropHostFileCache()`.
//
// For a Debian with systemd, set options.root = .debian(try RootFS.debian(packages: [...])). The host is then at /host.
//
// All calls block and may be made from any thread. Times of uevents are in the guest's CLOCK_MONOTONIC: `lab.clock()`.

import CLinux
import Glibc
import Synchronization

/// A Linux virtual machine with hotpluggable graphics cards and monitors.
public final class Lab: Sendable {
  let directory: LabDirectory
  private let monitor: Mutex<QMPClient?>
  /// The QEMU process, or nil if another program started the lab.
  private let machine: Machine?
  /// Whether the guest ends with this object.
  private let isOwner: Bool
  private let programs: Mutex<GuestChannel?>
  private let events: Mutex<GuestChannel?>
  private let display = Mutex<DisplayBus?>(nil)
  private let changes = Mutex<MonitorChanges?>(nil)

  /// The lab's name.
  public var name: String { directory.name }

  /// The output of the guest's kernel and first programs on the serial console so far.
  public var console: String { (try? Files.text(directory.console)) ?? "" }

  // MARK: Boot and shutdown

  /// Boots a guest and waits until it is ready for use.
  ///
  /// The guest ends with `down()`, with the last reference to the lab, or with this program, for any reason. A guest
  /// that hangs during its boot is restarted once.
  ///
  /// - Parameters:
  ///   - options: The configuration of the lab.
  ///   - tell: The function that receives a description of a hang before the restart.
  /// - Throws: `LabError` if a requirement is missing or the guest does not boot.
  /// - Returns: The running lab.
  public static func boot(
    _ options: LabOptions = LabOptions(), tell: (String) -> Void = Lab.logToStandardError
  ) throws(LabError) -> Lab {
    try twice(tell) { () throws(LabError) in try start(options, detached: false) }
  }

  /// Boots a guest that outlives this program, until it is shut down by name.
  ///
  /// - Parameters:
  ///   - options: The configuration of the lab.
  ///   - tell: The function that receives a description of a hang before the restart.
  /// - Throws: `LabError` if a requirement is missing or the guest does not boot.
  public static func bootDetached(
    _ options: LabOptions = LabOptions(), tell: (String) -> Void = Lab.logToStandardError
  ) throws(LabError) {
    let lab = try twice(tell) { () throws(LabError) in try start(options, detached: true) }
    lab.detach()
  }

  /// The names of this user's running labs, including those of other programs.
  public static var names: [String] { LabDirectory.names }

  /// The missing Debian packages that a lab needs.
  ///
  /// If it is empty, a lab can boot.
  public static var missingPackages: [String] {
    let tools = [
      HostTool.qemu, .busybox, .depmod, .aptGet, .dpkgDeb, .setpriv,
    ]
    return tools.filter { (try? $0.find()) == nil }.map(\.package)
  }

  /// Connects to a lab of another program.
  ///
  /// The guest outlives the returned object.
  ///
  /// - Parameter name: The name of the lab.
  /// - Throws: `LabError` if no such lab is running.
  /// - Returns: The lab.
  public static func attach(to name: String) throws(LabError) -> Lab {
    let directory = try LabDirectory.existing(name: name)
    return Lab(directory: directory, qmp: nil, machine: nil, isOwner: false)
  }

  private static func start(_ options: LabOptions, detached: Bool) throws(LabError) -> Lab {
    let plan = try LabPlan(options)
    let directory = try LabDirectory.create(name: options.name)
    do throws(LabError) {
      let machine = try plan.startMachine(in: directory, detached: detached)
      let qmp: QMPClient
      do throws(LabError) {
        qmp = try QMPClient(path: directory.qmpSocket, within: .seconds(30))
      } catch {
        machine.kill()
        let words = (try? Files.text(directory.path + "/qemu.log")) ?? ""
        throw LabError(.ended, "QEMU did not start: \(error)\n\(lastLines(words, 8))")
      }
      let lab = Lab(directory: directory, qmp: qmp, machine: machine, isOwner: !detached)
      do throws(LabError) {
        try lab.finishBoot(options)
      } catch {
        lab.down()
        throw error
      }
      return lab
    } catch {
      directory.remove()
      throw error
    }
  }

  private init(directory: LabDirectory, qmp: QMPClient?, machine: Machine?, isOwner: Bool) {
    self.isOwner = isOwner
    self.directory = directory
    monitor = Mutex(qmp)
    self.machine = machine
    programs = Mutex(nil)
    events = Mutex(nil)
  }

  deinit {
    if isOwner { down() } else { detach() }
  }

  /// Configures the monitors and starts the guest.
  ///
  /// QEMU waits before its first instruction (-S), so the monitors are set before any driver can probe.
  private func finishBoot(_ options: LabOptions) throws(LabError) {
    if case .virtioGPU(let outputs, _) = options.card {
      for output in 0..<outputs {
        let size = options.monitors[output] ?? (0, 0)
        // virtio-gpu connects output 0 by default.
        if output == 0 || size != (0, 0) {
          try setMonitor(output, width: size.0, height: size.1, isRunning: false)
        }
      }
    }
    try qmp().execute("cont")
    let deadline = Deadline(in: options.bootTime)
    do throws(LabError) {
      try programChannel().waitForWelcome(until: deadline)
      try eventChannel().waitForWelcome(until: deadline)
    } catch {
      throw LabError(error.kind, "the guest did not boot: \(error)\n\(lastSeen())")
    }
    if case .debian = options.root { try waitForSystem(until: deadline) }
    try openCards(until: deadline)
  }

  /// Returns diagnostics about a guest that did not boot.
  private func lastSeen() -> String {
    let tail = directory.consoleTail()
    let console =
      tail.isEmpty ? "its console is empty: the first script did not start" : "the end of its console:\n\(tail)"
    return "\(console)\nits processors: \(processors ?? "unknown (QEMU did not answer)")"
  }

  /// Ends the guest and removes the lab's directory.
  ///
  /// Repeated calls are safe.
  public func down() {
    detach()
    let qmp = try? qmp()
    _ = try? qmp?.execute("quit", within: .seconds(5))
    if !hasEnded(within: .seconds(5)) { kill() }
    directory.remove()
  }

  /// Ends the guest like a power cut: it receives no signal, and data that was not flushed to its disk is lost.
  ///
  /// Removes the lab's directory.
  public func cutPower() {
    // Kill the guest before closing the ports, because closed ports would end its programs.
    kill()
    detach()
    directory.remove()
  }

  private func kill() {
    // Connect first: for a lab of another program, the closed QMP connection signals QEMU's exit.
    let qmp = try? qmp()
    if let machine {
      machine.kill()
    } else if let pid = directory.processID, !directory.isStale {
      Glibc.kill(pid, SIGKILL)
    }
    _ = hasEnded(within: .seconds(5))
    withExtendedLifetime(qmp) {}
  }

  private func hasEnded(within limit: Duration) -> Bool {
    if let machine { return machine.waitForEnd(within: limit) }
    return (try? qmp())?.waitForEnd(within: limit) ?? directory.isStale
  }

  /// Closes the guest's ports.
  ///
  /// Programs that this process started in the guest end.
  private func detach() {
    programs.withLock { $0?.close() }
    events.withLock { $0?.close() }
  }

  /// Closes all connections.
  ///
  /// Later calls reopen them as needed.
  func letGo() {
    detach()
    programs.withLock { $0 = nil }
    events.withLock { $0 = nil }
    display.withLock { $0 = nil }
    changes.withLock { $0 = nil }
    monitor.withLock { $0 = nil }
  }

  // MARK: Connections, opened on demand

  /// Returns the QMP connection.
  ///
  /// QEMU serves one client at a time, so a program that only runs commands in the guest must not occupy it.
  func qmp() throws(LabError) -> QMPClient {
    try monitor.withLock { (client) throws(LabError) in
      if let client { return client }
      let new = try QMPClient(path: directory.qmpSocket, within: .seconds(30))
      client = new
      return new
    }
  }

  func programChannel() throws(LabError) -> GuestChannel {
    try channel(programs)
  }

  func eventChannel() throws(LabError) -> GuestChannel {
    try channel(events, subscribe: true)
  }

  private func channel(
    _ place: borrowing Mutex<GuestChannel?>, subscribe: Bool = false
  ) throws(LabError) -> GuestChannel {
    try place.withLock { (channel) throws(LabError) in
      if let channel { return channel }
      let (number, claim) = try directory.claimPort()
      let socket = try UnixSocket.connect(to: directory.portSocket(number))
      let new = try GuestChannel(socket: socket, claim: claim)
      if subscribe { try new.subscribe() }
      channel = new
      return new
    }
  }

  func displayBus() throws(LabError) -> DisplayBus {
    try display.withLock { (bus) throws(LabError) in
      if let bus { return bus }
      let new = try DisplayBus(qmp: try qmp())
      bus = new
      return new
    }
  }

  /// Makes a change of a monitor, and waits until the guest's driver has handled it.
  func handled(_ body: () throws(LabError) -> Void) throws(LabError) {
    var current = changes.withLock { $0 }
    if current == nil {
      current = try MonitorChanges(of: self)
      changes.withLock { $0 = current }
    }
    guard let current else { return try body() }
    try current.wait(for: body)
  }
}
