import Glibc
import Oracles
import SeededRandom
import Testing

@testable import Hyphenation

struct HyphenatorTests {
  /// Whether the dictionaries of these tests are installed.
  static let isInstalled = ["de_DE", "en_US", "fr", "hu_HU", "pl_PL", "ru_RU"].allSatisfy {
    unsafe access("/usr/share/hyphen/hyph_\($0).dic", R_OK) == 0
  }

  /// Words with their hyphens according to pyphen 0.17, which reads the same dictionaries in Python. They are in the
  /// character sets UTF-8, ISO 8859-1, ISO 8859-2 and KOI8-R.
  @Test(
    .enabled(if: isInstalled, "the packages hyphen-* are not installed"),
    arguments: [
      ("de", "Ge-schwin-dig-keits-be-gren-zung"), ("de-AT", "Do-nau-dampf-schiff-fahrts-ge-sell-schaft"),
      ("de", "Be-spre-chungs-raum"), ("de", "Stra-ßen-bahn-hal-te-stel-le"), ("de", "Äp-fel-über-grö-ße"),
      ("en", "in-ter-na-tion-al-iza-tion"), ("en-US", "rep-re-sen-ta-tive"), ("en", "CON-GRAT-U-LA-TIONS"),
      ("ru", "уни-вер-си-тет"), ("ru", "Элек-три-че-ство"),
      ("fr-CH", "an-ti-cons-ti-tu-tion-nel-le-ment"), ("pl", "kon-stan-ty-no-po-li-tań-czy-ko-wia-necz-ka"),
      ("hu", "meg-szent-ség-te-le-nít-he-tet-len-sé-ges-ke-dé-se-i-te-kért"),
    ])
  func `a word is divided by the rules of its language`(language: String, expected: String) {
    let places = Hyphenator().places(in: expected.filter { $0 != "-" }, language: language)
    var scalars: [Unicode.Scalar] = []
    for (index, scalar) in expected.unicodeScalars.filter({ $0 != "-" }).enumerated() {
      if places.contains(index) { scalars.append("-") }
      scalars.append(scalar)
    }
    #expect(String(String.UnicodeScalarView(scalars)) == expected)
  }

  @Test(.enabled(if: isInstalled, "the packages hyphen-* are not installed"))
  func `a place at which the spelling would change is left out`() {
    // Divided, it is asz-szony-nyal.
    #expect(Hyphenator().places(in: "asszonnyal", language: "hu") == [])
  }

  @Test(.enabled(if: isInstalled, "the packages hyphen-* are not installed"))
  func `words have hyphens where pyphen has them`() throws {
    let seed = UInt32.random(in: 0...UInt32.max)
    let script = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/oracle.py"
    let python = Oracle.python(with: "pyphen")
    let files = Self.languages.map { "/usr/share/hyphen/hyph_\($0).dic" }.joined(separator: " ")
    let hyphenator = Hyphenator()
    var (words, places) = (0, 0)
    for line in Oracle.lines("\(python) '\(script)' \(seed) \(Self.count) \(files)") {
      let parts = line.split(separator: " ").map(String.init)
      let name = parts[2].split(separator: "/").last.map { $0.dropFirst(5).dropLast(4) } ?? ""
      let language = name.split(separator: "_").joined(separator: "-")
      let expected = parts[1].split(separator: ",").compactMap { Int($0) }
      let found = hyphenator.places(in: parts[0], language: language)
      #expect(found == expected, "\(language): \(parts[0]), seed \(seed)")
      words += 1
      places += found.count
    }
    print("\(words) words with \(places) hyphens, seed \(seed)")
    #expect(words == Self.languages.count * Self.count && places > words)
  }

  private static let languages = ["de_DE", "en_US", "fr", "hu_HU", "pl_PL", "ru_RU"]

  /// The number of words of each language: PLACARD_HYPHENS=20000 compares more.
  private static let count = unsafe getenv("PLACARD_HYPHENS").flatMap { unsafe Int(String(cString: $0)) } ?? 300

