import Control

/// A method of drawing images in a terminal.
enum DrawingMethod: String, Hashable, Sendable, CaseIterable {
  /// Kitty's graphics protocol: kitty, Ghostty, WezTerm, Konsole.
  case kitty
  /// Sixels: xterm, foot, mlterm, and tmux since 3.4.
  case sixel
  /// Half blocks in colors: nearly every terminal.
  case blocks
  /// Characters without colors.
  case ascii

  /// Returns the best method that the color depth and the terminal's answers allow.
  static func best(_ answers: TerminalAnswers, _ depth: ColorDepth) -> DrawingMethod {
    if depth == .none { return .ascii }
    if answers.hasKitty { return .kitty }
    return answers.hasSixel ? .sixel : .blocks
  }
}

extension ColorDepth {
  /// Returns the color depth according to the variables `NO_COLOR`, `TERM` and `COLORTERM`.
  static func of(_ console: any Console) -> ColorDepth {
    guard (console.environment("NO_COLOR") ?? "").isEmpty else { return .none }
    let term = console.environment("TERM") ?? ""
    if ["", "dumb"].contains(term) || term.hasPrefix("vt") { return .none }
    let isFull = ["truecolor", "24bit"].contains(console.environment("COLORTERM") ?? "") || term.hasSuffix("-direct")
    return isFull || term == "xterm-kitty" || term == "xterm-ghostty" ? .full : .indexed
  }
}

/// Queries that a terminal answers without printing garbage.
enum TerminalQueries {
  /// Returns the queries for a terminal.
  ///
  /// Every terminal of the DEC family answers DA1, and includes 4 if it supports sixels. DA1 comes last, so that its
  /// answer means that no other answer will follow. Kitty's query is only for terminals that ignore unknown sequences:
  /// the console of old kernels and screen print it.
  ///
  /// - Parameter term: The value of `TERM`.
  /// - Returns: The sequences; empty for a terminal that should not be queried.
  static func text(term: String) -> [UInt8] {
    guard !["", "dumb", "emacs", "eterm-color", "cons25"].contains(term) else { return [] }
    let isPlain = ["linux", "vt", "ansi", "screen", "tmux", "fbterm"].contains { term.hasPrefix($0) }
    return (isPlain ? [] : KittyEncoder.question) + cellSize + Array("\u{1b}[c".utf8)
  }

  /// XTWINOPS 16: the query for the size of a cell in pixels.
  private static let cellSize = Array("\u{1b}[16t".utf8)
}

/// The answers of a terminal to the queries.
struct TerminalAnswers: Hashable, Sendable {
  /// Whether the terminal supports kitty's graphics protocol.
  private(set) var hasKitty = false
  /// Whether the terminal supports sixels.
  private(set) var hasSixel = false
  /// The width and height of a cell in pixels; nil if the terminal did not report them.
  private(set) var cell: (width: Int, height: Int)? {
    get { cellWidth > 0 && cellHeight > 0 ? (cellWidth, cellHeight) : nil }
    set { (cellWidth, cellHeight) = (newValue?.width ?? 0, newValue?.height ?? 0) }
  }
  /// Whether all answers have arrived, or waiting for them has ended.
  private(set) var isComplete = false

  private var cellWidth = 0
  private var cellHeight = 0
  private var pending: [UInt8] = []

  /// Extracts answers from the terminal's input, and returns the keys between them.
  mutating func receive(_ bytes: [UInt8]) -> [UInt8] {
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
    // No answer is this long, so the sequence has no end.
    if pending.count > 256 { pending = [] }
    return keys
  }

  /// Stops waiting for answers.
  mutating func giveUp() { isComplete = true }

  /// Returns the length of the control sequence at the start (ECMA-48), or nil if it is incomplete.
  private static func length(of bytes: [UInt8]) -> Int? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["):
      return bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
    case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"):
      // The sequence ends with ST: ESC and a backslash.
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
