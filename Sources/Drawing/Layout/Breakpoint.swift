import Geometry

/// The classes of display shapes that the layout rules distinguish.
enum Breakpoint: Hashable {
  /// 4:3, 5:4 and all small displays, which have less room beside an element than below it.
  case narrow
  /// 16:9, 16:10 and similar aspect ratios.
  case regular
  /// 21:9 and wider.
  case wide
  /// Taller than wide.
  case portrait

  /// Creates the breakpoint of a display with a size in pixels; `logicalPixel` is the number of pixels per logical
  /// pixel.
  init(_ size: Size, logicalPixel: Double) {
    let aspect = Double(size.width) / Double(max(1, size.height))
    if aspect < 1 {
      self = .portrait
    } else if aspect >= LayoutRules.wideAspect {
      self = .wide
    } else {
      let isSmall = Double(size.shortSide) < LayoutRules.smallSide * logicalPixel
      self = isSmall || aspect < LayoutRules.narrowAspect ? .narrow : .regular
    }
  }
}

/// A value for each breakpoint, one row in the table of layout rules.
struct Rule<Value: Sendable>: Sendable {
  let narrow: Value
  let regular: Value
  let wide: Value
  let portrait: Value

  init(_ narrow: Value, _ regular: Value, _ wide: Value, _ portrait: Value) {
    (self.narrow, self.regular, self.wide, self.portrait) = (narrow, regular, wide, portrait)
  }

  /// Creates a rule with the same value for all breakpoints.
  init(_ all: Value) { self.init(all, all, all, all) }

  subscript(breakpoint: Breakpoint) -> Value {
    switch breakpoint {
    case .narrow: narrow
    case .regular: regular
    case .wide: wide
    case .portrait: portrait
    }
  }
}

/// The largest size of a text, and the smallest size before it is truncated, in units.
struct TextSize: Hashable, Sendable {
  let largest: Double
  let smallest: Double

  init(_ largest: Double, _ smallest: Double) { (self.largest, self.smallest) = (largest, smallest) }

  /// Creates a fixed size.
  init(_ size: Double) { self.init(size, size) }

  /// Returns both sizes multiplied by a factor, but not below the legibility limit.
  func scaled(by factor: Double) -> TextSize {
    TextSize(max(largest * factor, LayoutRules.smallestText), max(smallest * factor, LayoutRules.smallestText))
  }
}
