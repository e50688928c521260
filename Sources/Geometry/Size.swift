/// A width and a height in whole units: pixels of a mode, or logical units of a layout.
public struct Size: Hashable, Sendable {
  /// Horizontal extent; never negative in a valid size.
  public var width: Int
  /// Vertical extent; never negative in a valid size.
  public var height: Int

  /// A size from its two extents.
  public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of unit squares inside.
  public var area: Int { width * height }
  /// The longer of the two extents.
  public var longSide: Int { max(width, height) }
  /// The shorter of the two extents.
  public var shortSide: Int { min(width, height) }
  /// Width and height exchanged, as a quarter turn does.
  public var turned: Size { Size(height, width) }
  /// Half of this size, or nil where an extent is odd.
  public var half: Size? {
    width.isMultiple(of: 2) && height.isMultiple(of: 2) ? Size(width / 2, height / 2) : nil
  }
}

extension Size: CustomStringConvertible {
  /// `1920x1080`, as modes are written.
  public var description: String { "\(width)x\(height)" }
}

extension Size {
  /// Reads `1920x1080`; nil unless both numbers are whole, and from 1 to 65535, as in the kernel's modes (struct
  /// drm_mode_modeinfo).
  public init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = UInt16(parts[0]), let height = UInt16(parts[1]), width > 0, height > 0 else {
      return nil
    }
    self.init(Int(width), Int(height))
  }
}
