import Control
import Geometry
import NIOCore
import Pictures

/// Writes pictures as files, on a thread of its own: that takes longer than a frame, and no glass waits for it.
actor PicturePress {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  private nonisolated let loop: any EventLoop

  init(on loop: any EventLoop) { self.loop = loop }

  /// The file of a picture, turned clockwise first.
  func file(
    of picture: RGBImage, turned rotation: Rotation = .none, as format: PreviewRequest.Format
  ) throws(ImageError) -> [UInt8] {
    let turned = try picture.turned(rotation)
    return switch format {
    case .jpeg: try turned.jpeg()
    case .png: try turned.png()
    }
  }

  /// The file of a small picture, which is turned upright here.
  func file(of reduction: FrameReduction, as format: PreviewRequest.Format) throws(ImageError) -> [UInt8] {
    try file(of: try reduction.picture(), as: format)
  }
}
