import Geometry

/// Mixes two colors in linear light: a pixel half covered by white emits half of white's light.
///
/// Channel values are approximately the square root of light (sRGB's exponent is near 2.2). Mixing the values
/// themselves thins bright letters on a dark background, the usual case for a banner; so values are squared, mixed, and
/// rooted. Exponent 2 instead of sRGB's curve makes no visible difference on an edge and needs no lookup table.
///
/// - Parameters:
///   - over: The color on top.
///   - ground: The background color.
///   - coverage: The share of `over`, 0...1.
/// - Returns: The mixed color.
func mix(_ over: Color, on ground: Color, coverage: Float) -> Color {
  Color(
    red: mix(over.red, ground.red, coverage), green: mix(over.green, ground.green, coverage),
    blue: mix(over.blue, ground.blue, coverage))
}

private func mix(_ over: UInt8, _ ground: UInt8, _ share: Float) -> UInt8 {
  let (over, ground) = (Float(over), Float(ground))
  return UInt8((ground * ground + (over * over - ground * ground) * share).squareRoot().rounded())
}

/// The contrast enhancement for letters of one color on a background of another.
///
/// Mixed purely by light, dark letters on a bright background look thin. Half of white's light is a value of 180, which
/// is close to white. So coverage is increased in proportion to how much darker the letters are than their background,
/// as in Skia (`SkMaskGamma`'s contrast, 0.5). Half coverage of black on white gives 156 instead of 180; mixing values
/// would give 127. Bright letters on a dark background are unchanged.
struct Contrast {
  private let strength: Float

  private static let most: Float = 0.5

  init(_ over: Color, on ground: Color) {
    strength = Contrast.most * max(0, light(ground) - light(over))
  }

  /// Returns the letters' share of the light, 0...1, for a coverage of 0...255.
  func share(_ coverage: UInt8) -> Float {
    let share = Float(coverage) / 255
    return share + (1 - share) * share * strength
  }
}

/// Returns the luminance of a color, 0...1 (weights of Rec. 709).
private func light(_ color: Color) -> Float {
  let (red, green, blue) = (Float(color.red), Float(color.green), Float(color.blue))
  return (0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue) / (255 * 255)
}

/// Composites a bitmap pixel over a background color.
///
/// Like letters, the pixel is mixed in linear light, because most translucent pixels are edges.
///
/// - Parameters:
///   - pixel: A pixel of a `Bitmap`, with opacity in the high byte.
///   - ground: The background color.
/// - Returns: The light of the pixel plus the background light that it transmits.
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

/// A fill color with an opacity of 0...255.
struct Ink: Hashable {
  var color: Color
  var opacity: UInt8 = 255
}

/// The 256 mixtures of an ink with a plain background, so that an edge pixel costs one lookup.
struct BlendTable<Pixel: PixelStorage> {
  let ink: Ink
  let pixels: [Pixel]
  private let contrast: Contrast

  init(_ ink: Ink, on ground: Color) {
    let contrast = Contrast(ink.color, on: ground)
    self.ink = ink
    self.contrast = contrast
    pixels = (0...255).map { BlendTable.mixed(ink, contrast, $0, ground) }
  }

  /// Returns the mixture on any other background.
  func mixed(_ coverage: UInt8, on ground: Color) -> Pixel { BlendTable.mixed(ink, contrast, coverage, ground) }

  private static func mixed(_ ink: Ink, _ contrast: Contrast, _ coverage: UInt8, _ ground: Color) -> Pixel {
    Pixel(mix(ink.color, on: ground, coverage: contrast.share(coverage) * Float(ink.opacity) / 255))
  }
}
