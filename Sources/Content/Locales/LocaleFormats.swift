import CICUFormats

/// The formats of numbers, dates and times in all languages, by ICU, which is loaded on first use.
///
/// The class is not thread-safe: use it only in the isolation domain that created it. Formats are kept for the next use.
/// Loading ICU takes about 2 MB of memory, and a few milliseconds.
@safe
package final class LocaleFormats {
  /// The state of the library.
  private enum Library {
    case unused, missing
    case loaded(placard_icu_formats)
  }

  private var library = Library.unused
  private var numbers: [String: NumberFormat?] = [:]
  private var dates: [String: DateFormat?] = [:]
  private var known: [String: Bool] = [:]

  /// The maximum number of formats of each type, more than any installation uses; they are closed when there are more.
  private static let most = 64

  /// Creates the formats without loading ICU.
  package init() {}

  /// The shared library to install if ICU cannot be loaded, such as `libicui18n.so.72`.
  package static let library = unsafe String(cString: placard_icu_format_library)

  /// The Debian package with the library, such as `libicu72`.
  package static var debianPackage: String { "libicu\(library.split(separator: ".").last ?? "")" }

  /// Returns a number in the format of a language.
  ///
  /// - Parameters:
  ///   - decimal: The number in ASCII, such as `-1234.50` or `1e6`.
  ///   - skeleton: The options in ICU's syntax of number skeletons, such as `.00` or `unit/day unit-width-full-name`.
  ///   - language: The language.
  /// - Returns: The text, such as `-1.234,50`; nil without ICU, or if the number or the skeleton is invalid.
  package func number(_ decimal: String, _ skeleton: String, in language: Language) -> String? {
    guard let icu else { return nil }
    if numbers.count >= Self.most { numbers = [:] }
    let key = language.tag + " " + skeleton
    let format = numbers[key] ?? NumberFormat(skeleton, locale(language, icu), icu)
    numbers[key] = .some(format)
    return format?.text(decimal)
  }

  /// Returns a date or a time in the format of a language.
  ///
  /// - Parameters:
  ///   - local: The date and time as seconds since the beginning of 1970 by the local clock.
  ///   - skeleton: The fields in ICU's syntax of date skeletons, such as `yMMMMEEEEd` or `Hm`.
  ///   - language: The language.
  /// - Returns: The text, such as `Samstag, 21. November 2026`; nil without ICU, or if the skeleton is invalid.
  package func date(_ local: Int64, _ skeleton: String, in language: Language) -> String? {
    guard let icu else { return nil }
    if dates.count >= Self.most { dates = [:] }
    let key = language.tag + " " + skeleton
    let format = dates[key] ?? DateFormat(skeleton, locale(language, icu), icu)
    dates[key] = .some(format)
    return format?.text(local)
  }

  /// Returns whether ICU has data for a language; nil without ICU.
  package func knows(_ language: Language) -> Bool? {
    guard let icu else { return nil }
    if let answer = known[language.tag] { return answer }
    if known.count >= Self.most { known = [:] }
    var code: placard_format_code = 0
    let data = unsafe icu.open_data(nil, locale(language, icu), &code)
    if let data = unsafe data { unsafe icu.close_data(data) }
    let answer = code <= 0 && code != placard_icu_unknown
    known[language.tag] = answer
    return answer
  }

  /// Returns ICU's name of a language.
  private func locale(_ language: Language, _ icu: placard_icu_formats) -> String {
    var name = [CChar](repeating: 0, count: 160)
    var code: placard_format_code = 0
    let count = unsafe name.withUnsafeMutableBufferPointer { buffer in
      unsafe icu.locale_of_tag(language.tag, buffer.baseAddress, Int32(buffer.count), nil, &code)
    }
    guard code <= 0, count > 0, Int(count) < name.count else { return "" }
    return String(decoding: name.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private var icu: placard_icu_formats? {
    if case .unused = library {
      var icu = placard_icu_formats()
      library = unsafe placard_icu_load_formats(&icu) == 0 ? .missing : .loaded(icu)
    }
    if case .loaded(let icu) = library { return icu }
    return nil
  }
}

/// An open number format of ICU.
@safe
private final class NumberFormat {
  private let icu: placard_icu_formats
  private let format: OpaquePointer
  private let result: OpaquePointer

  init?(_ skeleton: String, _ locale: String, _ icu: placard_icu_formats) {
    var code: placard_format_code = 0
    let units = Array(skeleton.utf16)
    let opened = unsafe units.withUnsafeBufferPointer {
      unsafe icu.open_number($0.baseAddress, Int32($0.count), locale, &code)
    }
    guard let format = unsafe opened else { return nil }
    guard code <= 0, let result = unsafe icu.open_result(&code) else {
      unsafe icu.close_number(format)
      return nil
    }
    unsafe (self.icu, self.format, self.result) = (icu, format, result)
  }

  deinit {
    unsafe icu.close_result(result)
    unsafe icu.close_number(format)
  }

  func text(_ decimal: String) -> String? {
    var code: placard_format_code = 0
    unsafe icu.format_number(format, decimal, Int32(decimal.utf8.count), result, &code)
    return unsafe textOf(code) { buffer, count, code in unsafe icu.text_of(result, buffer, count, &code) }
  }
}

/// An open date format of ICU, for times in UTC.
@safe
private final class DateFormat {
  private let icu: placard_icu_formats
  private let format: OpaquePointer

  init?(_ skeleton: String, _ locale: String, _ icu: placard_icu_formats) {
    var code: placard_format_code = 0
    guard let patterns = unsafe icu.open_patterns(locale, &code) else { return nil }
    defer { unsafe icu.close_patterns(patterns) }
    let (units, utc) = (Array(skeleton.utf16), Array("Etc/UTC".utf16))
    let pattern = unsafe units.withUnsafeBufferPointer { units in
      unsafe unitsOf(code) { buffer, count, code in
        unsafe icu.best_pattern(patterns, units.baseAddress, Int32(units.count), buffer, count, &code)
      }
    }
    guard let pattern else { return nil }
    let opened = unsafe pattern.withUnsafeBufferPointer { pattern in
      unsafe utc.withUnsafeBufferPointer { utc in
        unsafe icu.open_date(
          placard_icu_pattern, placard_icu_pattern, locale, utc.baseAddress, Int32(utc.count), pattern.baseAddress,
          Int32(pattern.count), &code)
      }
    }
    guard let format = unsafe opened else { return nil }
    unsafe (self.icu, self.format) = (icu, format)
  }

  deinit { unsafe icu.close_date(format) }

  func text(_ local: Int64) -> String? {
    unsafe textOf(0) { buffer, count, code in
      unsafe icu.format_date(format, Double(local) * 1000, buffer, count, nil, &code)
    }
  }
}

/// Returns what a function of ICU writes into a buffer, in UTF-16; nil if it fails or writes more than 1,000 units.
///
/// - Parameters:
///   - code: The code of the calls before.
///   - write: Writes into a buffer of a number of units, and returns how many there are.
/// - Returns: The units.
@unsafe
private func unitsOf(
  _ code: placard_format_code, _ write: (UnsafeMutablePointer<UInt16>?, Int32, inout placard_format_code) -> Int32
) -> [UInt16]? {
  var (code, units) = (code, [UInt16](repeating: 0, count: 1000))
  let count = unsafe units.withUnsafeMutableBufferPointer { unsafe write($0.baseAddress, Int32($0.count), &code) }
  return code <= 0 && count >= 0 && Int(count) <= units.count ? Array(units.prefix(Int(count))) : nil
}

@unsafe
private func textOf(
  _ code: placard_format_code, _ write: (UnsafeMutablePointer<UInt16>?, Int32, inout placard_format_code) -> Int32
) -> String? {
  unsafe unitsOf(code, write).map { String(decoding: $0, as: UTF16.self) }
}
