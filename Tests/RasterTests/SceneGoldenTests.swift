import Geometry
import Glibc
import Layout
import Pictures
import Raster
import Scenes
import Testing

/// Golden images of each scene at seven sizes, reduced. PLACARD_UPDATE_GOLDEN=1 rewrites those whose pixels differ.
struct SceneGoldenTests {
  private static let longSide = 480

  @Test(.goldenImages, arguments: SceneSample.sizes.map(\.size))
  func `Scenes match their golden images`(size: Size) throws {
    let folder = try PictureFolder()
    defer { folder.remove() }
    let scale = try #require(SceneSample.sizes.first { $0.size == size }).scale
    let materials = try RenderResources(pictures: ImageCache(reader: .anywhere))
    let canvas = Canvas(size: size, format: .xrgb8888)
    for sample in SceneSample.all(in: folder.path) {
      let view = View(sample.content, style: sample.style)
      let list = try layOut(view, on: DisplayMetrics(pixels: size, scale: scale), with: materials)
      _ = canvas.draw(list, with: materials)
      try compareGolden(try canvas.reduced(to: Self.longSide), "scenes/\(sample.name)-\(size)")
    }
  }
}

/// A folder with `cover.png`, an image of 600 by 600 pixels.
struct PictureFolder {
  let path: String

  init() throws {
    path = "/tmp/placard-scenes-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    unsafe try #require(mkdir(path, 0o700) == 0)
    var pixels: [UInt8] = []
    for y in 0..<600 {
      for x in 0..<600 {
        let (dx, dy) = (x - 330, y - 270)
        let isMoon = dx * dx + dy * dy < 150 * 150
        let water = y > 420 && (y / 14).isMultiple(of: 2)
        pixels +=
          isMoon
          ? [250, 236, 200] : water ? [60, 84, 140] : [UInt8(20 + y / 12), UInt8(30 + y / 8), UInt8(70 + y / 6)]
      }
    }
    try write(try RGBImage(size: Size(600, 600), rgb: pixels).png(), to: path + "/cover.png")
  }

  func remove() {
    unsafe unlink(path + "/cover.png")
    unsafe rmdir(path)
  }
}
