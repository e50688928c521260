import Geometry
import Glibc
import Layout
import Pictures
import Raster
import Scenes
import Typesetting

/// What one drawing came to.
struct Drawing {
  /// The size of the letters, in 64ths of a pixel; of the largest, where there are several.
  var size: Int
  /// Pixels that were painted.
  var area: Int
}

/// Placard as a program that draws texts, for comparisons and for hostile texts: all that these know of its own
/// interfaces is here.
@safe
final class PlacardSide {
  let metrics: DisplayMetrics
  private let style: Style
  private let materials: Materials
  private let rasterizer: Rasterizer
  private let frame: UnsafeMutableRawBufferPointer
  private let stride: Int
  private var shown: DisplayList?

  /// A painter for a frame; `fontMemory` is a file as the service keeps one, where there is any.
  init(_ pixels: Size, font: String? = nil, fontMemory: String? = nil) throws {
    metrics = DisplayMetrics(pixels: pixels, scale: pixels.width > 2560 ? 2 : 1)
    style = Style(font: font)
    materials = try Materials(fontMemory: fontMemory)
    rasterizer = Rasterizer(size: pixels, format: .xrgb8888)
    stride = (pixels.width * 4 + 63) & ~63
    unsafe frame = hugeMemory(byteCount: stride * pixels.height)
  }

  deinit { unsafe frame.deallocate() }

  /// Lays a text out and paints the whole frame.
  func redraw(_ text: String) throws -> Drawing {
    shown = nil
    return try change(to: text)
  }

  /// Lays a text out and paints what differs from the one before.
  func change(to text: String) throws -> Drawing {
    let list = try layOut(View(banner: text, style: style), on: metrics, with: materials)
    let damage = rasterizer.difference(from: shown, to: list, with: materials)
    rasterizer.paint(list, damage, to: unsafe FrameBytes(bytes: frame, stride: stride), with: materials)
    shown = list
    return Drawing(
      size: Int(list.items.compactMap(\.text?.run.size).max() ?? 0), area: damage.reduce(0) { $0 + $1.size.area })
  }

  /// What a person should know of the last text.
  var warnings: [String] { shown?.warnings ?? [] }

  /// The frame as a PNG file's bytes.
  func png() throws -> [UInt8] {
    try unsafe Picture(
      size: metrics.pixels, format: .xrgb8888, stride: stride, copying: UnsafeRawBufferPointer(frame)
    ).png()
  }
}

/// Memory for frames, in huge pages where the kernel has them: the same for all that is compared.
func hugeMemory(byteCount: Int) -> UnsafeMutableRawBufferPointer {
  let page = 2 << 20
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: (byteCount + page - 1) & ~(page - 1), alignment: page)
  unsafe madvise(memory.baseAddress, memory.count, MADV_HUGEPAGE)
  return unsafe memory
}
