import Geometry
import Glibc
import Layout
import Raster
import Scenes
import Typesetting

/// What scrolls over a frame, as the service draws it: pictures that are copies of a strip.
@safe
final class StripSubject {
  private let size: Size
  private let stride: Int
  private let frame: UnsafeMutableRawBufferPointer
  private let materials: Materials
  private let picture: StripPicture
  private let pace: Int
  private var distance = 0

  /// What scrolls in a view, which has gone around once where it can be kept: a line at its speed, a column as it glides to
  /// the next page.
  init?(_ content: View.Content, _ metrics: DisplayMetrics) throws {
    materials = try Materials()
    size = metrics.pixels
    stride = (size.width * 4 + 63) & ~63
    let list = try layOut(View(content), on: metrics, with: materials)
    guard let strip = list.strip else { return nil }
    picture = StripPicture(strip, format: .xrgb8888, rotation: .none)
    // At 60 pictures a second.
    pace = max(1, (strip.speed ?? strip.seen * 3) / 60)
    unsafe frame = hugeMemory(byteCount: stride * size.height)
    for distance in Swift.stride(from: 0, to: min(strip.length, 20 * size.width), by: size.width / 2) { draw(distance) }
  }

  deinit { unsafe frame.deallocate() }

  /// Bytes of what moves.
  var windowBytes: Int { picture.strip.window.size.area * 4 }

  /// The next picture of the monitor.
  func step() {
    distance += pace
    draw(distance)
  }

  private func draw(_ distance: Int) {
    picture.draw(
      after: distance, on: size, to: unsafe FrameBytes(bytes: frame, stride: stride), with: materials)
  }
}
