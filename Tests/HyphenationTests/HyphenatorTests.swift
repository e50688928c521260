import Glibc
import Testing

@testable import Hyphenation

struct HyphenatorTests {
  /// Whether libhyphen and the dictionaries of these tests are installed.
  static let isInstalled = ["de_DE", "en_US", "fr", "hu_HU", "pl_PL", "ru_RU"].allSatisfy {
    unsafe access("/usr/share/hyphen/hyph_\($0).dic", R_OK) == 0
  }

  /// Words with their hyphens according to pyphen 0.17, which reads the same dictionaries in Python. They are in the
  /// character sets UTF-8, ISO 8859-1, ISO 8859-2 and KOI8-R.
  @Test(
    .enabled(if: isInstalled, "libhyphen0 and the packages hyphen-* are not installed"),
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

  @Test(.enabled(if: isInstalled, "libhyphen0 and the packages hyphen-* are not installed"))
  func `a place at which the spelling would change is left out`() {
    // Divided, it is asz-szony-nyal.
    #expect(Hyphenator().places(in: "asszonnyal", language: "hu") == [])
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

  @Test(.enabled(if: isInstalled, "libhyphen0 and the packages hyphen-* are not installed"))
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
