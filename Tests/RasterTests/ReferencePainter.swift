import Geometry
import Layout
import Pictures
import Raster

/// A slow reference that paints a list pixel by pixel as documented and shares no code with the rasterizer.
/// It supports fills, gradients and images, whose scaling has its own tests.
struct ReferencePainter {
  let list: DisplayList
  /// The images in the sizes that the list shows.
  private var scaled: [ImageItem: Bitmap] = [:]

  init(_ list: DisplayList, pictures: [ImageID: Bitmap] = [:]) {
    self.list = list
    for case .picture(let item) in list.items {
      scaled[item] = pictures[item.picture]?.scaled(to: item.frame.size, window: Rect(item.frame.size))
    }
  }

  /// Returns the whole image.
  func picture() throws -> RGBImage {
    let colors = (0..<list.size.area).map { color($0 % list.size.width, $0 / list.size.width) }
    return try RGBImage(size: list.size, rgb: colors.flatMap { [$0.red, $0.green, $0.blue] })
  }

  /// Returns the color of a pixel with 8 bits per channel.
  func color(_ x: Int, _ y: Int) -> Color {
    list.items.reduce(list.background) { ground, item in
      guard item.ink.holds(x, y) else { return ground }
      switch item {
      case .text: return ground
      case .fill(let fill): return mix(fill.color, on: ground, covered(fill, x, y))
      case .gradient(let gradient): return color(of: gradient, x, y)
      case .picture(let item): return mix(scaled[item], x - item.frame.x, y - item.frame.y, on: ground)
      }
    }
  }

  /// Returns the share of a pixel inside round corners, from samples if the edge crosses the pixel.
  private func covered(_ fill: FillItem, _ x: Int, _ y: Int) -> Double {
    let radius = Double(max(0, min(fill.cornerRadius, fill.rect.size.shortSide / 2)))
    let (width, height) = (Double(fill.rect.width), Double(fill.rect.height))
    let (left, top) = (Double(x - fill.rect.x), Double(y - fill.rect.y))
    func isInside(_ x: Double, _ y: Double) -> Bool {
      let (dx, dy) = (max(radius - x, x - (width - radius), 0), max(radius - y, y - (height - radius), 0))
      return dx * dx + dy * dy <= radius * radius
    }
    let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].count { isInside(left + $0.0, top + $0.1) }
    if corners == 4 { return 1 }
    var inside = 0
    for sample in 0..<32 * 32
    where isInside(left + (Double(sample % 32) + 0.5) / 32, top + (Double(sample / 32) + 0.5) / 32) {
      inside += 1
    }
    return Double(inside) / (32 * 32)
  }

  private func color(of gradient: GradientItem, _ x: Int, _ y: Int) -> Color {
    let isAcross = gradient.axis == .horizontal
    let place = isAcross ? x - gradient.rect.x : y - gradient.rect.y
    let last = (isAcross ? gradient.rect.width : gradient.rect.height) - 1
    func value(_ channel: (Color) -> UInt8) -> UInt8 {
      let (from, to) = (Double(channel(gradient.from)), Double(channel(gradient.to)))
      return UInt8((from + (to - from) * Double(place) / Double(max(1, last))).rounded())
    }
    return Color(red: value(\.red), green: value(\.green), blue: value(\.blue))
  }

  /// Blends in linear light, with the correction for dark colors on a bright background.
  private func mix(_ color: Color, on ground: Color, _ covered: Double) -> Color {
    func light(_ color: Color) -> Double {
      let weighted = zip([color.red, color.green, color.blue], [0.2126, 0.7152, 0.0722])
      return weighted.reduce(0) { $0 + Double($1.0) * Double($1.0) * $1.1 } / (255 * 255)
    }
    let share = covered + (1 - covered) * covered * 0.5 * max(0, light(ground) - light(color))
    return blend(color, ground, over: share, under: 1 - share)
  }

  private func mix(_ bitmap: Bitmap?, _ x: Int, _ y: Int, on ground: Color) -> Color {
    guard let bitmap, bitmap.bounds.holds(x, y) else { return ground }
    let pixel = bitmap.pixels[y * bitmap.bounds.width + x]
    let color = Color(
      red: UInt8(pixel >> 16 & 0xFF), green: UInt8(pixel >> 8 & 0xFF), blue: UInt8(pixel & 0xFF))
    return blend(color, ground, over: 1, under: 1 - Double(pixel >> 24) / 255)
  }

  private func blend(_ color: Color, _ ground: Color, over: Double, under: Double) -> Color {
    func value(_ channel: (Color) -> UInt8) -> UInt8 {
      let (color, ground) = (Double(channel(color)), Double(channel(ground)))
      return UInt8(min(255, (color * color * over + ground * ground * under).squareRoot().rounded()))
    }
    return Color(red: value(\.red), green: value(\.green), blue: value(\.blue))
  }
}
