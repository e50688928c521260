import Geometry
import Glibc
import Layout
import Pictures
import Raster
import Scenes
import Testing
import Typesetting

/// Comparisons with reviewed golden images. PLACARD_UPDATE_GOLDEN=1 rewrites those whose pixels differ.
struct GoldenTests {
  struct Golden: Sendable, CustomTestStringConvertible {
    var name: String
    var size: Size
    var format = PixelFormat.xrgb8888
    var rotation = Rotation.none
    var view: View
    var testDescription: String { name }
  }

  static let all = [
    Golden(name: "banner", size: Size(320, 180), view: View(banner: "Gate 17 is boarding now", style: style())),
    Golden(
      name: "banner-rgb565", size: Size(320, 180), format: .rgb565,
      view: View(banner: "Gate 17 is boarding now", style: style())),
    Golden(
      name: "black-on-white", size: Size(120, 200),
      view: View(banner: "Fire\ndrill\n\n10:00", style: style(.black, on: .white))),
    Golden(
      name: "marks", size: Size(300, 100),
      view: View(
        banner: "Ångström e\u{301} Q\u{323} fi AVA Привет", style: style(Color(red: 255, green: 200, blue: 0)))),
    Golden(
      name: "cut", size: Size(160, 96),
      view: View(banner: String(repeating: "long text goes on ", count: 60), style: style())),
    Golden(
      name: "broken-word", size: Size(160, 96),
      view: View(
        banner: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft", style: style())),
    // The stems of both should look equally strong, which shows best in small text.
    Golden(name: "light-on-dark", size: Size(240, 120), view: View(banner: small, style: style(.white, on: .black))),
    Golden(name: "dark-on-light", size: Size(240, 120), view: View(banner: small, style: style(.black, on: .white))),
    Golden(name: "turned-90", size: Size(180, 120), rotation: .quarter, view: View(banner: turned, style: style())),
    Golden(name: "turned-180", size: Size(180, 120), rotation: .half, view: View(banner: turned, style: style())),
    Golden(
      name: "turned-270-rgb565", size: Size(180, 120), format: .rgb565, rotation: .threeQuarters,
      view: View(banner: turned, style: style())),
  ]

  private static let small =
    "Lift 3 is out of order until noon. Please take the stairs or the lifts in the east wing; the porter helps with "
    + "luggage and wheelchairs. We apologise for the inconvenience."
  private static let turned = "Floor 7\nleft"

  /// The golden images that need Debian's fonts-noto-color-emoji.
  static let emoji = [
    Golden(name: "emoji", size: Size(240, 160), view: View(banner: "🎉🙂\n🚀❤️👍🏽", style: style(font: notoEmoji))),
    Golden(
      name: "emoji-on-white-rgb565", size: Size(240, 160), format: .rgb565,
      view: View(banner: "🎉🙂\n🚀❤️👍🏽", style: style(.black, on: .white, font: notoEmoji))),
    Golden(
      name: "emoji-small", size: Size(160, 60),
      view: View(banner: "🇩🇪🍏👩‍👩‍👧‍👦☂️ 🎉🙂🚀❤️ 👍🏽🍊🍋🍌 🍉🍇🍓🦊", style: style(font: notoEmoji))),
    Golden(
      name: "emoji-large-turned-90", size: Size(320, 300), rotation: .quarter,
      view: View(banner: "🦊", style: style(font: notoEmoji))),
  ]

  @Test(.goldenImages, .enabled(if: hasNotoEmoji, "fonts-noto-color-emoji is not installed"), arguments: emoji)
  func `Emoji match their golden images`(golden: Golden) throws { try compare(golden) }

  @Test(.goldenImages, arguments: all)
  func `Text matches its golden images`(golden: Golden) throws { try compare(golden) }

  private func compare(_ golden: Golden) throws { try compareGolden(try draw(golden), golden.name) }

  /// Selects each script's font by its file, because fontconfig's choice differs between machines.
  @Test(.goldenImages) func `A page of scripts matches its golden image`() throws {
    let noto = "/usr/share/fonts/truetype/noto/Noto"
    let cjk = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
    let parts = [
      ("Office AVAST «Ångström» ", dejaVu), ("سلام ١٢٣ (abc) ", noto + "NaskhArabic-Regular.ttf"),
      ("שלום 45\n", noto + "SansHebrew-Regular.ttf"), ("हिन्दी क्षत्रिय ", noto + "SansDevanagari-Regular.ttf"),
      ("বাংলা স্ত্রী ", noto + "SansBengali-Regular.ttf"), ("ภาษาไทยสวัสดี\n", noto + "SansThai-Regular.ttf"),
      ("日本語のテスト。「中文」한국어 ", cjk), ("Tiếng Việt Ưu\n", noto + "Sans-Regular.ttf"),
      ("🎉👩‍🚒🇩🇪👍🏽☀️", notoEmoji),
    ]
    for (_, path) in parts { try #require(unsafe access(path, R_OK) == 0, "\(path) is in one of the test packages") }
    let text = StyledText(parts.map { StyledRun($0.0, style: TextStyle(font: $0.1)) })
    let materials = try RenderResources()
    let set = try materials.typesetter.set(text, by: FitRules(box: Size(480, 200), minimum: 640, wordBreak: 640))
    #expect(set.warnings.isEmpty && set.missing.isEmpty)
    let canvas = Canvas(size: Size(480, 200), format: .xrgb8888)
    let items = set.runs.map { DisplayItem.text(TextItem(run: $0, color: .white)) }
    _ = canvas.draw(DisplayList(size: Size(480, 200), background: .nightBlue, items: items), with: materials)
    try compareGolden(try canvas.picture(), "page-of-scripts")
  }

  private func draw(_ golden: Golden) throws -> RGBImage {
    let materials = try RenderResources()
    let canvas = Canvas(size: golden.size, format: golden.format, rotation: golden.rotation)
    let list = try layOut(golden.view, on: DisplayMetrics(pixels: canvas.pictureSize), with: materials)
    _ = canvas.draw(list, with: materials)
    return try canvas.picture()
  }
}
