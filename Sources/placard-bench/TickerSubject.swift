import Geometry
import Glibc
import Layout
import Raster
import Scenes
import Typesetting

/// A line that scrolls over a frame, as the service draws it: pictures that are copies of a strip.
@safe
final class TickerSubject {
  private let size: Size
  private let stride: Int
  private let frame: UnsafeMutableRawBufferPointer
  private let materials: Materials
  private let picture: StripPicture
  private let pace: Int
  private var distance = 0

  /// A line of so many words, which has gone around once where it can be kept.
  init?(_ metrics: DisplayMetrics, words: Int) throws {
    materials = try Materials()
    size = metrics.pixels
    stride = (size.width * 4 + 63) & ~63
    let text = String(repeating: "welcome ", count: words)
    let list = try layOut(View(.ticker(Ticker(text)), style: Style()), on: metrics, with: materials)
    guard let strip = list.strip, let speed = strip.speed else { return nil }
    picture = StripPicture(strip, format: .xrgb8888, rotation: .none)
    // At 60 pictures a second.
    pace = max(1, speed / 60)
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
