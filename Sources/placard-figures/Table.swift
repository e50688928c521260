/// The table, in Markdown. What the others need is quoted from where it was measured, not measured here.
struct Table {
  struct Row {
    var name: String
    var hd: String
    var uhd: String
    var given: String
  }

  private(set) var rows: [Row] = []

  mutating func add(_ name: String, _ hd: String, _ uhd: String, given: String = "") {
    rows.append(Row(name: name, hd: hd, uhd: uhd, given: given))
  }

  func print() {
    Swift.print("| | 1080p | 4K | others, given: 1080p / 4K |\n|---|---|---|---|")
    for row in rows { Swift.print("| \(row.name) | \(row.hd) | \(row.uhd) | \(row.given) |") }
  }
}
