import Glibc
import SystemFiles

/// The hyphenation of words by the dictionaries of LibreOffice, as far as they are installed.
///
/// It must be used from one thread at a time. The dictionary of a language is read when a word is first divided. Without
/// one, no word has a place for a hyphen.
///
/// The library for these dictionaries, libhyphen 2.8.8, is not used: it takes seconds to load the German one, while a
/// display waits.
package final class Hyphenator {
  private let folder: String
  private let files: SystemFiles
  private var dictionaries: [String: HyphenationPatterns?] = [:]

  /// The maximum number of letters of a word.
  private static let mostLetters = 100
  /// The maximum number of languages: each dictionary takes up to two megabytes.
  private static let mostLanguages = 4

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

  private func dictionary(of language: String) -> HyphenationPatterns? {
    if let known = dictionaries[language] { return known }
    if dictionaries.count >= Self.mostLanguages { dictionaries = [:] }
    let names = files.names(in: folder)
    let dictionary = Self.file(of: language, among: names).flatMap { name in
      HyphenationPatterns(contentsOf: "\(folder)/\(name)", files)
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

extension HyphenationPatterns {
  /// The maximum size of a dictionary, in bytes: four times that of the largest one.
  private static let mostBytes = 4 << 20

  /// Reads the file of a dictionary. The first line names the character set, such as UTF-8 or ISO8859-1.
  fileprivate init?(file: [UInt8]) {
    let end = file.firstIndex { $0 == UInt8(ascii: "\n") } ?? file.endIndex
    let set = String(decoding: file[..<end].prefix { $0 > 0x20 }, as: UTF8.self)
    guard !set.isEmpty, let text = Self.converted(Array(file[end...]), from: set) else { return nil }
    self.init(text)
  }

  fileprivate init?(contentsOf path: String, _ files: SystemFiles) {
    guard let file = files.bytes(path, atMost: Self.mostBytes) else { return nil }
    self.init(file: file)
  }

  /// Returns text in UTF-8; nil if the character set is unknown, or the text is not in it.
  private static func converted(_ text: [UInt8], from set: String) -> [UInt8]? {
    if set == "UTF-8" { return text }
    // The Bulgarian dictionary names its set in its own way.
    let set = set == "microsoft-cp1251" ? "CP1251" : set
    // iconv_open(3) returns -1 for an unknown character set.
    guard let conversion = unsafe iconv_open("UTF-8", set), unsafe conversion != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { unsafe _ = iconv_close(conversion) }
    var source = text.map { CChar(bitPattern: $0) }
    // No character of a set with one byte for each has more than three bytes in UTF-8.
    var target = [CChar](repeating: 0, count: 3 * source.count + 4)
    let length = target.count
    let left: Int? = unsafe source.withUnsafeMutableBufferPointer { source in
      unsafe target.withUnsafeMutableBufferPointer { target in
        var (from, to) = (source.baseAddress, target.baseAddress)
        var (fromLeft, toLeft) = (source.count, target.count)
        let code = unsafe iconv(conversion, &from, &fromLeft, &to, &toLeft)
        return code != -1 && fromLeft == 0 ? toLeft : nil
      }
    }
    return left.map { target.prefix(length - $0).map { UInt8(bitPattern: $0) } }
  }
}
