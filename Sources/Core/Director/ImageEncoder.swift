import Control
import Geometry
import NIOCore
import Pictures

/// An image encoder with its own thread. Encoding takes longer than a frame, and must not delay any display.
actor ImageEncoder {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  private nonisolated let loop: any EventLoop

  init(on loop: any EventLoop) { self.loop = loop }

  /// Encodes an image as a file, after a clockwise rotation.
  func file(
    of picture: RGBImage, turned rotation: Rotation = .none, as format: PreviewRequest.Format
  ) throws(ImageError) -> [UInt8] {
    let turned = try picture.turned(rotation)
    return switch format {
    case .jpeg: try turned.jpeg()
    case .png: try turned.png()
    }
  }

  /// Encodes a reduced image as a file, after rotating it upright.
  func file(of reduction: FrameReduction, as format: PreviewRequest.Format) throws(ImageError) -> [UInt8] {
    try file(of: try reduction.picture(), as: format)
  }
}
