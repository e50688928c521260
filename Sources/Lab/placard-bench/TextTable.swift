/// The comparison as a Markdown table.
struct TextTable {
  private var rows: [[String]] = []
  private var notes: [String] = []

  /// Adds a row with the median of the ratios of all rounds.
  ///
  /// - Parameters:
  ///   - subject: The name of the text.
  ///   - what: The name of the operation.
  ///   - times: The times of both sides.
  ///   - goal: The factor by which Placard should be faster: 2 for half the other side's time. Nil for no goal.
  mutating func add(_ subject: String, _ what: String, _ times: ComparedTimes, goal: Int? = nil) {
    // Compare within each round: other load on the machine slows down both sides of a round alike.
    let ratio = Stopwatch.median(zip(times.placard, times.pango).map { $0 / max(1e-6, $1) })
    rows.append([
      subject, what, TextTable.text(times.placard), TextTable.text(times.pango), TextTable.text(ratio),
      goal.map { TextTable.text(1 / Double($0)) } ?? "",
    ])
  }

  mutating func note(_ text: String) { notes.append(text) }

  func print() {
    let titles = ["text", "what", "Placard, ms", "Pango + Cairo, ms", "ratio", "goal"]
    Swift.print(line(titles))
    Swift.print("|---|---|---|---|---|---|")
    for row in rows { Swift.print(line(row)) }
    Swift.print("")
    for note in notes { Swift.print("- \(note)") }
  }

  private func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

  /// Formats the median with minimum and maximum.
  static func text(_ times: [Double]) -> String {
    guard times.count > 1 else { return text(times.first ?? 0) }
    return "\(text(Stopwatch.median(times))) (\(text(times.min() ?? 0)) to \(text(times.max() ?? 0)))"
  }

  /// Formats a value with about three significant digits, and at most three decimals.
  static func text(_ value: Double) -> String {
    if value >= 99.95 { return String(Int(value.rounded())) }
    let digits = value >= 9.995 ? 1 : value >= 0.9995 ? 2 : 3
    let power = [1, 10, 100, 1000][digits]
    let scaled = Int((value * Double(power)).rounded())
    let fraction = String(scaled % power)
    return "\(scaled / power)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// Formats a size given in 64ths of a pixel.
  static func pixels(_ size: Int) -> String { text(Double(size) / 64) }
}
