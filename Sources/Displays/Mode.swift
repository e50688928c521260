public import Geometry

/// One way to drive a monitor: a size, a rate, and the timing that makes it.
public struct Mode: Hashable, Sendable {
  /// Visible pixels.
  public var size: Size
  /// Pictures a second, in thousandths of a hertz (59940 is 59.94 Hz).
  public var refresh: Int
  /// Two half pictures instead of one whole; never chosen.
  public var isInterlaced: Bool
  /// The monitor (or the driver) says that this is its best one.
  public var isPreferred: Bool
  /// The full timing where the kernel gave one; nil for modes that were only described.
  public var timing: Timing?

  /// A mode from its parts.
  public init(
    size: Size, refresh: Int, isInterlaced: Bool = false, isPreferred: Bool = false, timing: Timing? = nil
  ) {
    self.size = size
    self.refresh = refresh
    self.isInterlaced = isInterlaced
    self.isPreferred = isPreferred
    self.timing = timing
  }
}

extension Mode: CustomStringConvertible {
  /// `1920x1080@60`, `1920x1080i@59.94`.
  public var description: String {
    let fraction = refresh % 1000 / 10
    let tail = fraction == 0 ? "" : fraction < 10 ? ".0\(fraction)" : ".\(fraction)"
    return "\(size)\(isInterlaced ? "i" : "")@\(refresh / 1000)\(tail)"
  }
}

/// The fields of the kernel's `struct drm_mode_modeinfo`, as values.
public struct Timing: Hashable, Sendable {
  /// Pixel clock in kHz.
  public var clock: UInt32
  /// Horizontal display, sync start, sync end, total and skew, in pixels.
  public var horizontal: [UInt16]
  /// Vertical display, sync start, sync end, total and scan, in lines.
  public var vertical: [UInt16]
  /// The kernel's own rounding of the rate, in hertz.
  public var vrefresh: UInt32
  /// `DRM_MODE_FLAG_*`.
  public var flags: UInt32
  /// `DRM_MODE_TYPE_*`.
  public var type: UInt32
  /// The kernel's name for it.
  public var name: String

  /// A timing from the kernel's fields; horizontal and vertical hold five numbers each.
  public init(
    clock: UInt32, horizontal: [UInt16], vertical: [UInt16], vrefresh: UInt32, flags: UInt32, type: UInt32,
    name: String
  ) {
    self.clock = clock
    self.horizontal = horizontal
    self.vertical = vertical
    self.vrefresh = vrefresh
    self.flags = flags
    self.type = type
    self.name = name
  }
}
