import Geometry
import Testing

struct ColorTests {
  @Test func `A color parses its own text`() {
    for color in [Color.white, .black, .nightBlue, Color(red: 1, green: 0x10, blue: 0xFE)] {
      #expect(Color(parsing: "\(color)") == color)
    }
    #expect("\(Color.nightBlue)" == "#0b1f4b")
  }

  @Test func `The short form doubles each digit`() {
    #expect(Color(parsing: "#fA0") == Color(red: 0xFF, green: 0xAA, blue: 0))
  }

  @Test(arguments: ["", "#", "fff", "#ff", "#ffff", "#fffff", "#fffffff", "#ggg", "#+12345", "# 12345", "white"])
  func `An invalid color is refused`(text: String) {
    #expect(Color(parsing: text) == nil)
  }

  @Test func `XRGB8888 has red in the third byte and 255 in the unused byte`() {
    #expect(Color(red: 0x12, green: 0x34, blue: 0x56).xrgb8888 == 0xFF12_3456)
  }
}
