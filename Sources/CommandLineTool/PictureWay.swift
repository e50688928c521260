import Control

/// A way to draw pictures in a terminal.
enum PictureWay: String, Hashable, Sendable, CaseIterable {
  /// Kitty's graphics protocol: kitty, Ghostty, WezTerm, Konsole.
  case kitty
  /// Sixels: xterm, foot, mlterm, tmux from 3.4 on.
  case sixel
  /// Half blocks in colours: nearly every terminal.
  case blocks
  /// Letters without colours.
  case ascii

  /// The best way that the environment and the terminal's answers speak for.
  static func best(_ answers: TerminalAnswers, _ depth: ColourDepth) -> PictureWay {
    if depth == .none { return .ascii }
    if answers.hasKitty { return .kitty }
    return answers.hasSixel ? .sixel : .blocks
  }
}

extension ColourDepth {
  /// The colours that the environment tells of, by what terminals and shells agree on.
  static func of(_ console: any Console) -> ColourDepth {
    guard (console.environment("NO_COLOR") ?? "").isEmpty else { return .none }
    let term = console.environment("TERM") ?? ""
    if ["", "dumb"].contains(term) || term.hasPrefix("vt") { return .none }
    let isFull = ["truecolor", "24bit"].contains(console.environment("COLORTERM") ?? "") || term.hasSuffix("-direct")
    return isFull || term == "xterm-kitty" || term == "xterm-ghostty" ? .full : .indexed
  }
}

/// What may be asked of a terminal without garbage on it.
enum TerminalQuestions {
  /// The question for this terminal; empty where it should be asked nothing.
  ///
  /// Every terminal of DEC's family answers what it is (DA1), and says 4 if it has sixels; it comes last, so that its
  /// answer tells that no other is to come. Kitty's question is for terminals that swallow what they do not know:
  /// the console of old kernels and screen print it.
  static func text(term: String) -> [UInt8] {
    guard !["", "dumb", "emacs", "eterm-color", "cons25"].contains(term) else { return [] }
    let isPlain = ["linux", "vt", "ansi", "screen", "tmux", "fbterm"].contains { term.hasPrefix($0) }
    return (isPlain ? [] : KittyEncoder.question) + cellSize + Array("\u{1b}[c".utf8)
  }

  /// XTWINOPS 16: the size of a cell in pixels.
  private static let cellSize = Array("\u{1b}[16t".utf8)
}

/// What a terminal said of itself.
struct TerminalAnswers: Hashable, Sendable {
  /// Whether it knows kitty's graphics protocol.
  private(set) var hasKitty = false
  /// Whether it draws sixels.
  private(set) var hasSixel = false
  /// Pixels of a cell, across and down; nil where it did not say.
  private(set) var cell: (width: Int, height: Int)? {
    get { cellWidth > 0 && cellHeight > 0 ? (cellWidth, cellHeight) : nil }
    set { (cellWidth, cellHeight) = (newValue?.width ?? 0, newValue?.height ?? 0) }
  }
  /// Whether it has said all that it was asked.
  private(set) var isComplete = false

  private var cellWidth = 0
  private var cellHeight = 0
  private var pending: [UInt8] = []

  /// Takes answers out of what comes from the terminal, and returns the keys that came between them.
  mutating func take(_ bytes: [UInt8]) -> [UInt8] {
    var keys: [UInt8] = []
    pending += bytes
    while let first = pending.first {
      guard first == 0x1B else {
        keys.append(pending.removeFirst())
        continue
      }
      guard let length = Self.length(of: pending) else { break }
      read(pending.prefix(length))
      pending.removeFirst(length)
    }
    // An answer has an end; whatever this is has none.
    if pending.count > 256 { pending = [] }
    return keys
  }

  /// Stops waiting.
  mutating func giveUp() { isComplete = true }

  /// How long the sequence is that the bytes begin with (ECMA-48); nil where its end is not there yet.
  private static func length(of bytes: [UInt8]) -> Int? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["):
      return bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
    case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"):
      // Up to ST: ESC and a backslash.
      return bytes.indices.dropFirst(3).first { bytes[$0] == UInt8(ascii: "\\") && bytes[$0 - 1] == 0x1B }.map {
        $0 + 1
      }
    default: return 2
    }
  }

  private mutating func read(_ sequence: ArraySlice<UInt8>) {
    let text = String(decoding: sequence.dropFirst(), as: UTF8.self)
    if text.hasPrefix("_Gi=31") { hasKitty = hasKitty || text.includes(";OK") }
    if text.hasPrefix("[?"), text.hasSuffix("c") {
      hasSixel = text.dropFirst(2).dropLast().split(separator: ";").contains("4")
      isComplete = true
    }
    let numbers = text.dropFirst().dropLast().split(separator: ";").compactMap { Int($0) }
    if text.hasPrefix("[6;"), text.hasSuffix("t"), numbers.count == 3, numbers.allSatisfy({ (1...512).contains($0) }) {
      cell = (numbers[2], numbers[1])
    }
  }
}
