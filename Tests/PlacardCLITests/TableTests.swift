import Testing

@testable import CommandLineTool

@Suite struct TableTests {
  private let table = Table(
    head: ["A", "WIDE"], rows: [["x", String(repeating: "w", count: 40)], ["longer cell", "y"]])

  @Test func `Without a terminal nothing is cut`() {
    #expect(table.lines(columns: nil)[1] == "x            " + String(repeating: "w", count: 40))
  }

  @Test func `At every width lines fit, or show as much as the heads need`() {
    for columns in 1...60 {
      let widths = table.lines(columns: columns).map(\.count)
      #expect(widths.allSatisfy { $0 <= max(columns, 4 + 2 + 4) }, "\(columns) columns: \(widths)")
    }
  }

  @Test func `What is cut says so`() {
    #expect(table.lines(columns: 25) == ["A            WIDE", "x            wwwwwwwwwww…", "longer cell  y"])
    #expect(table.lines(columns: 20) == ["A          WIDE", "x          wwwwwwww…", "longer c…  y"])
  }

  @Test(arguments: [
    (0.0, "0.0"), (12.34, "12.3"), (12.35, "12.4"), (0.04, "0.0"), (-1.26, "-1.3"), (999.96, "1000.0"),
    (.infinity, "-"), (.nan, "-"), (1e300, "-"),
  ])
  func `Milliseconds have one place`(number: Double, text: String) { #expect(Tenths.text(number) == text) }

  @Test func `Times have six places`() {
    #expect(Tenths.seconds(nanoseconds: 0) == "0.000000")
    #expect(Tenths.seconds(nanoseconds: 1_000_001_999) == "1.000001")
    #expect(Tenths.seconds(nanoseconds: .max) == "18446744073.709551")
  }
}
