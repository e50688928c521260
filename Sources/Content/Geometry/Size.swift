/// A width and a height in whole units: the pixels of a mode, or the logical units of a layout.
package struct Size: Hashable, Sendable {
  /// The width, not negative in a valid size.
  package var width: Int
  /// The height, not negative in a valid size.
  package var height: Int

  /// Creates a size from its width and height.
  package init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  /// The product of width and height.
  package var area: Int { width * height }
  /// The larger of width and height.
  package var longSide: Int { max(width, height) }
  /// The smaller of width and height.
  package var shortSide: Int { min(width, height) }
  /// The size with width and height exchanged, as after a quarter turn.
  package var turned: Size { Size(height, width) }
  /// Half of this size; nil if the width or the height is odd.
  package var half: Size? {
    width.isMultiple(of: 2) && height.isMultiple(of: 2) ? Size(width / 2, height / 2) : nil
  }
}

extension Size: CustomStringConvertible {
  /// The size in the notation of modes, such as `1920x1080`.
  package var description: String { "\(width)x\(height)" }
}

extension Size {
  /// Parses a size, or returns nil for invalid text.
  ///
  /// - Parameter text: Two whole numbers from 1 to 65535, such as `1920x1080`. The range is that of the kernel's modes
  ///   (struct drm_mode_modeinfo).
  package init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = UInt16(parts[0]), let height = UInt16(parts[1]), width > 0, height > 0 else {
      return nil
    }
    self.init(Int(width), Int(height))
  }
}
