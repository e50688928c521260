import Geometry
import Glibc
import Layout
import Pictures
import Raster
import Scenes
import Typesetting

/// The result of one drawing.
struct Drawing {
  /// The font size in 64ths of a pixel.
  ///
  /// If there are several, the largest.
  var size: Int
  /// The number of painted pixels.
  var area: Int
}

/// Placard's side of comparisons and of the hostile texts.
///
/// It is their only access to the rendering interfaces.
@safe
final class PlacardRenderer {
  let metrics: DisplayMetrics
  private let style: Style
  private let materials: RenderResources
  private let rasterizer: Rasterizer
  private let frame: UnsafeMutableRawBufferPointer
  private let stride: Int
  private var shown: DisplayList?

  /// Creates a renderer for one frame.
  ///
  /// - Parameters:
  ///   - pixels: The size of the frame.
  ///   - font: The font family, or nil for the default.
  ///   - fontMemory: The path of a font cache file, as the service uses one, or nil for none.
  /// - Throws: `TypesettingError` if the font libraries cannot be initialized.
  init(_ pixels: Size, font: String? = nil, fontMemory: String? = nil) throws {
    metrics = DisplayMetrics(pixels: pixels, scale: pixels.width > 2560 ? 2 : 1)
    style = Style(font: font)
    materials = try RenderResources(fontMemory: fontMemory)
    rasterizer = Rasterizer(size: pixels, format: .xrgb8888)
    stride = (pixels.width * 4 + 63) & ~63
    unsafe frame = allocateHugePages(byteCount: stride * pixels.height)
  }

  deinit { unsafe frame.deallocate() }

  /// Lays out a text and paints the whole frame.
  func redraw(_ text: String) throws -> Drawing {
    shown = nil
    return try change(to: text)
  }

  /// Lays out a text and paints the difference from the previous one.
  func change(to text: String) throws -> Drawing {
    let list = try layOut(View(banner: text, style: style), on: metrics, with: materials)
    let damage = rasterizer.difference(from: shown, to: list, with: materials)
    rasterizer.paint(list, damage, to: unsafe FrameBytes(bytes: frame, stride: stride), with: materials)
    shown = list
    return Drawing(
      size: Int(list.items.compactMap(\.text?.run.size).max() ?? 0), area: damage.reduce(0) { $0 + $1.size.area })
  }

  /// The user-visible warnings about the last text.
  var warnings: [String] { shown?.warnings ?? [] }

  /// Returns the frame as a PNG file.
  func png() throws -> [UInt8] {
    try unsafe RGBImage(
      size: metrics.pixels, format: .xrgb8888, stride: stride, copying: UnsafeRawBufferPointer(frame)
    ).png()
  }
}

/// Allocates memory for frames, in huge pages if the kernel provides them.
///
/// All compared programs use it alike.
func allocateHugePages(byteCount: Int) -> UnsafeMutableRawBufferPointer {
  let page = 2 << 20
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: (byteCount + page - 1) & ~(page - 1), alignment: page)
  unsafe madvise(memory.baseAddress, memory.count, MADV_HUGEPAGE)
  return unsafe memory
}
