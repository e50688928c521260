import Locales
import Testing

struct LanguageTests {
  @Test(arguments: ["de", "en-GB", "zh-Hant-TW", "sr-Latn-RS", "gsw", "es-419", "de-CH-1996"])
  func `A BCP 47 tag is a language`(tag: String) {
    #expect(Language(tag)?.tag == tag)
  }

  @Test(arguments: [
    "", "d", "deutsch", "de_DE", "de-", "-de", "de--DE", "de-DE.UTF-8", "1a", "dé",
    "en-" + "a1234567-" + String(repeating: "b", count: 30),
  ])
  func `Another text is not`(text: String) {
    #expect(Language(text) == nil)
  }

  @Test func `The host's locale determines its language`() {
    let cases: [([String: String], String?)] = [
      ([:], nil), (["LANG": "de_DE.UTF-8"], "de-DE"), (["LANG": "C.UTF-8"], nil), (["LANG": "POSIX"], nil),
      (["LANG": "sr_RS.UTF-8@latin"], "sr-RS"), (["LANG": "en_US"], "en-US"), (["LANG": "ja"], "ja"),
      (["LANG": "de_DE.UTF-8", "LC_TIME": "en_GB.UTF-8"], "en-GB"),
      (["LANG": "de_DE.UTF-8", "LC_TIME": "", "LC_ALL": ""], "de-DE"),
      (["LANG": "de_DE.UTF-8", "LC_TIME": "en_GB.UTF-8", "LC_ALL": "C"], nil),
      (["LANG": "../../etc/passwd"], nil),
    ]
    for (variables, tag) in cases { #expect(Language.ofHost { variables[$0] }?.tag == tag, "\(variables)") }
  }
}
