import Control
import Displays
import Geometry
import Lab
import Testing

@testable import VirtualDisplays

/// The mode that a monitor gets, on a real kernel.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: GuestFixture.unavailableReason == nil, "the lab is not available; see scripts/test"))
struct ModeStories {
  /// One boot for all stories of this suite. Each has a new daemon.
  private static let lab = Result { try GuestFixture.boot() }

  private func guest(_ arguments: String...) throws -> GuestFixture {
    try GuestFixture(lab: try Self.lab.get(), ["--message", "Mode"] + arguments)
  }

  /// Plugs a monitor in, waits for the frame, and compares mode and scale.
  private func expect(
    _ size: Size, scale: Int = 1, on guest: GuestFixture, plug: (Lab) throws(LabError) -> Void
  ) throws {
    let lab = guest.lab
    try guest.empty(0)
    guest.skipLog()
    _ = try guest.see(0, try Expectation("Mode", size, scale: scale)) { () throws(LabError) in
      try plug(lab)
    }
    try guest.waitForLog("Virtual-1: \(size)")
    let report = try guest.wait(for: .lit, of: "Virtual-1")
    #expect(Size(report.width, report.height) == size)
    #expect(report.scale == scale)
  }

  @Test(.enabled(if: MonitorData.folder != nil, "needs EDIDs of real monitors, which are not in the repository"))
  func `a real 4K monitor gets half its size`() throws {
    let edid = try #require(
      try MonitorData.first {
        $0["pref_w"] == "3840" && $0["pref_h"] == "2160" && $0["half_mode"] == "yes"
      })
    let guest = try guest()
    try expect(Size(1920, 1080), on: guest) { (lab) throws(LabError) in try lab.plug(0, edid: edid) }
    let why = try guest.placard("why", "Virtual-1")
    #expect(why.contains("3840x2160") && why.contains("half"), "\(why)")
    try guest.lab.resetEDID(0)
    try guest.end()
  }

  @Test func `a monitor of 3840x2160 alone keeps it at scale 2`() throws {
    let edid = SyntheticEDID.bytes(size: Size(3840, 2160), name: "Only 4K")
    let guest = try guest()
    try expect(Size(3840, 2160), scale: 2, on: guest) { (lab) throws(LabError) in
      try lab.plug(0, edid: edid)
    }
    try guest.lab.resetEDID(0)
    try guest.end()
  }

  /// Two buffers of 133 MB each: more than the 256 MB that QEMU's card has by default.
  @Test func `7680x4320 is lit at scale 4, with both of its buffers`() throws {
    var options = LabOptions()
    options.qemuArguments = ["-global", "virtio-gpu-device.max_hostmem=1073741824"]
    let guest = try GuestFixture(options, ["--message", "Mode", "--policy", "native"])
    try expect(Size(7680, 4320), scale: 4, on: guest) { (lab) throws(LabError) in
      try lab.plug(0, width: 7680, height: 4320)
    }
    for text in ["Back buffer", "First buffer"] {
      try guest.placard("show", text, "--wait")
      _ = try guest.see(0, try Expectation(text, Size(7680, 4320), scale: 4))
    }
    try guest.end()
  }

  /// The driver lists no mode of which two frames do not fit into the card's memory.
  @Test func `a card with too little memory for 7680x4320 shows a smaller mode`() throws {
    var options = LabOptions()
    options.card = .none
    options.qemuArguments = ["-device", "VGA,id=gpu,vgamem_mb=64,xres=7680,yres=4320"]
    let guest = try GuestFixture(options, ["--message", "Mode"])
    let report = try guest.wait(for: .lit, of: "Virtual-1")
    #expect(Size(report.width, report.height) == Size(1920, 1080) && !report.modes.contains { $0.hasPrefix("7680") })
    let why = try guest.placard("why", "Virtual-1")
    #expect(why.contains("3840x2160@60 is the largest"), "\(why)")
    try guest.end()
  }

  @Test(arguments: [Size(1080, 1920), Size(3440, 1440), Size(800, 480)])
  func `portrait, wide and small monitors get their own size`(_ size: Size) throws {
    let guest = try guest()
    try expect(size, on: guest) { (lab) throws(LabError) in
      try lab.plug(0, width: size.width, height: size.height)
    }
    try guest.end()
  }

  @Test func `a monitor with a broken EDID is lit`() throws {
    let guest = try guest()
    try guest.empty(0)
    guest.skipLog()
    // Nonsense in all fields but those that the kernel checks before a program can read the EDID: the header, the
    // version, the extension count and the checksum. Kernel 6.1 takes any bytes, kernel 6.12 does not.
    var broken = [UInt8](repeating: 0xA5, count: 128)
    broken.replaceSubrange(0..<8, with: [0, 255, 255, 255, 255, 255, 255, 0])
    broken.replaceSubrange(18..<20, with: [1, 4])
    broken[126] = 0
    broken[127] = 0 &- broken[..<127].reduce(0, &+)
    try guest.lab.plug(0, edid: broken, size: (1024, 768))
    try guest.waitForLog("Virtual-1: ")
    try guest.placard("show", "Mode", "--wait")
    let report = try guest.wait(for: .lit, of: "Virtual-1")
    _ = try guest.see(0, try Expectation("Mode", Size(report.width, report.height), scale: report.scale))
    try guest.lab.resetEDID(0)
    try guest.end()
  }

  @Test func `a card without EDIDs lights its monitors`() throws {
    var options = LabOptions()
    options.card = .virtioGPU(outputs: 1, edid: false)
    let guest = try GuestFixture(options, ["--message", "Mode"])
    try expect(Size(1280, 720), on: guest) { (lab) throws(LabError) in try lab.plug(0, width: 1280, height: 720) }
    #expect(try guest.display("Virtual-1").identity == "PORT-Virtual-1")
  }

  @Test func `the native policy keeps 3840x2160 and draws at scale 2`() throws {
    let guest = try guest("--policy", "native")
    try expect(Size(3840, 2160), scale: 2, on: guest) { (lab) throws(LabError) in
      try lab.plug(0, width: 3840, height: 2160)
    }
    try guest.end()
  }
}
