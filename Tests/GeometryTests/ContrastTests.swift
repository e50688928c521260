import Geometry
import Testing

/// The contrast of colors, compared with the results of WCAG's own tools.
struct ContrastTests {
  @Test(arguments: [
    (Color.black, Color.white, 21.0), (.white, .white, 1), (Color(red: 0x77, green: 0x77, blue: 0x77), .white, 4.48),
    (Color(red: 0xFF, green: 0, blue: 0), .white, 4.00), (Color(red: 0, green: 0, blue: 0xFF), .black, 2.44),
    (.white, .nightBlue, 16.01),
  ])
  func `The contrast matches WCAG 2 in both directions`(first: Color, second: Color, ratio: Double) {
    #expect(abs(first.contrast(with: second) - ratio) < 0.01, "\(first.contrast(with: second))")
    #expect(first.contrast(with: second) == second.contrast(with: first))
  }
}
