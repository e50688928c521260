import Glibc

/// The table, in Markdown, a row as soon as it is known. What the others need is quoted from where it was measured, not
/// measured here.
struct Table {
  init() { Table.print("| | 1080p | 4K | others, given: 1080p / 4K |\n|---|---|---|---|") }

  func add(_ name: String, _ hd: String, _ uhd: String, given: String = "") {
    Table.print("| \(name) | \(hd) | \(uhd) | \(given) |")
  }

  static func print(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { bytes in unsafe _ = write(STDOUT_FILENO, bytes.baseAddress, bytes.count) }
  }
}
