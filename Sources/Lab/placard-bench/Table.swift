/// A printer of rows with their ratios to the yardstick.
enum Table {
  static func print(_ title: String, _ rows: [Measurement]) {
    let width = rows.map(\.name.count).max() ?? 0
    Swift.print("\n\(title)")
    for row in rows {
      let ratio = row.microseconds / row.yardstick
      Swift.print(
        "  \(padded(row.name, width))  \(right(fixed(row.microseconds / 1000), 9)) ms  \(right(fixed(ratio), 7)) x")
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func fixed(_ value: Double) -> String {
    let thousandths = Int((value * 1000).rounded())
    let fraction = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
