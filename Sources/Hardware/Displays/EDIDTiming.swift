package import Geometry

/// A timing that an EDID lists.
package struct EDIDTiming: Hashable, Sendable {
  /// The part of the EDID that lists a timing.
  package enum Source: String, Hashable, Sendable, CaseIterable {
    /// An established timing, a bit in the base block or in an Established Timings III descriptor.
    case established
    /// A two-byte standard timing, in the base block or a descriptor.
    case standard
    /// A detailed timing of the base block.
    case detailed
    /// A three-byte CVT code.
    case cvt
    /// A video identification code (VIC) of CTA-861.
    case cta
    /// A 4K code of HDMI 1.4.
    case hdmi
    /// A VIC that is supported in YCbCr 4:2:0 only.
    case cta420
    /// A detailed timing of a CTA-861 block.
    case ctaDetailed
    /// A timing of a DisplayID block.
    case displayID
    /// A timing of a video timing extension block (VTB).
    case vtb
  }

  /// The visible pixels; for an interlaced timing, those of the whole frame.
  package var size: Size
  /// The frame rate (field rate if interlaced) in thousandths of a hertz.
  package var refresh: Int
  /// True if the timing is interlaced.
  package var isInterlaced: Bool
  /// True if the kernel would set `DRM_MODE_TYPE_PREFERRED`.
  package var isPreferred: Bool
  /// True if the monitor marks the timing as native (CTA-861 codes 1 to 64 only).
  package var isNative: Bool
  /// The part of the EDID that lists the timing.
  package var source: Source

  /// Creates a timing.
  package init(
    size: Size, refresh: Int, isInterlaced: Bool = false, isPreferred: Bool = false, isNative: Bool = false,
    source: Source
  ) {
    self.size = size
    self.refresh = refresh
    self.isInterlaced = isInterlaced
    self.isPreferred = isPreferred
    self.isNative = isNative
    self.source = source
  }

  /// The timing as a mode without a kernel timing.
  ///
  /// Such a mode can be compared but not set.
  package var mode: Mode {
    Mode(size: size, refresh: refresh, isInterlaced: isInterlaced, isPreferred: isPreferred)
  }
}

extension EDID {
  /// The timings as modes without duplicates, in the order of the bytes.
  ///
  /// They have no kernel timing. The kernel builds its own list, drops the modes that the connector does not support,
  /// and adds others.
  package var modes: [Mode] {
    var places: [Mode: Int] = [:]
    var modes: [Mode] = []
    for timing in timings {
      var key = timing.mode
      key.isPreferred = false
      if let place = places[key] {
        modes[place].isPreferred = modes[place].isPreferred || timing.isPreferred
      } else {
        places[key] = modes.count
        modes.append(timing.mode)
      }
    }
    return modes
  }
}

/// A size and rate from a table of codes.
struct KnownTiming: Hashable, Sendable {
  var size: Size
  var refresh: Int
  var isInterlaced: Bool

  init(_ width: Int, _ height: Int, _ refresh: Int, interlaced: Bool = false) {
    size = Size(width, height)
    self.refresh = refresh
    isInterlaced = interlaced
  }

  func timing(_ source: EDIDTiming.Source, isPreferred: Bool = false, isNative: Bool = false) -> EDIDTiming {
    EDIDTiming(
      size: size, refresh: refresh, isInterlaced: isInterlaced, isPreferred: isPreferred, isNative: isNative,
      source: source)
  }
}
