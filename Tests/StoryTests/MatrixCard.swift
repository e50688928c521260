import Control
import Geometry
import Glibc
import Lab
import Testing
import USBDisplays

/// A card of the lab, the operations on it, and the capture of its frames.
final class MatrixCard {
  enum Driver: String, CaseIterable {
    case virtio = "virtio-gpu"
    case bochs, cirrus, qxl, udl, gud, vkms

    /// The drivers that PLACARD_DRIVERS names, or all.
    static let chosen: [Driver] = {
      let names = unsafe getenv("PLACARD_DRIVERS").map { unsafe String(cString: $0) } ?? ""
      return names.isEmpty ? allCases : names.split(separator: " ").compactMap { Driver(rawValue: String($0)) }
    }()
  }

  private let driver: Driver
  private let lab: Lab
  private var usb: USBCard?
  private let vkms: VKMSCard?
  private static let edid = MonitorEDID.hdmi(width: 1280, height: 720, name: "Matrix", serial: 5)

  static func options(_ driver: Driver) -> LabOptions {
    var options = LabOptions()
    switch driver {
    case .virtio: options.monitors = [0: (1280, 720)]
    case .bochs: options.card = .bochs
    case .cirrus: options.card = .cirrus
    case .qxl: options.card = .qxl
    case .udl, .gud, .vkms: options.card = .none
    }
    return options
  }

  init(_ driver: Driver, in lab: Lab) throws {
    (self.driver, self.lab) = (driver, lab)
    vkms = driver == .vkms ? try lab.addVKMS() : nil
    usb = try plugUSB()
  }

  private func plugUSB() throws -> USBCard? {
    switch driver {
    case .udl: try lab.plugDisplayLink(monitor: Self.edid)
    case .gud: try lab.plugUSBCard([.hdmi], monitors: [0: Self.edid])
    default: nil
    }
  }

  /// Runs a step, and records an error in the table.
  func attempt(_ step: String, _ guest: GuestFixture, yes: String = "yes", _ body: () throws -> Void) -> String {
    do {
      try body()
      return yes
    } catch {
      let log = guest.log(from: 0).suffix(40).joined(separator: "\n")
      Issue.record("\(driver.rawValue), \(step): \(error)\nthe service's log:\n\(log)")
      return MatrixRow.no(error)
    }
  }

  // MARK: Observations

  var captureName: String {
    switch driver {
    case .udl, .gud: "the USB display's pixels"
    case .vkms: "the frame's CRC"
    default: "screendump"
    }
  }

  /// Waits until the card's display is lit and the capture sees a message on it.
  func see(_ message: String, _ guest: GuestFixture) throws {
    let report = try waitForLight(guest)
    let place = report.card.drop { !$0.isNumber }
    let isSmall = try lab.text("/sys/kernel/debug/dri/\(place)/state").contains("format=RG16")
    let expected = try Expectation(
      message, Size(report.width, report.height), scale: report.scale, format: isSmall ? .rgb565 : .xrgb8888)
    let tolerance = isSmall ? 8 : 0
    if let vkms {
      try lab.waitForFrame(expected.checksum, on: vkms, within: .generous)
    } else if let usb {
      _ = try usb.waitForFrame(0, within: .generous) {
        $0.map { expected.matches($0, tolerance: tolerance) } ?? false
      }
    } else {
      _ = try lab.waitForFrame(0, within: .generous) { expected.matches($0, tolerance: tolerance) }
    }
  }

  private func waitForLight(_ guest: GuestFixture) throws -> DisplayReport {
    try #require(try guest.wait { $0.contains { $0.state == .lit } }.first { $0.state == .lit })
  }

  /// Waits until the daemon reports the display as disconnected.
  func waitForDarkness(_ guest: GuestFixture) throws {
    _ = try guest.wait { !$0.isEmpty && $0.allSatisfy { $0.state == .disconnected } }
  }

  /// Shows messages one after the other, each after the previous one is presented.
  func showMessages(_ count: Int, _ guest: GuestFixture) throws {
    let requests = (1...count).map { number in
      "url = http://placard/v1/message\nunix-socket = \(GuestFixture.socket)\nrequest = PUT\noutput = /dev/null\nfail\n"
        + "header = \"Content-Type: application/json\"\ndata = \"{\\\"text\\\":\\\"Number \(number)\\\",\\\"wait\\\":true}\"\n"
    }
    let watch = try Watch(guest)
    let sent = try lab.run(
      ["curl", "-sS", "--config", "-"], input: Array(requests.joined(separator: "next\n").utf8), within: .generous)
    try #require(sent.status.isSuccess, "\(sent.errors)")
    try watch.wait(for: .messageShown, saying: "Number \(count)")
    let shown = Set(try watch.events.filter { $0.kind == .messageShown }.compactMap(\.detail))
    try #require(shown.isSuperset(of: (1...count).map { "Number \($0)" }), "\(shown.count) of \(count) were shown")
    try see("Number \(count)", guest)
  }

  // MARK: Operations

  /// Whether the monitor can be removed only through sysfs, because the driver does not support an unplug.
  var isForced: Bool { [.bochs, .cirrus, .qxl, .vkms].contains(driver) }

  /// Unplugs the monitor.
  var unplug: (() throws -> Void)? {
    if let usb { return { try self.lab.unplug(0, of: usb) } }
    return driver == .virtio ? { try self.lab.unplug(0) } : { try self.force("off") }
  }

  /// Plugs the monitor in again.
  func plug() throws {
    if let usb { return try lab.plug(Self.edid, into: 0, of: usb) }
    if driver == .virtio { try lab.plug(0, width: 1280, height: 720) } else { try force("detect") }
  }

  /// Forces the connector's status in sysfs, and triggers the event that a driver without polling does not send.
  private func force(_ word: String) throws {
    try lab.shell(
      "for c in /sys/class/drm/card0-*; do case $c in *Writeback*) ;; *) echo \(word) >$c/status ;; esac; done; "
        + "echo change >/sys/class/drm/card0/uevent")
  }

  /// Yanks the card. It is nil for vkms, which stays while it is open.
  var yank: (() throws -> Void)? {
    if let usb { return { try self.lab.yank(usb) } }
    guard vkms == nil else { return nil }
    return {
      // The card's device uses virtio's PCI driver, as does the lab's own port.
      let name = try self.lab.shell("basename $(readlink /sys/class/drm/card0/device/driver)")
      _ = try self.lab.removeFromPCI(
        driver: self.driver == .virtio ? "virtio_gpu" : String(name.filter { !$0.isWhitespace }))
    }
  }

  /// Adds the card again.
  func putBack() throws { if usb == nil { try lab.rescanPCI() } else { usb = try plugUSB() } }
}
