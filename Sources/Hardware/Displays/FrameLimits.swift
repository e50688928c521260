package import Geometry

/// The limits on the size of a frame, on real and virtual cards.
///
/// An EDID can describe 65536x65536 pixels, and each display has two buffers of its mode's size. Two buffers of the
/// largest frame take 270 MiB.
package enum FrameLimits {
  /// The maximum number of pixels in a frame: 8192x4320, 8K with the DCI aspect ratio.
  package static let mostPixels = 8192 * 4320

  /// The maximum width and height in pixels.
  package static let longestSide = 16384

  /// Checks the size of a frame.
  ///
  /// - Parameter size: The size in pixels.
  /// - Returns: A sentence with the size and the exceeded limit; nil if the size is within the limits.
  package static func refusal(of size: Size) -> String? {
    guard size.width > 0, size.height > 0 else { return "\(size) has no pixels" }
    guard size.longSide <= longestSide else {
      return "\(size) is larger than \(longestSide) pixels in one direction"
    }
    guard size.area <= mostPixels else {
      return "\(size) has \(size.area) pixels, and the limit is \(mostPixels) (8192x4320)"
    }
    return nil
  }

  /// The maximum number of pixels of all virtual monitors together: three 4K monitors.
  ///
  /// Their frames are in the daemon's own memory and take 190 MiB at this limit.
  package static let mostVirtualPixels = 3 * 3840 * 2160

  /// Returns the largest size that a monitor can be driven with.
  ///
  /// - Parameter modes: The modes that the monitor lists.
  /// - Returns: The size with the most pixels among the usable modes; nil if no mode is usable.
  package static func largest(of modes: [Mode]) -> Size? {
    modes.usable.map(\.size).max { $0.area < $1.area }
  }

  /// Checks the size of a frame before its buffer is allocated.
  ///
  /// A valid size takes at most 142 MB with four bytes per pixel, so that no product of its sides overflows.
  ///
  /// - Parameters:
  ///   - size: The size in pixels.
  ///   - card: The card's path, for the error.
  /// - Throws: `CardError` with the reason `.refused`, so that the caller tries the next fallback mode.
  package static func check(_ size: Size, on card: String) throws(CardError) {
    guard let reason = refusal(of: size) else { return }
    throw CardError(reason: .refused, operation: "allocate \(size)", object: card, message: reason)
  }
}
