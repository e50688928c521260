public import Geometry

/// One way of driving a monitor that its EDID lists.
public struct EDIDTiming: Hashable, Sendable {
  /// Which part of the EDID lists it.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// A bit in the base block.
    case established
    /// Two bytes in the base block or a descriptor.
    case standard
    /// A detailed timing of the base block.
    case detailed
    /// A three-byte CVT code.
    case cvt
    /// A video identification code of CTA-861.
    case cta
    /// A 4K code of HDMI 1.4.
    case hdmi
    /// A code that is possible in YCbCr 4:2:0 only.
    case cta420
    /// A detailed timing of a CTA-861 block.
    case ctaDetailed
    /// A timing of a DisplayID block.
    case displayID
    /// A timing of a video timing extension block (VTB).
    case vtb
  }

  /// Visible pixels; for interlaced timings of the whole picture.
  public var size: Size
  /// Pictures (half pictures where interlaced) a second, in thousandths of a hertz.
  public var refresh: Int
  /// Two half pictures instead of one whole.
  public var isInterlaced: Bool
  /// Whether the kernel would mark it DRM_MODE_TYPE_PREFERRED.
  public var isPreferred: Bool
  /// Whether the monitor calls it native (CTA-861, codes 1 to 64 only).
  public var isNative: Bool
  /// Which part lists it.
  public var source: Source

  /// A timing from its parts.
  public init(
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

  /// It as a mode without a kernel's timing: to reason about, not to set.
  public var mode: Mode {
    Mode(size: size, refresh: refresh, isInterlaced: isInterlaced, isPreferred: isPreferred)
  }
}

extension EDID {
  /// The timings as modes, each once, in the order of the bytes. They carry no kernel timing: the kernel builds its own
  /// list, drops what the connector cannot do and adds to it.
  public var modes: [Mode] {
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

/// A size and rate that a table or a code stands for.
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
