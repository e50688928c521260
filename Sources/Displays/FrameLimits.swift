public import Geometry

/// The largest frame that the service drives, on real and on virtual cards.
///
/// An EDID can describe 65536x65536 pixels, and a display has two buffers of its mode's size. Both buffers of the largest
/// frame take 270 MiB.
public enum FrameLimits {
  /// The largest frame's pixels: 8K with the width of cinemas, 8192x4320.
  public static let mostPixels = 8192 * 4320

  /// The longest side in pixels.
  public static let longestSide = 16384

  /// Checks the size of a frame.
  ///
  /// - Parameter size: The size in pixels.
  /// - Returns: Why no frame has this size, in a sentence with the size and the limit; nil for a size within the limits.
  public static func refusal(of size: Size) -> String? {
    guard size.width > 0, size.height > 0 else { return "\(size) has no pixels" }
    guard size.longSide <= longestSide else {
      return "\(size) is larger than \(longestSide) pixels in one direction"
    }
    guard size.area <= mostPixels else {
      return "\(size) has \(size.area) pixels, and the limit is \(mostPixels) (8192x4320)"
    }
    return nil
  }

  /// The most pixels of all virtual monitors together: three of 4K. Their frames are the service's own memory, 190 MiB
  /// then.
  public static let mostVirtualPixels = 3 * 3840 * 2160

  /// Finds the largest size that a monitor can be driven with.
  ///
  /// - Parameter modes: The modes that the monitor lists.
  /// - Returns: The size of the most pixels of all modes that can be chosen; nil where none can.
  public static func largest(of modes: [Mode]) -> Size? {
    modes.usable.map(\.size).max { $0.area < $1.area }
  }

  /// Checks the size of a frame before its buffer is allocated. A size that passes has at most 142 MB in four bytes a
  /// pixel, so that no product of its sides overflows.
  ///
  /// - Parameters:
  ///   - size: The size in pixels.
  ///   - card: The card's path, for the error.
  /// - Throws: A refusal, so that the next mode of the ladder is tried.
  public static func check(_ size: Size, on card: String) throws(CardError) {
    guard let reason = refusal(of: size) else { return }
    throw CardError(reason: .refused, operation: "allocate \(size)", object: card, message: reason)
  }
}
