import Geometry
import Testing

struct SizeTests {
  @Test func `A size parses its own text`() {
    for size in [Size(1920, 1080), Size(1, 1), Size(16384, 16384)] { #expect(Size(parsing: "\(size)") == size) }
  }

  @Test(arguments: [
    "", "x", "1920", "1920x", "x1080", "1920x1080x2", "0x1080", "-1920x1080", "1920 x 1080", "1e3x5", "65536x1",
    "9223372036854775807x1",
  ])
  func `An invalid size is refused`(text: String) {
    #expect(Size(parsing: text) == nil)
  }

  @Test func `Half of a size is exact or nil`() {
    #expect(Size(3840, 2160).half == Size(1920, 1080))
    #expect(Size(1366, 769).half == nil)
    #expect(Size(1367, 768).half == nil)
  }

  @Test func `A rotated size has exchanged sides and the same area`() {
    let size = Size(1920, 1200)
    #expect(size.turned == Size(1200, 1920))
    #expect(size.turned.area == size.area)
    #expect(size.longSide == 1920)
    #expect(size.turned.shortSide == 1200)
  }
}
