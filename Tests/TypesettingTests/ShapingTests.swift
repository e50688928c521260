import Foundation
import Testing

@testable import Typesetting

/// A comparison of glyphs, clusters and positions with hb-shape, HarfBuzz's own tool.
struct ShapingTests {
  private static let noto = "/usr/share/fonts/truetype/noto/Noto"
  private static let cjk = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"

  /// A script's font, and texts in it.
  ///
  /// Each text is in one script, so that hb-shape, which has no fallback and no bidi, shapes the same run.
  struct Sample: Sendable, CustomTestStringConvertible {
    var script: String
    var font: String
    var texts: [String]
    var testDescription: String { script }
  }

  static let samples: [Sample] = [
    Sample(script: "Latin", font: dejaVu, texts: latin),
    Sample(script: "Latin, Noto", font: noto + "Sans-Regular.ttf", texts: latin),
    Sample(
      script: "Vietnamese", font: noto + "Sans-Regular.ttf",
      texts: words("Tiếng Việt Nguyễn Ưu_đãi e\u{302}\u{301} o\u{31B}\u{323} a\u{306}\u{309}nh Phở Đường_Lê_Lợi")),
    Sample(script: "Greek", font: dejaVu, texts: words("Αθήνα Καλημέρα_κόσμε ἄνθρωπος ᾧ ΐ Ὦ σοφός Θεσσαλονίκη")),
    Sample(
      script: "Cyrillic", font: dejaVu, texts: words("Привет Москва Ёлка Київ_сьогодні Благодаря й и\u{306} Ѳ ҐҒҖ")),
    Sample(script: "Armenian", font: noto + "SansArmenian-Regular.ttf", texts: words("Բարեւ Երեւան և Հայաստան ﬓ մն")),
    Sample(script: "Georgian", font: noto + "SansGeorgian-Regular.ttf", texts: words("გამარჯობა თბილისი ᲗᲑᲘᲚᲘᲡᲘ ჰ")),
    Sample(
      script: "Arabic", font: noto + "NaskhArabic-Regular.ttf",
      texts: words("سلام مرحبا_بالعالم لا الله بِسْمِ اللغة_العربية كتاب مُحَمَّد ﷺ ـ ي‍ه ک‌ها گچپژ لأ لآ إلى")),
    Sample(
      script: "Hebrew", font: noto + "SansHebrew-Regular.ttf", texts: words("שלום ירושלים שָׁלוֹם עברית_יפה כֹּ ײַ בְּרֵאשִׁית")),
    Sample(script: "Syriac", font: noto + "SansSyriac-Regular.ttf", texts: words("ܫܠܡܐ ܣܘܪܝܝܐ ܐܒܓ")),
    Sample(
      script: "Devanagari", font: noto + "SansDevanagari-Regular.ttf",
      texts: words("हिन्दी नमस्ते क्षत्रिय श्री कर्म र्क्षि दिल्ली क़ ज्ञ ह्म_ह्य द्ध्र्य किं कौ ॐ")),
    Sample(
      script: "Bengali", font: noto + "SansBengali-Regular.ttf",
      texts: words("বাংলা নমস্কার কলকাতা ক্ষ র্য র‍্যা কে কো কৌ স্ত্রী হ্ম ৎ")),
    Sample(script: "Tamil", font: noto + "SansTamil-Regular.ttf", texts: words("தமிழ் வணக்கம் சென்னை கொ க்ஷ ஸ்ரீ நௌ")),
    Sample(script: "Telugu", font: noto + "SansTelugu-Regular.ttf", texts: words("తెలుగు నమస్కారం క్ష స్త్రీ హైదరాబాద్")),
    Sample(script: "Kannada", font: noto + "SansKannada-Regular.ttf", texts: words("ಕನ್ನಡ ನಮಸ್ಕಾರ ಕ್ಷ ರ್ಕ ಬೆಂಗಳೂರು")),
    Sample(script: "Malayalam", font: noto + "SansMalayalam-Regular.ttf", texts: words("മലയാളം നമസ്കാരം ക്ഷ കൊ ന്റെ ൻ")),
    Sample(script: "Gujarati", font: noto + "SansGujarati-Regular.ttf", texts: words("ગુજરાતી નમસ્તે ક્ષ શ્રી")),
    Sample(script: "Gurmukhi", font: noto + "SansGurmukhi-Regular.ttf", texts: words("ਪੰਜਾਬੀ ਸਤਿ_ਸ੍ਰੀ ਅੰਮ੍ਰਿਤਸਰ")),
    Sample(script: "Sinhala", font: noto + "SansSinhala-Regular.ttf", texts: words("සිංහල ශ්‍රී ක්‍ෂ කොළඹ")),
    Sample(
      script: "Thai", font: noto + "SansThai-Regular.ttf", texts: words("ภาษาไทย สวัสดี น้ำ ที่นี่ กรุงเทพฯ ปู่ ญู ฐู ก็ เธอเป็น")),
    Sample(script: "Lao", font: noto + "SansLao-Regular.ttf", texts: words("ລາວ ສະບາຍດີ ນ້ຳ ວຽງຈັນ")),
    Sample(script: "Khmer", font: noto + "SansKhmer-Regular.ttf", texts: words("ខ្មែរ សួស្តី ភ្នំពេញ ស្រី ក្រៅ")),
    Sample(script: "Myanmar", font: noto + "SansMyanmar-Regular.ttf", texts: words("မြန်မာ မင်္ဂလာပါ က္က ရန်ကုန်")),
    Sample(script: "Tibetan", font: noto + "SerifTibetan-Regular.ttf", texts: words("བོད་སྐད བཀྲ་ཤིས རྒྱ ལྷ་ས")),
    Sample(script: "Ethiopic", font: noto + "SansEthiopic-Regular.ttf", texts: words("ሰላም አማርኛ አዲስ_አበባ")),
    Sample(script: "Chinese", font: cjk, texts: words("你好世界 中文排版。 「引号」，和标点！ 繁體字 𠀀𠮷 葛\u{E0100}城")),
    Sample(script: "Japanese", font: cjk, texts: words("ひらがな カタカナ・テスト が か\u{3099} きゃっきゃ ﾊﾝｶｸ ヷ")),
    Sample(script: "Korean", font: cjk, texts: words("안녕하세요 서울 각 가각힣 \u{1112}\u{1161}\u{11AB} 대한민국")),
    Sample(
      script: "Emoji", font: noto + "ColorEmoji.ttf",
      texts: words("😀 👩‍🚒 👨‍👩‍👧‍👦 👍🏽 🇩🇪 🇫🇷🇯🇵 ❤️ 🏳️‍🌈 ☀️ 🏴󠁧󠁢󠁳󠁣󠁴󠁿")),
  ]

