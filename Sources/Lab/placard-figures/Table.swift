import Glibc

/// The Markdown table, printed row by row as results arrive.
///
/// The figures for other programs are quoted from their original measurements.
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
