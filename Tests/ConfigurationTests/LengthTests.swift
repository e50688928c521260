import Testing

@testable import Configuration

struct LengthTests {
  @Test(arguments: [
    ("6 m", 6000), ("0.9m", 900), ("45 cm", 450), ("55 in", 1397), ("20 ft", 6096), ("23.8 in", 605), ("3 mm", 3),
  ])
  func `A length is a number with a unit`(text: String, millimeters: Int) {
    #expect(Length.millimeters(parsing: text) == millimeters)
  }

  @Test(arguments: [
    "", "6", "m", "6 meters", "-6 m", "6,5 m", "1.2.3 m", ".5 m", "5. m", "6 M", " 6 m", "6 m ", "1e3 m", "nan m",
    "99999999999 m", "６ m", "6\u{A0}m",
  ])
  func `Other texts are not lengths`(text: String) {
    #expect(Length.millimeters(parsing: text) == nil)
  }
}
