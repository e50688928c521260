import Geometry
import Testing

@testable import Raster

struct BlendTests {
  @Test func `Bright text is blended in linear light, and dark text has stronger edges`() {
    let gray = Color(red: 120, green: 120, blue: 120)
    #expect(BlendTable<UInt32>(Ink(color: .white), on: .black).pixels[128].color.red == 181)
    #expect(BlendTable<UInt32>(Ink(color: .black), on: .white).pixels[128].color.red == 156)
    #expect(Contrast(gray, on: .black).share(128) == Contrast(.white, on: .nightBlue).share(128))
    #expect(Contrast(.black, on: gray).share(128) < Contrast(.black, on: .white).share(128))
  }

  @Test func `Edges of all colors change monotonically from the background to the text`() {
    let colors = [0, 60, 128, 200, 255].map { Color(red: $0, green: 255 - $0, blue: $0 / 2) } + [.white, .black]
    for over in colors {
      for ground in colors {
        let reds = BlendTable<UInt32>(Ink(color: over), on: ground).pixels.map { Int($0.color.red) }
        #expect(reds.first == Int(ground.red) && reds.last == Int(over.red))
        #expect(reds == (over.red >= ground.red ? reds.sorted() : reds.sorted(by: >)))
      }
    }
  }
}