  private static let latin = words(
    "Welcome AVAST fi office_hours Straße Ångström e\u{301} Q\u{323}\u{302} To_be,_or_not WAVE 1,000.50 (a) it's æœ ﬁ Łódź "
      + "İstanbul «quoted» a-b/c 100% ½ x²")

  /// Splits texts at spaces; an underscore is a space within a text.
  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map { String($0).replacing("_", with: " ") }
  }

  @Test func `there are enough samples`() {
    #expect(Self.samples.reduce(0) { $0 + $1.texts.count } >= 200)
    #expect(Self.samples.count >= 15)
  }

  @Test(arguments: samples)
  func `glyphs, clusters and positions match those of hb-shape`(sample: Sample) throws {
    try #require(
      FileManager.default.isReadableFile(atPath: sample.font), "\(sample.font) is one of the tests' packages")
    let typesetter = try Typesetter()
    let expected = try hbShape(sample.texts, font: sample.font)
    try #require(expected.count == sample.texts.count)
    for (text, glyphs) in zip(sample.texts, expected) {
      let items = try typesetter.glyphs(of: StyledText(text, style: TextStyle(font: sample.font)))
      #expect(items.count == 1, "\(text)")
      #expect(items.first ?? [] == glyphs, "\(text)")
    }
  }

  /// Returns one line per text: `[glyph=cluster@x,y+advance|…]`, in 65536ths of an em.
  private func hbShape(_ texts: [String], font: String) throws -> [[ShapingBuffer.Placed]] {
    var template = Array("/tmp/placard-texts.XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unsafe unlink(path) }
    let bytes = Array((texts.joined(separator: "\n") + "\n").utf8)
    try #require(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
    let command = "hb-shape --font-file='\(font)' --text-file='\(path)' --font-size=65536 --no-glyph-names"
    let pipe = unsafe try #require(popen(command, "re"))
    var output: [UInt8] = []
    while case let byte = unsafe getc(pipe), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
    let lines = String(decoding: output, as: UTF8.self)
    try #require(unsafe pclose(pipe) == 0, "hb-shape is in libharfbuzz-bin, one of the test packages")
    return lines.split(separator: "\n").map { line in
      line.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).split(separator: "|").compactMap(glyph)
    }
  }

  private func glyph(_ text: Substring) -> ShapingBuffer.Placed? {
    let fields = text.split { "=@,+".contains($0) }.compactMap { Int32($0) }
    let hasOffset = text.contains("@")
    let (x, y) = hasOffset && fields.count >= 4 ? (fields[2], fields[3]) : (0, 0)
    guard fields.count >= 3, let advance = fields.last else { return nil }
    return ShapingBuffer.Placed(
      glyph: UInt32(fields[0]), place: UInt32(fields[1]), advance: advance, x: x, y: y)
  }
}
