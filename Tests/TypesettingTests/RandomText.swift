import SeededRandom
import Typesetting

/// Messages of words, marks, spaces and line ends, as people and programs send them.
enum RandomText {
  private static let pieces = [
    "Gate", "17", "a", "Welcome", "fi", "office", "AVAST", "Ångström", "e\u{301}", "Straße", "Привет", "Αθήνα", "j",
    "Q\u{323}\u{302}", "Donaudampfschifffahrt", "…", "«", "100%", "it's", "W", "iiiiii", "☂", "\u{7}", "ﷺ", "سلام",
    "Donau\u{AD}dampf\u{AD}schiff", "日本語、テスト。", "ภาษาไทย", "שלום (123)", "हिन्दी", "👩‍🚒", "a-b/c", "(see",
  ]
  private static let gaps = [" ", " ", " ", " ", "  ", "\t", "\n", "\r\n", "\n\n", "\u{2003}", ""]

  private static let fonts = [
    dejaVu, "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoNaskhArabic-Bold.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
  ]

  /// Returns a font of the test packages.
  static func font(using generator: inout SeededGenerator) -> String {
    fonts[Int.random(in: 0..<fonts.count, using: &generator)]
  }

  static func make(using generator: inout SeededGenerator, words: ClosedRange<Int> = 0...14) -> String {
    (0..<Int.random(in: words, using: &generator)).map { _ in
      pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        + gaps[Int.random(in: 0..<gaps.count, using: &generator)]
    }.joined()
  }
}

/// The path of Debian's fonts-dejavu-core: the letters are the same whichever font fontconfig prefers.
let dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

/// Returns a text in the test font.
func inDejaVu(_ text: String) -> StyledText { StyledText(text, style: TextStyle(font: dejaVu)) }
