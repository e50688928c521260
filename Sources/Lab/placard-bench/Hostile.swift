import Geometry

/// Texts that are designed to be slow.
///
/// Each runs in its own process, so that peak memory can be measured.
enum Hostile {
  private static let pixels = Size(1920, 1080)

  /// A hostile text and its description.
  private struct Attack: Sendable {
    var name: String
    var what: String
    var text: @Sendable () -> String
  }

  private static let attacks = [
    Attack(name: "nothing", what: "no text, to compare with") { "" },
    Attack(name: "marks", what: "1 MB of combining marks on one letter") {
      "a" + String(repeating: "\u{0301}\u{0323}\u{20DD}\u{0489}", count: 111_112)
    },
    Attack(name: "marked", what: "1 MB of letters with 40 marks each") {
      String(repeating: "a" + String(repeating: "\u{0301}", count: 40), count: 12_346)
    },
    Attack(name: "lines", what: "100,000 lines") { String(repeating: "line\n", count: 100_000) },
    Attack(name: "empty", what: "1,000,000 line ends between two letters") {
      "a" + String(repeating: "\n", count: 1_000_000) + "b"
    },
    Attack(name: "word", what: "one word of 50,000 letters") { String(repeating: "abcdefghij", count: 5_000) },
    Attack(name: "arabic", what: "one word of 50,000 Arabic letters") {
      String(repeating: "\u{0628}\u{062D}\u{0633}\u{0639}\u{0644}", count: 10_000)
    },
    Attack(name: "spaces", what: "1,000,000 spaces and a letter") { String(repeating: " ", count: 1_000_000) + "a" },
    Attack(name: "invisible", what: "1 MB of zero width joiners and spaces") {
      String(repeating: "\u{200B}\u{200D}", count: 166_667)
    },
    Attack(name: "turns", what: "100,000 changes of direction") { String(repeating: "a\u{05D0}(", count: 33_334) },
    Attack(name: "nested", what: "100,000 embeddings of direction") {
      String(repeating: "\u{202B}\u{2067}\u{202D}a", count: 33_334)
    },
    Attack(name: "families", what: "20,000 emoji joined to one") {
      "\u{1F468}" + String(repeating: "\u{200D}\u{1F469}", count: 20_000)
    },
    Attack(name: "flags", what: "100,000 regional indicators") {
      String(repeating: "\u{1F1E9}\u{1F1EA}", count: 50_000)
    },
    Attack(name: "replaced", what: "1 MB of bytes that are not UTF-8") {
      String(decoding: [UInt8](repeating: 0xFF, count: 1_000_000), as: UTF8.self)
    },
    Attack(name: "all", what: "every Unicode scalar once") { everyScalar { _ in true } },
    Attack(name: "spaced", what: "every Unicode scalar once, each a word") {
      everyScalar(separator: " ") { _ in true }
    },
    Attack(name: "assigned", what: "every assigned letter, mark and symbol once") {
      everyScalar { $0.properties.generalCategory.isSeen }
    },
  ]

  /// Measures all hostile texts and prints a table.
  static func run() throws {
    print("\n### Hostile texts, \(pixels), each in a fresh process: set and painted, then set and painted once more\n")
    print("| text | bytes | first, ms | again, ms | peak memory, MB | |")
    print("|---|---|---|---|---|---|")
    for attack in attacks {
      let line = try output(of: attack.name)
      print(line)
    }
  }

  /// Measures one hostile text and prints its table row.
  static func single(_ name: String) throws {
    guard let attack = attacks.first(where: { $0.name == name }) else {
      throw BenchError("there is no hostile text \(name); there are \(attacks.map(\.name).joined(separator: ", "))")
    }
    let text = attack.text()
    let side = try PlacardRenderer(pixels)
    let first = try Stopwatch.time { _ = try side.redraw(text) } / 1000
    let again = try Stopwatch.time { _ = try side.redraw(text) } / 1000
    let cells = [
      attack.what, "\(text.utf8.count)", TextTable.text(first), TextTable.text(again),
      TextTable.text(Double(Process.peakMemory()) / 1000),
      side.warnings.map { "\($0.prefix(100))" }.joined(separator: "; "),
    ]
    print("| " + cells.joined(separator: " | ") + " |")
  }

  private static func output(of name: String) throws -> String {
    try Process(["/proc/self/exe", "hostile", name]).line()
  }

  private static func everyScalar(separator: String = "", where isWanted: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), isWanted(scalar) else { continue }
      text.unicodeScalars.append(scalar)
      text += separator
    }
    return text
  }
}

extension Unicode.GeneralCategory {
  /// Whether characters of this category are visible, so that a font may contain them.
  fileprivate var isSeen: Bool {
    switch self {
    case .unassigned, .privateUse, .surrogate, .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
