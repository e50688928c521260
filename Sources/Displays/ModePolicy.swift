public import Geometry

/// How the mode of a monitor is picked from its list.
public enum ModePolicy: Hashable, Sendable {
  /// The preferred mode; where that is 4K class, the progressive mode of exactly half its size.
  case legible
  /// The preferred mode as it is.
  case native
  /// As `legible`, for everything larger than 1920x1080.
  case halveAbove1080p
  /// This size, at the rate nearest to `refresh` (thousandths of a hertz; nil for the rate nearest to the preferred
  /// mode's). What the list does not have is picked as `legible` would.
  case explicit(Size, refresh: Int? = nil)
}

extension ModePolicy {
  /// Slower than this nothing is halved to: in thousandths of a hertz. 50 Hz lists say 49.95 and the like.
  static let slowestHalf = 49_000

  /// An explicit rate is met by anything at most this far away: `60` means 59.94, too.
  static let refreshTolerance = 500

  /// Whether a preferred mode of this size is replaced by one of half the size where there is one.
  func halves(_ size: Size) -> Bool {
    switch self {
    case .legible: size.is4KClass
    case .native, .explicit: false
    case .halveAbove1080p: size.isAbove1080p
    }
  }

  /// Returns how many pixels a logical unit has on a mode of this size: 1, 2 for 4K class and what the policy halves, or 4
  /// for 8K, so that its logical size is that of half of a 4K mode, too.
  func scale(for size: Size) -> Int {
    guard size.is4KClass || halves(size) else { return 1 }
    return Size(size.width / 2, size.height / 2).is4KClass ? 4 : 2
  }
}

extension Size {
  /// Long side of at least 3840 or short side of at least 2160: what is too fine to read from afar.
  public var is4KClass: Bool { longSide >= 3840 || shortSide >= 2160 }

  /// Larger than 1920x1080 in one of its two directions, whichever way up it stands.
  public var isAbove1080p: Bool { longSide > 1920 || shortSide > 1080 }

  /// Whether width and height are in the same proportion, to half a percent: 1366x768 counts as 16:9.
  func hasAspect(of other: Size) -> Bool {
    let one = Double(width) * Double(other.height)
    let two = Double(height) * Double(other.width)
    return abs(one - two) <= 0.005 * max(one, two)
  }
}

extension ModePolicy: CustomStringConvertible {
  /// The word a configuration writes: `legible`, `native`, `halve-above-1080p`, `1920x1080@60`.
  public var description: String {
    switch self {
    case .legible: "legible"
    case .native: "native"
    case .halveAbove1080p: "halve-above-1080p"
    case .explicit(let size, nil): "\(size)"
    case .explicit(let size, let refresh?): Mode(size: size, refresh: refresh).description
    }
  }

  /// Reads the word of a configuration: a policy's name or a size with or without a rate (`1920x1080@59.94`).
  /// nil for anything else.
  public init?(parsing text: some StringProtocol) {
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
