import Geometry
import Glibc
import Scenes
import Testing

@testable import Layout
@testable import Typesetting

/// Layouts from caches equal those of new render resources.
struct CachedLayoutTests {
  private static let metrics = DisplayMetrics(pixels: Size(1280, 720))
  private static let line = ZonedView.Part(.bottom, View(.ticker(Ticker("Gate 17 is boarding now"))))

  private static func zones(_ time: String) -> View {
    View(.zones(ZonedView(View(.clock(ClockFace(time: time, date: "Saturday", caption: "Berlin"))), [line])))
  }

  @Test func `a time is laid out the same after another one as with new resources`() throws {
    let kept = try RenderResources()
    for time in ["12:30:59", "12:31:00", "9:05 pm", "10:05 pm", "12:30:59", "١٢:٣٠", "2:05"] {
      let cached = try layOut(Self.zones(time), on: Self.metrics, with: kept)
      let new = try RenderResources()
      // Fonts are numbered in the order of their use.
      _ = try layOut(Self.zones("12:30:59"), on: Self.metrics, with: new)
      #expect(try layOut(Self.zones(time), on: Self.metrics, with: new) == cached, "\(time)")
    }
  }

  @Test func `after a remembered font proves to be another one, nothing of the former layouts is used`() throws {
    let path = "/tmp/placard-layout-fonts-\(getpid())"
    unsafe unlink(path)
    defer { unsafe unlink(path) }
    let view = Self.zones("12:30:59")
    _ = try layOut(view, on: Self.metrics, with: RenderResources(fontMemory: path))
    let bold = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf"
    try unsafe #require(access(bold, R_OK) == 0, "fonts-dejavu-core is one of the test packages")
    var memory = FontCache(path: path)
    memory.remember(FontFile(path: bold, index: 0, families: ["DejaVu Sans Mono"]), for: "")
    let resources = try RenderResources(fontMemory: path)
    let wrong = try layOut(view, on: Self.metrics, with: resources)
    #expect(try resources.confirmFonts())
    let right = try layOut(view, on: Self.metrics, with: resources)
    #expect(Self.inks(right) != Self.inks(wrong))
    #expect(Self.inks(right) == Self.inks(try layOut(view, on: Self.metrics, with: RenderResources())))
  }

  private static func inks(_ list: DisplayList) -> [Rect] { list.items.map(\.ink) }
}
