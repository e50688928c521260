import CDRM
import Displays
import Geometry

extension Mode {
  /// Creates a mode from the kernel's.
  ///
  /// The rate is computed from the timing, because `vrefresh` is rounded to hertz.
  init(kernel info: drmModeModeInfo) {
    let interlaced = info.flags & DRM_MODE_FLAG_INTERLACE.magnitude != 0
    self.init(
      size: Size(Int(info.hdisplay), Int(info.vdisplay)), refresh: Self.milliHertz(info),
      isInterlaced: interlaced, isPreferred: info.type & DRM_MODE_TYPE_PREFERRED.magnitude != 0,
      timing: Timing(
        clock: info.clock,
        horizontal: [info.hdisplay, info.hsync_start, info.hsync_end, info.htotal, info.hskew],
        vertical: [info.vdisplay, info.vsync_start, info.vsync_end, info.vtotal, info.vscan],
        vrefresh: info.vrefresh, flags: info.flags, type: info.type, name: Self.name(info)))
  }

  /// Returns the refresh rate as drm_mode_vrefresh computes it.
  ///
  /// It counts fields if interlaced, and DBLSCAN and vscan multiply the lines.
  private static func milliHertz(_ info: drmModeModeInfo) -> Int {
    var lines = Int(info.htotal) * Int(info.vtotal)
    if info.flags & DRM_MODE_FLAG_DBLSCAN.magnitude != 0 { lines *= 2 }
    if info.vscan > 1 { lines *= Int(info.vscan) }
    guard lines > 0 else { return Int(clamping: UInt64(info.vrefresh) * 1000) }
    var clock = Int(info.clock) * 1_000_000
    if info.flags & DRM_MODE_FLAG_INTERLACE.magnitude != 0 { clock *= 2 }
    return (clock + lines / 2) / lines
  }

  private static func name(_ info: drmModeModeInfo) -> String {
    var name = info.name
    return unsafe withUnsafeBytes(of: &name) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension drmModeModeInfo {
  /// Creates the kernel's form of a mode, or returns nil for a mode without a timing.
  init?(_ mode: Mode) {
    guard let timing = mode.timing, timing.horizontal.count == 5, timing.vertical.count == 5 else { return nil }
    self.init()
    clock = timing.clock
    (hdisplay, hsync_start, hsync_end) = (timing.horizontal[0], timing.horizontal[1], timing.horizontal[2])
    (htotal, hskew) = (timing.horizontal[3], timing.horizontal[4])
    (vdisplay, vsync_start, vsync_end) = (timing.vertical[0], timing.vertical[1], timing.vertical[2])
    (vtotal, vscan) = (timing.vertical[3], timing.vertical[4])
    vrefresh = timing.vrefresh
    flags = timing.flags
    type = timing.type
    unsafe withUnsafeMutableBytes(of: &name) { unsafe $0.copyBytes(from: timing.name.utf8.prefix($0.count - 1)) }
  }
}
