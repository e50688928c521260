import Calendars

extension Scene {
  /// The name of the scene's kind, as in the field `kind` of its document.
  package var kind: String {
    switch content {
    case .banner: "banner"
    case .markdown: "markdown"
    case .ticker: "ticker"
    case .card: "card"
    case .board: "board"
    case .table: "table"
    case .now: "now"
    case .image: "image"
    case .clock: "clock"
    case .countdown: "countdown"
    case .qr: "qr"
    case .blank: "blank"
    case .pattern: "pattern"
    case .mirror: "mirror"
    case .entry: "entry"
    case .playlist: "playlist"
    case .schedule: "schedule"
    case .calendar: "calendar"
    case .zones: "zones"
    case .start: "start"
    case .controller: "controller"
    case .identify: "identify"
    }
  }

  /// A one-line summary of at most 80 characters.
  package var summary: String {
    switch content {
    case .banner(let text): Self.line(text)
    case .markdown(let markdown): Self.line(Self.firstLine(markdown.text))
    case .ticker(let ticker): Self.line(ticker.text)
    case .card(let card): Self.line(card.title, card.content, card.footer)
    case .board(let board): Self.line(board.title, board.counts)
    case .table(let table):
      Self.line(table.title, table.value, count(of: table.rows.count, "row"))
    case .now(let now): Self.line([now.title, now.subtitle].compactMap(\.self).joined(separator: " - "))
    case .image(let image): Self.line(image.path)
    case .clock(let clock): Self.line(clock.caption, clock.zone, "the time of day")
    case .countdown(let countdown): Self.line(countdown.title, "until \(countdown.moment)")
    case .qr(let code): Self.line(code.caption, code.text)
    case .blank: "the plain background"
    case .pattern(let pattern): pattern.rawValue
    case .mirror(let display): Self.line(display)
    case .entry(let name): Self.line(name)
    case .playlist(let playlist): count(of: playlist.items.count, "item")
    case .schedule(let schedule): count(of: schedule.rules.count, "rule")
    case .calendar(let calendar): count(of: calendar.events.count, "event")
    case .zones(let zones): zones.main.summary
    case .start: "first screen"
    case .controller: "controller screen"
    case .identify: "identify screen"
    }
  }

  private func count(of number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

  /// Returns the first text that contains a word, as one line.
  private static func line(_ texts: String?...) -> String {
    texts.lazy.compactMap(\.self).map(words).first { !$0.isEmpty } ?? "nothing"
  }

  /// Returns the first line that contains a word, usually the heading.
  private static func firstLine(_ text: String) -> String? {
    text.prefix(4000).split(whereSeparator: \.isNewline).lazy.map(String.init).first { words($0) != "" }
  }

  /// Returns the beginning of a text as one line, without Markdown's heading and list markers and without control
  /// characters.
  private static func words(_ text: String) -> String {
    if isLine(text) { return text }
    // The control characters are U+0000 to U+001F and U+007F to U+009F.
    let scalars = text.unicodeScalars.prefix(1000).map {
      (0x20..<0x7F).contains($0.value) || $0.value > 0x9F ? $0 : " "
    }
    let words = String(String.UnicodeScalarView(scalars)).split(separator: " ")
    let line = words.drop { ["#", "##", "###", "####", "-", "*", ">"].contains($0) }.joined(separator: " ")
    return line.count <= 80 ? line : line.prefix(77) + "..."
  }

  /// Whether a text is a short ASCII line with single spaces and without a marker, which `words(_:)` does not change.
  private static func isLine(_ text: String) -> Bool {
    guard text.utf8.count <= 80, let first = text.utf8.first, !"#-*>".utf8.contains(first) else { return false }
    var last = UInt8(ascii: " ")
    for byte in text.utf8 {
      guard (0x20...0x7E).contains(byte), byte != UInt8(ascii: " ") || last != byte else { return false }
      last = byte
    }
    return last != UInt8(ascii: " ")
  }
}

extension Board {
  /// The size of the board, such as `3 columns, 12 cards`.
  fileprivate var counts: String {
    let cards = columns.reduce(0) { $0 + $1.cards.count }
    return "\(columns.count) column\(columns.count == 1 ? "" : "s"), \(cards) card\(cards == 1 ? "" : "s")"
  }
}
