import Geometry

/// The shapes of displays that rules tell apart.
enum Breakpoint: Hashable {
  /// 4:3 and 5:4, and all that is small: there is less room beside things than below them.
  case narrow
  /// 16:9, 16:10 and what is near.
  case regular
  /// 21:9 and more.
  case wide
  /// Higher than wide.
  case portrait

  /// The breakpoint of a display of so many pixels, of which `logicalPixel` make a logical one.
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

/// A value for each breakpoint: a row of the table of rules.
struct Rule<Value: Sendable>: Sendable {
  let narrow: Value
  let regular: Value
  let wide: Value
  let portrait: Value

  init(_ narrow: Value, _ regular: Value, _ wide: Value, _ portrait: Value) {
    (self.narrow, self.regular, self.wide, self.portrait) = (narrow, regular, wide, portrait)
  }

  /// The same everywhere.
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

/// How large a text may be and how small it may get before it is cut, in units.
struct TextSize: Hashable, Sendable {
  let largest: Double
  let smallest: Double

  init(_ largest: Double, _ smallest: Double) { (self.largest, self.smallest) = (largest, smallest) }

  /// One size that stays.
  init(_ size: Double) { self.init(size, size) }

  /// Both sizes changed, but not below what can be read.
  func scaled(by factor: Double) -> TextSize {
    TextSize(max(largest * factor, LayoutRules.smallestText), max(smallest * factor, LayoutRules.smallestText))
  }
}
