package import Geometry

/// The policy that chooses a monitor's mode from its list.
package enum ModePolicy: Hashable, Sendable {
  /// The preferred mode; for a 4K-class mode, the mode of exactly half its size if there is one.
  case legible
  /// The preferred mode.
  case native
  /// The same as `legible`, applied to every size above 1920x1080.
  case halveAbove1080p
  /// A given size, at the rate nearest to `refresh`.
  ///
  /// `refresh` is in thousandths of a hertz; nil means the preferred mode's rate. If the list has no such mode,
  /// `legible` decides.
  case explicit(Size, refresh: Int? = nil)
}

extension ModePolicy {
  /// The minimum rate of a mode of half the size, in thousandths of a hertz.
  ///
  /// Lists contain values such as 49.95 for 50 Hz.
  static let slowestHalf = 49_000

  /// The tolerance of an explicit rate, in thousandths of a hertz: `60` includes 59.94.
  static let refreshTolerance = 500

  /// Returns true if a preferred mode of this size is replaced by one of half the size, if there is one.
  func halves(_ size: Size) -> Bool {
    switch self {
    case .legible: size.is4KClass
    case .native, .explicit: false
    case .halveAbove1080p: size.isAbove1080p
    }
  }

  /// Returns the number of pixels per logical unit on a mode of this size.
  ///
  /// It is 2 for 4K class and for sizes that the policy halves, 4 for 8K, and 1 for others. Text on 8K is therefore as
  /// large as on 4K.
  ///
  /// - Parameter size: The size of the mode.
  /// - Returns: 1, 2 or 4.
  package func scale(for size: Size) -> Int {
    guard size.is4KClass || halves(size) else { return 1 }
    return Size(size.width / 2, size.height / 2).is4KClass ? 4 : 2
  }
}

extension Size {
  /// True if the long side is at least 3840 or the short side at least 2160, which is too fine to read from a distance.
  package var is4KClass: Bool { longSide >= 3840 || shortSide >= 2160 }

  /// True if the size exceeds 1920x1080 in either direction, in landscape or portrait orientation.
  package var isAbove1080p: Bool { longSide > 1920 || shortSide > 1080 }

  /// Returns true if the aspect ratios agree to within 0.5 percent: 1366x768 counts as 16:9.
  func hasAspect(of other: Size) -> Bool {
    let one = Double(width) * Double(other.height)
    let two = Double(height) * Double(other.width)
    return abs(one - two) <= 0.005 * max(one, two)
  }
}

extension ModePolicy: CustomStringConvertible {
  /// The policy as written in a configuration: `legible`, `native`, `halve-above-1080p`, `1920x1080@60`.
  package var description: String {
    switch self {
    case .legible: "legible"
    case .native: "native"
    case .halveAbove1080p: "halve-above-1080p"
    case .explicit(let size, nil): "\(size)"
    case .explicit(let size, let refresh?): Mode(size: size, refresh: refresh).description
    }
  }

  /// Parses a policy from a configuration, or returns nil for invalid text.
  ///
  /// - Parameter text: The name of a policy, or a size with an optional rate in hertz, 1 to 1000 (`1920x1080@59.94`).
  package init?(parsing text: some StringProtocol) {
    switch text {
    case "legible": self = .legible
    case "native": self = .native
    case "halve-above-1080p": self = .halveAbove1080p
    default:
      let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = parts.first, let size = Size(parsing: first) else { return nil }
      guard parts.count == 2 else {
        self = .explicit(size)
        return
      }
      guard let hertz = Double(parts[1]), hertz >= 1, hertz <= 1000 else { return nil }
      self = .explicit(size, refresh: Int((hertz * 1000).rounded()))
    }
  }
}
