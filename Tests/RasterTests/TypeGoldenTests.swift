import Geometry
import Glibc
import Layout
import Pictures
import Raster
import Scenes
import Testing
import Typesetting

/// Texts in which a designer looks for mistakes.
enum TypeSamples {
  static let texts: [(name: String, content: View.Content)] = [
    ("ink", .banner("12:30")), ("unit", .banner("Admission 5 € per person")),
    ("breaks", .banner("Gate 17\nis boarding\nnow")),
    ("lines", .banner("Ada Lovelace\nGrace Hopper\nKatherine Johnson\nHedy Lamarr\nMary Jackson\nEmmy Noether")),
    ("short-page", .markdown(MarkdownText("# Closed today\n\nWe are back on Monday."), .start)),
    ("tasks", .markdown(MarkdownText("# To do\n\n- [x] Coffee\n- [ ] Cake\n- [x] Call `placard show`"), .start)),
    (
      "code",
      .markdown(
        MarkdownText("# Setup\n\n```\nplacard show --display HDMI-A-1 --priority 5 --for 2h \"Fire drill\"\n```"),
        .start)
    ),
  ]

  /// The sizes at which each golden image is made.
  static let sizes = [Size(800, 480), Size(1920, 1080), Size(1080, 1920), Size(3840, 2160)]

  /// Compares the golden image of a text in one size.
  static func compare(_ name: String, _ view: View, on size: Size) throws {
    let materials = try RenderResources()
    let canvas = Canvas(size: size, format: .xrgb8888)
    let metrics = DisplayMetrics(pixels: size, scale: size.shortSide > 2000 ? 2 : 1)
    _ = canvas.draw(try layOut(view, on: metrics, with: materials), with: materials)
    try compareGolden(try canvas.reduced(to: 480), "type/\(name)-\(size)")
  }
}

struct TypeGoldenTests {
  @Test(.goldenImages, arguments: TypeSamples.sizes)
  func `Texts match their golden images`(size: Size) throws {
    for (name, content) in TypeSamples.texts {
      try TypeSamples.compare(name, View(content, style: SceneSample.style), on: size)
    }
  }

  @Test(
    .goldenImages, .enabled(if: hasNotoEmoji, "fonts-noto-color-emoji is not installed"),
    arguments: TypeSamples.sizes)
  func `A text with emoji matches its golden image`(size: Size) throws {
    let view = View(.banner("Coffee ☕ and cake 🍰 at 3"), style: SceneSample.style)
    try TypeSamples.compare("emoji", view, on: size)
  }

  @Test(
    .goldenImages,
    .enabled(if: unsafe access("/usr/share/hyphen/hyph_de_DE.dic", R_OK) == 0, "hyphen-de is not installed"),
    arguments: TypeSamples.sizes)
  func `A long word matches its golden image`(size: Size) throws {
    var style = SceneSample.style
    style.language = "de"
    let word = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
    try TypeSamples.compare("hyphens", View(.banner(word), style: style), on: size)
  }
}
