import Displays
import Geometry
import Testing

@Suite(.enabled(if: Oracle.folder != nil, Oracle.missing))
struct ModePolicyOracleTests {
  /// Returns the list with only the first detailed timing preferred, as `half_mode` assumes.
  private func modes(of edid: EDID) -> [Mode] {
    edid.modes.map { mode in
      var mode = mode
      mode.isPreferred = false
      return mode.size == edid.firstDetailed?.size && mode.refresh == edid.firstDetailed?.refresh
        && mode.isInterlaced == edid.firstDetailed?.isInterlaced ? edid.firstDetailed?.mode.preferred ?? mode : mode
    }
  }

  @Test(arguments: Oracle.monitors.filter { $0["pref_interlaced"] == "no" && $0["pref_w"] != "0" })
  func `half the preferred size is chosen if edid-decode lists it`(_ monitor: Oracle.Monitor) throws {
    let edid = try monitor.edid()
    let preferred = try #require(edid.firstDetailed).size
    let choice = try ModePolicy.halveAbove1080p.choose(from: modes(of: edid), isEDIDPresent: true)
    if monitor["half_mode"] == "yes" {
      #expect(choice.mode.size == preferred.half)
      #expect(choice.scale == (choice.mode.size.isAbove1080p ? 2 : 1))
    } else {
      #expect(choice.mode.size == preferred)
      #expect(choice.scale == (preferred.isAbove1080p ? 2 : 1))
    }
  }

  /// The only monitor that lists only an interlaced mode.
  static let woven = "a-SWR0000-2cf0073c4208.bin"

  @Test func `a monitor with only interlaced modes gets one of them`() throws {
    let edid = try Oracle.monitor(Self.woven).edid()
    #expect(try ModePolicy.legible.choose(from: edid.modes, isEDIDPresent: true).mode.isInterlaced)
  }

  @Test(arguments: Oracle.monitors.filter { $0.file != woven })
  func `4K class monitors get half their size or scale 2`(_ monitor: Oracle.Monitor) throws {
    let edid = try monitor.edid()
    let modes = modes(of: edid)
    let choice = try ModePolicy.legible.choose(from: modes, isEDIDPresent: true)
    let preferred = edid.firstDetailed.map(\.size) ?? choice.mode.size
    #expect(!choice.mode.isInterlaced)
    #expect(modes.contains(choice.mode))
    if preferred.is4KClass {
      #expect(choice.mode.size == (monitor["half_mode"] == "yes" ? preferred.half : preferred))
      #expect(choice.scale == (choice.mode.size.is4KClass ? 2 : 1))
    } else if edid.firstDetailed?.isInterlaced == false {
      #expect(choice.mode.size == preferred)
      #expect(choice.scale == 1)
    }
  }

  @Test(arguments: Oracle.monitors.filter { $0.file != woven })
  func `every progressive mode is the choice or on the ladder, exactly once`(
    _ monitor: Oracle.Monitor
  ) throws {
    let modes = try monitor.edid().modes
    for policy in [ModePolicy.legible, .native, .halveAbove1080p, .explicit(Size(1280, 720))] {
      let choice = try policy.choose(from: modes, isEDIDPresent: true)
      let usable = modes.filter { !$0.isInterlaced && $0.size.area > 0 && $0.refresh > 0 }
      #expect(choice.candidates.count == usable.count)
      #expect(Set(choice.candidates.map(\.mode)) == Set(usable))
      #expect(choice.rejected.count == modes.count - 1)
      for candidate in choice.candidates where candidate.mode.size.is4KClass {
        #expect(candidate.scale == (candidate.mode.size.longSide >= 7680 ? 4 : 2), "\(candidate.mode)")
      }
    }
  }

  @Test(arguments: Oracle.damaged)
  func `a damaged EDID is refused or parsed with a note`(_ monitor: Oracle.Monitor) throws {
    let identity = MonitorIdentity(edid: monitor.bytes, connector: "HDMI-A-1")
    #expect((identity.edidHash == nil) == monitor.bytes.isEmpty)
    guard monitor["edid-decode_exit"] == "0" else {
      #expect(throws: EDIDError.self) { try monitor.edid() }
      #expect(identity.vendor == nil)
      return
    }
    let edid = try monitor.edid()
    let saysBad = monitor["edid-decode_says"].contains("should be")
    let isPlainCount = monitor.file.hasPrefix("base-only") || monitor.file.hasPrefix("ext-count")
    #expect(edid.notes.contains { $0.contains("wrong checksum") } == saysBad)
    #expect(edid.isDegraded == (saysBad && !monitor.file.hasPrefix("ext-")))
    #expect(edid.notes.contains { $0.contains("byte 126") } == isPlainCount)
    #expect(edid.vendor == String(monitor["derived_from(monitors/)"].prefix(3)))
  }
}

extension Mode {
  fileprivate var preferred: Mode {
    var mode = self
    mode.isPreferred = true
    return mode
  }
}
