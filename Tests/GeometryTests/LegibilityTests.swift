import Geometry
import Testing

struct LegibilityTests {
  @Test(arguments: [(36.0, 6000.0), (12, 2000), (6, 1000)])
  func `A letter is readable from 167 times its height, and the height of a distance is the inverse`(
    height: Double, distance: Double
  ) {
    #expect(abs(Legibility.distance(forHeight: height) - distance) < 1e-6)
    #expect(abs(Legibility.height(atDistance: distance) - height) < 1e-9)
  }

  @Test func `The ratio is the tangent of 20 minutes of arc, rounded up`() {
    // An angle of 20 minutes of arc in radians. Its tangent differs by less than 1 in 10,000 at this size.
    let angle = 20.0 / 60 * 3.14159265358979 / 180
    #expect((angle...1.04 * angle).contains(Legibility.heightPerDistance))
  }
}
