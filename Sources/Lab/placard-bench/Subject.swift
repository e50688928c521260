import Geometry
import Layout
import Raster
import Scenes
import Typesetting

/// A measured display with the state of its render thread.
final class Subject {
  let metrics: DisplayMetrics
  let materials: RenderResources
  let canvas: Canvas

  init(_ metrics: DisplayMetrics, cacheBytes: Int = 4 << 20, rotation: Rotation = .none) throws {
    materials = try RenderResources()
    canvas = Canvas(size: metrics.pixels, format: .xrgb8888, rotation: rotation, cacheBytes: cacheBytes)
    self.metrics = DisplayMetrics(pixels: canvas.pictureSize, scale: metrics.scale)
  }

  /// Lays out and draws a text, and returns the damage.
  @discardableResult
  func show(_ text: String, font: String? = nil) throws -> [Rect] {
    let banner = View(banner: text, style: Style(font: font))
    let list = try layOut(banner, on: metrics, with: materials)
    return canvas.draw(list, with: materials)
  }
}
