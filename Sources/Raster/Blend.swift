import Geometry

/// Mixes two colours by light: a pixel half covered by white gives half of white's light.
///
/// Channel values are not light but about its square root (sRGB's exponent is near 2.2). Mixing the values themselves
/// thins bright letters on a dark ground, which is what a banner is; so values are squared, mixed, and rooted. Exponent
/// 2 instead of sRGB's curve is off by less than one can see on an edge, and needs no table of powers.
func mix(_ over: Color, on ground: Color, coverage: UInt8) -> Color {
  Color(
    red: mix(over.red, ground.red, coverage), green: mix(over.green, ground.green, coverage),
    blue: mix(over.blue, ground.blue, coverage))
}

private func mix(_ over: UInt8, _ ground: UInt8, _ coverage: UInt8) -> UInt8 {
  let (share, over, ground) = (Float(coverage) / 255, Float(over), Float(ground))
  return UInt8((ground * ground + (over * over - ground * ground) * share).squareRoot().rounded())
}

/// All 256 mixtures of a colour on a plain ground, so that an edge's pixel costs a look-up.
struct BlendTable<Pixel: PixelKind> {
  let over: Color
  let ground: Color
  let pixels: [Pixel]

  init(_ over: Color, on ground: Color) {
    self.over = over
    self.ground = ground
    pixels = (0...255).map { Pixel(mix(over, on: ground, coverage: $0)) }
  }
}
