import Geometry
import Layout
import Pictures
import Raster
import Scenes
import Testing

/// The first screen and the controller screen at the sizes of common displays.
struct StartGoldenTests {
  /// Small panels, laptop panels, monitors in both orientations, 4K and ultrawide.
  static let sizes: [(size: Size, scale: Int)] = [
    (Size(640, 480), 1), (Size(800, 600), 1), (Size(1024, 600), 1), (Size(1280, 800), 1), (Size(1920, 1080), 1),
    (Size(1080, 1920), 1), (Size(3840, 2160), 2), (Size(2560, 1080), 1),
  ]

  private static let lines = [
    ControllerPanel.Line(name: "HDMI-A-1", state: "lit", detail: "first screen"),
    ControllerPanel.Line(name: "DP-1", state: "dark", detail: "nothing is plugged in"),
  ]

  private static let panels: [(name: String, panel: ControllerPanel)] = [
    ("start", ControllerPanel(host: "lobby-pi")),
    ("start-address", ControllerPanel(host: "lobby-pi", address: "http://192.168.7.20:8080/")),
    ("controller-local", ControllerPanel(host: "lobby-pi", displays: lines)),
    ("controller-address", ControllerPanel(host: "lobby-pi", address: "http://192.168.7.20:8080/", displays: lines)),
  ]

  @Test(.goldenImages, arguments: sizes.map(\.size))
  func `The first screen matches its golden images`(size: Size) throws {
    let scale = try #require(Self.sizes.first { $0.size == size }).scale
    let materials = try RenderResources(pictures: ImageCache(reader: .anywhere))
    let canvas = Canvas(size: size, format: .xrgb8888)
    for (name, panel) in Self.panels {
      let view = View(.controller(panel), style: SceneSample.style)
      let list = try layOut(view, on: DisplayMetrics(pixels: size, scale: scale), with: materials)
      #expect(list.warnings.isEmpty, "\(name)")
      _ = canvas.draw(list, with: materials)
      try compareGolden(try canvas.reduced(to: min(640, size.longSide)), "start/\(name)-\(size)")
    }
  }
}

extension Size {
  fileprivate var longSide: Int { max(width, height) }
}