  @Test(arguments: [
    // The example of Liang's thesis.
    ("hy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io", "hyphenation", "hy-phen-ation"),
    ("a1b", "ababab", "aba-bab"), ("a1b", "aab", "aab"), (".aa1b\nb1cd.", "aabcdaabcd", "aa-bcdaab-cd"),
    ("a1b", "äbabäb", "äba-bäb"), ("ä1b\r\n", "cäbc", "cä-bc"), (" ä1b \n", "cäbc", "cä-bc"),
    ("a61b", "ccabcc", "cca-bcc"), ("a1b\na2b", "ccabcc", "ccabcc"), ("a2b\na1b", "ccabcc", "cca-bcc"),
    ("a1b\nca2b", "ccabcc", "ccabcc"),
    ("LEFTHYPHENMIN 4\na1b", "ccabcc", "ccabcc"), ("RIGHTHYPHENMIN 3\na1b", "ccabcc", "cca-bcc"),
    ("RIGHTHYPHENMIN 4\na1b", "ccabcc", "ccabcc"), ("LEFTHYPHENMIN x\nRIGHTHYPHENMIN\na1b", "ccabcc", "cca-bcc"),
    ("f1f/ff=f,1,2", "schiffahrt", "schiffahrt"), ("# a1b\n%a1b\nNEXTLEVEL\n1\n\n/", "ccabcc", "ccabcc"),
  ])
  func `patterns follow Liang's rules`(text: String, word: String, expected: String) {
    let patterns = HyphenationPatterns(Array(text.utf8))
    var divided = ""
    let places = patterns.places(in: word)
    for (index, scalar) in word.unicodeScalars.enumerated() {
      if places.contains(index) { divided += "-" }
      divided.unicodeScalars.append(scalar)
    }
    #expect(divided == (expected.contains("-") ? expected : word))
  }

  @Test func `random bytes are read without a crash`() {
    for seed in UInt64(0)..<200 {
      var source = SeededGenerator(seed: seed)
      let choice: [UInt8] = [UInt8(ascii: "a"), 0x31, 0x0A, 0x2E, 0x2F, 0x20, 0xC3, 0]
      let bytes: [UInt8] = (0..<300).map { _ in choice.randomElement(using: &source) ?? 0 }
      let word = String(decoding: (0..<20).map { _ in bytes.randomElement(using: &source) ?? 0 }, as: UTF8.self)
      let places = HyphenationPatterns(bytes).places(in: word)
      #expect(places.allSatisfy { (1..<max(2, word.unicodeScalars.count)).contains($0) })
    }
  }

  @Test(arguments: [
    ("", "de"), ("a", "de"), ("Geschwindigkeit", "tlh"), ("Geschwindigkeit", ""),
    ("Geschwindigkeit", "../../etc/passwd"),
    ("日本語日本語日本語", "de"), ("İİİİİİİİİİ", "de"), (String(repeating: "donau", count: 30), "de"),
    ("Geschwindigkeit", "-"), ("a\u{0}b", "de"),
  ])
  func `other words are left whole`(word: String, language: String) {
    #expect(Hyphenator().places(in: word, language: language) == [])
  }

  @Test(arguments: [
    ("de", "hyph_de_DE.dic"), ("de-AT", "hyph_de_AT.dic"), ("de-CH", "hyph_de_DE.dic"), ("en", "hyph_en_US.dic"),
    ("en-GB", "hyph_en_GB.dic"), ("en-AU", "hyph_en_US.dic"), ("fr-Latn-FR", "hyph_fr.dic"), ("cs", "hyph_cs_CZ.dic"),
    ("d", nil), ("sr", nil), ("DE", "hyph_de_DE.dic"),
  ])
  func `a dictionary is that of the region, or else of the main region`(language: String, file: String?) {
    let names = [
      "hyph_cs_CZ.dic", "hyph_de_AT.dic", "hyph_de_DE.dic", "hyph_en_GB.dic", "hyph_en_US.dic", "hyph_fr.dic",
      "README_sr.txt", "hyph_sr",
    ]
    #expect(Hyphenator.file(of: language, among: names) == file)
  }

  @Test(.enabled(if: isInstalled, "the packages hyphen-* are not installed"))
  func `a dictionary that is damaged or in an unknown character set divides nothing`() throws {
    let folder = "/tmp/placard-hyphen-\(getpid())"
    unsafe mkdir(folder, 0o700)
    for (language, text) in [("xa", "UTF-99\na1b\n"), ("xb", ""), ("xc", "UTF-8\n"), ("xd", "\0\0\0")] {
      let path = "\(folder)/hyph_\(language).dic"
      defer { unsafe unlink(path) }
      let file = unsafe try #require(unsafe fopen(path, "w"))
      unsafe fputs(text, file)
      unsafe fclose(file)
      #expect(Hyphenator(folder: folder).places(in: "abababab", language: language) == [])
    }
    unsafe rmdir(folder)
    #expect(Hyphenator(folder: folder).places(in: "abababab", language: "de") == [])
  }
}
