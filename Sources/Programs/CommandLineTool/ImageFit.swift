import Geometry
import Pictures

/// Computations that fit an image into a box of another aspect ratio.
enum ImageFit {
  /// Returns the largest size of an image's aspect ratio in a box, at least 1x1; without `enlarges` at most its own.
  static func size(_ picture: Size, in box: Size, enlarges: Bool = true) -> Size {
    guard picture.area > 0 else { return Size(1, 1) }
    // Compares aspect ratios without fractions: is the image flatter than the box?
    let isFlat = picture.width * box.height >= picture.height * box.width
    let most = enlarges ? box : Size(min(box.width, picture.width), min(box.height, picture.height))
    let size =
      isFlat
      ? Size(most.width, rounded(most.width * picture.height, picture.width))
      : Size(rounded(most.height * picture.width, picture.height), most.height)
    return Size(max(1, size.width), max(1, size.height))
  }

  private static func rounded(_ product: Int, _ divisor: Int) -> Int { (product + divisor / 2) / divisor }
}

extension RGBImage {
  /// Returns the image scaled to a size; each pixel is the average of those that it represents.
  func scaled(to size: Size) -> RGBImage {
    guard size != self.size, size.area > 0, self.size.area > 0 else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.area * 3)
    for y in 0..<size.height {
      let rows = Self.part(y, of: size.height, self.size.height)
      for x in 0..<size.width {
        let color = average(Self.part(x, of: size.width, self.size.width), rows)
        bytes += [color.red, color.green, color.blue]
      }
    }
    return (try? RGBImage(size: size, rgb: bytes)) ?? self
  }

  /// Returns the mean color of a rectangle, channel by channel.
  private func average(_ columns: Range<Int>, _ rows: Range<Int>) -> Color {
    var (red, green, blue) = (0, 0, 0)
    for y in rows {
      for at in stride(
        from: (y * size.width + columns.lowerBound) * 3, to: (y * size.width + columns.upperBound) * 3, by: 3)
      {
        red += Int(pixels[at])
        green += Int(pixels[at + 1])
        blue += Int(pixels[at + 2])
      }
    }
    let count = columns.count * rows.count
    return Color(red: UInt8(red / count), green: UInt8(green / count), blue: UInt8(blue / count))
  }

  /// Returns the part of `whole` that the position `index` of `count` represents; never empty.
  private static func part(_ index: Int, of count: Int, _ whole: Int) -> Range<Int> {
    let start = index * whole / count
    return start..<max(start + 1, (index + 1) * whole / count)
  }
}
