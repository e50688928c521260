package import Geometry

/// A display mode: a size, a refresh rate and the kernel's timing.
package struct Mode: Hashable, Sendable {
  /// The visible pixels.
  package var size: Size
  /// The refresh rate in thousandths of a hertz (59940 is 59.94 Hz).
  package var refresh: Int
  /// True if the mode is interlaced.
  ///
  /// Such a mode is chosen only if the monitor lists no progressive one.
  package var isInterlaced: Bool
  /// True if the monitor or the driver prefers this mode.
  package var isPreferred: Bool
  /// The kernel's full timing; nil for a mode that is only described, for example by an EDID.
  package var timing: Timing?

  /// Creates a mode.
  package init(
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
  /// The size and rate, such as `1920x1080@60` or `1920x1080i@59.94`.
  package var description: String {
    let fraction = refresh % 1000 / 10
    let tail = fraction == 0 ? "" : fraction < 10 ? ".0\(fraction)" : ".\(fraction)"
    return "\(size)\(isInterlaced ? "i" : "")@\(refresh / 1000)\(tail)"
  }
}

/// The fields of the kernel's `struct drm_mode_modeinfo`, as values.
package struct Timing: Hashable, Sendable {
  /// The pixel clock in kHz.
  package var clock: UInt32
  /// The horizontal display size, sync start, sync end, total and skew, in pixels.
  package var horizontal: [UInt16]
  /// The vertical display size, sync start, sync end, total and scan, in lines.
  package var vertical: [UInt16]
  /// The kernel's rounded refresh rate in hertz.
  package var vrefresh: UInt32
  /// The flags `DRM_MODE_FLAG_*`.
  package var flags: UInt32
  /// The type bits `DRM_MODE_TYPE_*`.
  package var type: UInt32
  /// The kernel's name of the mode.
  package var name: String

  /// Creates a timing from the kernel's fields; `horizontal` and `vertical` must have five elements each.
  package init(
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
