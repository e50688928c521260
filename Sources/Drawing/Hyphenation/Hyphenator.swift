import CHyphen
import Glibc
import SystemFiles

/// The hyphenation of words by libhyphen and the dictionaries of LibreOffice, as far as they are installed.
///
/// It must be used from one thread at a time. The library and the dictionary of a language are loaded when a word is
/// first divided. Without them, no word has a place for a hyphen.
package final class Hyphenator {
  private let folder: String
  private let files: SystemFiles
  private lazy var functions: placard_hyphen? = {
    var functions = placard_hyphen()
    return unsafe placard_hyphen_load(&functions) != 0 ? functions : nil
  }()
  private var dictionaries: [String: HyphenationDictionary?] = [:]

  /// The maximum number of letters of a word.
  private static let mostLetters = 100
  /// The maximum number of languages: each dictionary takes up to a few megabytes.
  private static let mostLanguages = 8

  /// Creates a hyphenator.
  ///
  /// - Parameter folder: The folder with the dictionaries, such as `hyph_de_DE.dic`.
  package init(folder: String = "/usr/share/hyphen") {
    self.folder = folder
    files = SystemFiles()
  }

  /// Returns the places in a word at which a line may end with a hyphen.
  ///
  /// Places at which the spelling would change are left out, such as that of the Hungarian `asszonnyal`.
  ///
  /// - Parameters:
  ///   - word: The word, which consists of letters only.
  ///   - language: The language as a BCP 47 tag.
  /// - Returns: The numbers of code points before each place, ascending; empty if there is none, or no dictionary.
  package func places(in word: String, language: String) -> [Int] {
    let count = word.unicodeScalars.count
    guard (2...Self.mostLetters).contains(count), let dictionary = dictionary(of: language) else { return [] }
    // The patterns are in lowercase. A word whose lowercase form has another length is left whole.
    let lowercase = word.lowercased()
    guard lowercase.unicodeScalars.count == count else { return [] }
    return dictionary.places(in: lowercase)
  }

  private func dictionary(of language: String) -> HyphenationDictionary? {
    if let known = dictionaries[language] { return known }
    guard let functions else { return nil }
    if dictionaries.count >= Self.mostLanguages { dictionaries = [:] }
    let names = files.names(in: folder)
    let dictionary = Self.file(of: language, among: names).flatMap { name in
      HyphenationDictionary("\(folder)/\(name)", functions)
    }
    dictionaries[language] = .some(dictionary)
    return dictionary
  }

  /// Returns the name of the dictionary's file for a language: that of its region, or else that of its main region.
  ///
  /// - Parameters:
  ///   - language: The BCP 47 tag, such as `de`, `de-AT` or `sr-Latn`.
  ///   - names: The names of the installed files.
  /// - Returns: The name, such as `hyph_de_AT.dic`; nil if there is none for the language.
  static func file(of language: String, among names: [String]) -> String? {
    let parts = language.split(separator: "-")
    guard let first = parts.first?.lowercased() else { return nil }
    let region = parts.dropFirst().first { $0.utf8.count == 2 }?.uppercased()
    let main = ["en": "US", "pt": "BR"][first] ?? first.uppercased()
    let exact = [region, main].compactMap(\.self).map { "hyph_\(first)_\($0).dic" } + ["hyph_\(first).dic"]
    return exact.first(where: names.contains)
      ?? names.filter { $0.hasPrefix("hyph_\(first)_") && $0.hasSuffix(".dic") }.min()
  }
}

/// An open dictionary of libhyphen.
@safe
private final class HyphenationDictionary {
  private let functions: placard_hyphen
  private let handle: OpaquePointer
  /// The conversion of words to the dictionary's character set; nil for UTF-8.
  private let conversion: iconv_t?

  init?(_ path: String, _ functions: placard_hyphen) {
    // The first line names the character set, such as UTF-8 or ISO8859-1.
    guard let head = SystemFiles().bytes(path, atMost: 64) else { return nil }
    let set = String(decoding: head.prefix { $0 > 0x20 }, as: UTF8.self)
    let conversion = set == "UTF-8" ? nil : unsafe iconv_open(set, "UTF-8")
    // iconv_open(3) returns -1 for an unknown character set.
    guard unsafe conversion != iconv_t(bitPattern: -1) else { return nil }
    guard let handle = unsafe functions.load(path) else {
      if let conversion = unsafe conversion { unsafe iconv_close(conversion) }
      return nil
    }
    self.functions = functions
    unsafe self.handle = handle
    unsafe self.conversion = conversion
  }

  deinit {
    unsafe functions.close(handle)
    if let conversion = unsafe conversion { unsafe iconv_close(conversion) }
  }

  func places(in word: String) -> [Int] {
    guard let bytes = converted(word) else { return [] }
    // One byte per letter, and the five more that hyphen.h asks for.
    var marks = [CChar](repeating: 0, count: bytes.count + 5)
    var texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    var (positions, cuts): (UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?) = (nil, nil)
    let code = unsafe functions.hyphenate(
      handle, bytes, Int32(bytes.count - 1), &marks, nil, &texts, &positions, &cuts)
    defer {
      if let texts = unsafe texts {
        for index in 0..<bytes.count - 1 { unsafe free(texts[index]) }
      }
      unsafe free(texts)
      unsafe free(positions)
      unsafe free(cuts)
    }
    guard code == 0 else { return [] }
    // The marks are of code points for both kinds of character sets. An odd digit permits a hyphen after the letter.
    return (0..<word.unicodeScalars.count - 1).filter { index in
      unsafe marks[index] & 1 == 1 && texts?[index] == nil
    }.map { $0 + 1 }
  }

  /// Returns the bytes of a word in the dictionary's character set, with a NUL after them; nil if it lacks a letter.
  private func converted(_ word: String) -> [CChar]? {
    guard let conversion = unsafe conversion else { return word.utf8CString.map(\.self) }
    var source = word.utf8CString.map(\.self)
    var target = [CChar](repeating: 0, count: source.count)
    let length = target.count
    let left: Int? = unsafe source.withUnsafeMutableBufferPointer { source in
      unsafe target.withUnsafeMutableBufferPointer { target in
        var (from, to) = (source.baseAddress, target.baseAddress)
        var (fromLeft, toLeft) = (source.count - 1, target.count - 1)
        let code = unsafe iconv(conversion, &from, &fromLeft, &to, &toLeft)
        return code == 0 && fromLeft == 0 ? toLeft : nil
      }
    }
    return left.map { Array(target.prefix(length - 1 - $0)) + [0] }
  }
}
