import Geometry

/// Mixes two colours by light: a pixel half covered by white gives half of white's light.
///
/// Channel values are not light but about its square root (sRGB's exponent is near 2.2). Mixing the values themselves
/// thins bright letters on a dark ground, which is what a banner is; so values are squared, mixed, and rooted. Exponent
/// 2 instead of sRGB's curve is off by less than one can see on an edge, and needs no table of powers.
func mix(_ over: Color, on ground: Color, coverage: Float) -> Color {
  Color(
    red: mix(over.red, ground.red, coverage), green: mix(over.green, ground.green, coverage),
    blue: mix(over.blue, ground.blue, coverage))
}

private func mix(_ over: UInt8, _ ground: UInt8, _ share: Float) -> UInt8 {
  let (over, ground) = (Float(over), Float(ground))
  return UInt8((ground * ground + (over * over - ground * ground) * share).squareRoot().rounded())
}

/// How much coverage counts for letters of one colour on a ground of another.
///
/// By light alone dark letters on a bright ground look thin: half of white's light is a value of 180, which is nearer to
/// white than to black. So coverage is raised the more, the darker the letters are than their ground, as Skia does it
/// (`SkMaskGamma`'s contrast, 0.5): black on white has an edge's middle at 156 instead of 180, where mixing values would
/// have it at 127. Bright letters on a dark ground stay as they are.
struct Contrast {
  private let strength: Float

  private static let most: Float = 0.5

  init(_ over: Color, on ground: Color) {
    strength = Contrast.most * max(0, light(ground) - light(over))
  }

  /// The share of the letters' light, 0...1, for a coverage of 255ths.
  func share(_ coverage: UInt8) -> Float {
    let share = Float(coverage) / 255
    return share + (1 - share) * share * strength
  }
}

/// How bright a colour is, 0...1 (Rec. 709's weights).
private func light(_ color: Color) -> Float {
  let (red, green, blue) = (Float(color.red), Float(color.green), Float(color.blue))
  return (0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue) / (255 * 255)
}

/// Puts a pixel of a picture on a ground: its light is added to what it lets through (see `Bitmap`). By light, as
/// the letters beside it: most of what is half there is an edge.
func mix(_ pixel: UInt32, on ground: Color) -> Color {
  let through = Float(255 &- (pixel &>> 24)) / 255
  return Color(
    red: add(pixel &>> 16 & 0xFF, ground.red, through), green: add(pixel &>> 8 & 0xFF, ground.green, through),
    blue: add(pixel & 0xFF, ground.blue, through))
}

private func add(_ root: UInt32, _ ground: UInt8, _ through: Float) -> UInt8 {
  let (root, ground) = (Float(root), Float(ground))
  return UInt8(min(255, (root * root + ground * ground * through).squareRoot().rounded()))
}

/// What letters are drawn with: a colour, and how much of it counts, of 255.
struct Ink: Hashable {
  var color: Color
  var opacity: UInt8 = 255
}

/// All 256 mixtures of an ink on a plain ground, so that an edge's pixel costs a look-up.
struct BlendTable<Pixel: PixelKind> {
  let ink: Ink
  let pixels: [Pixel]
  private let contrast: Contrast

  init(_ ink: Ink, on ground: Color) {
    let contrast = Contrast(ink.color, on: ground)
    self.ink = ink
    self.contrast = contrast
    pixels = (0...255).map { BlendTable.mixed(ink, contrast, $0, ground) }
  }

  /// A mixture on any other ground.
  func mixed(_ coverage: UInt8, on ground: Color) -> Pixel { BlendTable.mixed(ink, contrast, coverage, ground) }

  private static func mixed(_ ink: Ink, _ contrast: Contrast, _ coverage: UInt8, _ ground: Color) -> Pixel {
    Pixel(mix(ink.color, on: ground, coverage: contrast.share(coverage) * Float(ink.opacity) / 255))
  }
}
