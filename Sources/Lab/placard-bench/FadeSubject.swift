import Geometry
import Glibc
import Layout
import Raster
import Scenes
import Typesetting

/// A cross-fade between two test patterns, which differ everywhere.
@safe
final class FadeSubject {
  private let frame: UnsafeMutableRawBufferPointer
  private let stride: Int
  private let rasterizer: Rasterizer
  private let materials: RenderResources
  private let lists: [DisplayList]
  private var fade: CrossFade

  init(_ metrics: DisplayMetrics) throws {
    let materials = try RenderResources()
    let rasterizer = Rasterizer(size: metrics.pixels, format: .xrgb8888)
    let lists = try [TestPattern.bars, .gradient].map {
      try layOut(View(.pattern($0)), on: metrics, with: materials)
    }
    fade = CrossFade(from: lists[0], to: lists[1], like: rasterizer, with: materials)
    stride = (metrics.pixels.width * 4 + 63) & ~63
    unsafe frame = allocateHugePages(byteCount: stride * metrics.pixels.height)
    (self.materials, self.rasterizer, self.lists) = (materials, rasterizer, lists)
  }

  deinit { unsafe frame.deallocate() }

  /// Paints both pictures, as the first frame of a cross-fade does.
  func begin() { fade = CrossFade(from: lists[0], to: lists[1], like: rasterizer, with: materials) }

  /// Draws a whole frame.
  func step(_ number: Int) {
    fade.draw(weight: number * 11 % 257, whole: true, to: unsafe FrameBytes(bytes: frame, stride: stride))
  }
}
