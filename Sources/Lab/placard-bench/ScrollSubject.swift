import Geometry
import Glibc
import Layout
import Raster
import Scenes
import Typesetting

/// A scrolling scene that is drawn as the service draws it: each frame is a copy of a part of a strip.
@safe
final class ScrollSubject {
  private let size: Size
  private let stride: Int
  private let frame: UnsafeMutableRawBufferPointer
  private let materials: RenderResources
  private let picture: ScrollLayerTiles
  private let pace: Int
  private var distance = 0

  /// Prepares the scrolling content of a view, or fails if it does not scroll.
  ///
  /// The strip is scrolled once in advance, at most 20 display widths, so that its tiles are cached if they fit. A line
  /// scrolls at its own speed. A column scrolls at the speed of a page change.
  init?(_ content: View.Content, _ metrics: DisplayMetrics) throws {
    materials = try RenderResources()
    size = metrics.pixels
    stride = (size.width * 4 + 63) & ~63
    let list = try layOut(View(content), on: metrics, with: materials)
    guard let strip = list.strip else { return nil }
    picture = ScrollLayerTiles(strip, format: .xrgb8888, rotation: .none)
    // The distance per frame at 60 Hz.
    pace = max(1, (strip.speed ?? strip.seen * 3) / 60)
    unsafe frame = allocateHugePages(byteCount: stride * size.height)
    for distance in Swift.stride(from: 0, to: min(strip.length, 20 * size.width), by: size.width / 2) { draw(distance) }
  }

  deinit { unsafe frame.deallocate() }

  /// The size of the scrolling area in bytes.
  var windowBytes: Int { picture.strip.window.size.area * 4 }

  /// Draws the next animation frame.
  func step() {
    distance += pace
    draw(distance)
  }

  private func draw(_ distance: Int) {
    picture.draw(
      after: distance, on: size, to: unsafe FrameBytes(bytes: frame, stride: stride), with: materials)
  }
}
