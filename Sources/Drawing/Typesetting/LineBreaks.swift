import CICU

/// Line break opportunities by UAX #14, never inside a Character.
///
/// ICU's break iterator implements the rules of its Unicode version and has dictionaries for Thai, Lao, Khmer, and
/// Burmese. It agrees with all but 22 of the 7,654 lines of Unicode's LineBreakTest. It takes 0.3 MB of private memory
/// and 3 MB of page cache. (libunibreak 1.1 of Debian 12 supports Unicode 6.2 and aborts on some later code points.)
/// Plain letters, digits, and spaces bypass ICU, because such text breaks only at spaces.
@safe
final class LineBreaks {
  private let icu: placard_icu
  private let iterator: OpaquePointer

  /// The shared library to install if ICU cannot be loaded.
  static let library = unsafe String(cString: placard_icu_library)

  /// The required ICU version, as in the name of Debian's package: `72`.
  static var version: Substring { library.split(separator: ".").last ?? "" }

  /// Loads ICU, or returns nil if it is not installed.
  init?() {
    var icu = placard_icu()
    var code: placard_icu_code = 0
    guard unsafe placard_icu_load(&icu) != 0, let iterator = unsafe icu.open(placard_icu_line, "", nil, 0, &code) else {
      return nil
    }
    unsafe (self.icu, self.iterator) = (icu, iterator)
  }

  deinit { unsafe icu.close(iterator) }

  /// Returns for each code point whether a line may start with it; always false for the first one.
  func opportunities(in scalars: [TextScalar]) -> [Bool] {
    var units: [UInt16] = []
    var places: [Int] = []
    units.reserveCapacity(scalars.count)
    for (place, scalar) in scalars.enumerated() {
      let value = Unicode.Scalar(scalar.value) ?? "\u{FFFD}"
      for unit in String(Character(value)).utf16 {
        units.append(unit)
        places.append(place)
      }
    }
    var breaks = [Bool](repeating: false, count: scalars.count)
    var code: placard_icu_code = 0
    unsafe units.withUnsafeBufferPointer { text in
      unsafe icu.set_text(iterator, text.baseAddress, Int32(text.count), &code)
      while code <= 0, case let unit = unsafe Int(icu.next(iterator)), unit >= 0 {
        guard unit < places.count else { break }
        let place = places[unit]
        if place > 0, scalars[place].character != scalars[place - 1].character { breaks[place] = true }
      }
      // The iterator must not keep a pointer to the buffer beyond this closure.
      unsafe icu.set_text(iterator, nil, 0, &code)
    }
    return breaks
  }

  /// Returns breaks at spaces only: exact for text that `isPlain`, and the fallback without ICU.
  static func atSpaces(in scalars: [TextScalar]) -> [Bool] {
    scalars.indices.map { $0 > 0 && scalars[$0 - 1].piece == .space && scalars[$0].piece != .space }
  }

  /// Returns whether lines can break only at spaces.
  ///
  /// Such text consists of ASCII letters, digits, and spaces. Punctuation (`! , . : ; ?`) may follow a letter, a digit,
  /// or other punctuation, but must not precede a letter or digit.
  ///
  /// - Parameter scalars: The code points of a paragraph.
  /// - Returns: Whether `atSpaces(in:)` gives the same breaks as ICU.
  static func isPlain(_ scalars: [TextScalar]) -> Bool {
    var isAfterLetter = false
    var isAfterMark = false
    for scalar in scalars {
      switch scalar.value {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
        if isAfterMark { return false }
        isAfterLetter = true
      case 0x20: (isAfterLetter, isAfterMark) = (false, false)
      case 0x21, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F:
        guard isAfterLetter || isAfterMark else { return false }
        (isAfterLetter, isAfterMark) = (false, true)
      default: return false
      }
    }
    return true
  }
}
