import Calendars
import JSON
import Locales

/// The replacement of references to live values by their words.
struct ValueWords {
  private let context: ViewContext
  private let words: Wording
  /// The names of the values that were referred to.
  private(set) var names: Set<String> = []
  /// The time from which the words are others, in milliseconds since 1970; nil for never.
  private(set) var nextChange: Int64?
  /// Sentences about values that do not exist or are too old.
  private(set) var warnings: [String] = []
  /// Whether the words show that a value does not exist or is too old.
  private(set) var isOutdated = false

  /// The words for a value that does not exist.
  private static let missing = "–"

  init(_ context: ViewContext, _ words: Wording) {
    self.context = context
    self.words = words
  }

  /// Returns a text with words instead of references.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isMarkdown: Whether the text is Markdown, in which the words must not be markup.
  /// - Returns: The text. A text with mistakes, which only an earlier version can have stored, is unchanged.
  mutating func filled(_ text: String, isMarkdown: Bool = false) -> String {
    guard TextTemplate.mayHaveReferences(text), let template = try? TextTemplate(text) else { return text }
    var filled = ""
    for part in template.parts {
      switch part {
      case .text(let text): filled += text
      case .value(let reference):
        let words = words(for: reference)
        filled += isMarkdown ? Self.escaped(words) : words
      }
    }
    return filled
  }

  /// Returns an optional text with words instead of references.
  mutating func filled(_ text: String?) -> String? { text.map { filled($0) } }

  private mutating func words(for reference: TextTemplate.Reference) -> String {
    names.insert(reference.name)
    guard let value = current(reference.name) else {
      if let otherwise = reference.otherwise { return otherwise }
      isOutdated = true
      warn("there is no value \(reference.name); `placard set \(reference.name) VALUE` sets it")
      return Self.missing
    }
    guard value.isOld(at: context.now) else { return form(value, reference.form) }
    if let otherwise = reference.otherwise { return otherwise }
    isOutdated = true
    warn("the value \(value.name) is too old")
    return reference.form == .updated
      ? form(value, .updated) : form(value, reference.form) + " (\(form(value, .updated)))"
  }

  /// Returns the value with a name, and notes when it will be too old.
  private mutating func current(_ name: String) -> LiveValue? {
    guard let value = context.values[name] else { return nil }
    if let end = value.end, end > context.now { change(at: end) }
    return value
  }

  private func text(of value: LiveValue) -> String {
    switch value.content {
    case .number(let decimal): words.number(decimal, unit: value.unit)
    case .text(let text): text
    case .rows(let rows):
      rows.map { $0.map { plainText(of: $0) }.joined(separator: "\u{2003}") }.joined(separator: "\n")
    }
  }

  private func plainText(of cell: DataTable.Cell) -> String {
    switch cell {
    case .text(let text): text
    case .number(let decimal): words.number(decimal)
    }
  }

  /// Returns the text of a cell of a scene, which can have references to live values.
  mutating func filled(_ cell: DataTable.Cell) -> String {
    if case .text(let text) = cell { filled(text) } else { plainText(of: cell) }
  }

  /// Returns the texts of the rows of a live value, and a remark with its time if it is too old; nil if it does not exist.
  mutating func rows(of name: String) -> ([[DataTable.Cell]], String?)? {
    names.insert(name)
    guard let value = current(name) else {
      isOutdated = true
      warn("there is no value \(name); `placard set \(name) --csv FILE` sets it")
      return nil
    }
    let rows: [[DataTable.Cell]] =
      switch value.content {
      case .rows(let rows): rows
      case .number(let decimal): [[.number(decimal)]]
      case .text(let text): [[.text(text)]]
      }
    let texts = rows.map { row in row.map { DataTable.Cell.text(plainText(of: $0)) } }
    guard value.isOld(at: context.now) else { return (texts, nil) }
    isOutdated = true
    warn("the value \(name) is too old")
    return (texts, updated(value))
  }

  private mutating func form(_ value: LiveValue, _ form: TextTemplate.Reference.Form) -> String {
    switch (form, value.content) {
    case (.digits(let count), .number(let decimal)): return words.number(decimal, digits: count, unit: value.unit)
    case (.percent, .number(let decimal)): return words.number(decimal, isShare: true)
    case (.time, _):
      return moment(of: value).map {
        words.clock(context.zones[nil].zone.civil(atSeconds: $0), .hours24, seconds: false)
      }
        ?? text(of: value)
    case (.date, _):
      return moment(of: value).map { words.date(context.zones[nil].zone.civil(atSeconds: $0)) } ?? text(of: value)
    case (.updated, _): return updated(value)
    case (.plain, _), (.digits, _), (.percent, _): return text(of: value)
    }
  }

  /// Returns when a value was set: the time, and the date unless it is today.
  private mutating func updated(_ value: LiveValue) -> String {
    let zone = context.zones[nil].zone
    let (then, now) = (ViewContext.bounded(value.updated) / 1000, ViewContext.bounded(context.now) / 1000)
    let (set, today) = (zone.civil(atSeconds: then), zone.civil(atSeconds: now))
    let clock = words.clock(set, .hours24, seconds: false)
    guard set.date != today.date else {
      change(at: zone.nextDay(after: now) * 1000)
      return clock
    }
    return words.date(set) + " " + clock
  }

  /// Returns the moment that a value contains, as Unix time; nil if it contains none.
  private func moment(of value: LiveValue) -> Int64? {
    switch value.content {
    case .number(let decimal): return Double(decimal).flatMap { Int64(exactly: $0.rounded(.down)) }
    case .text(let text): return (try? DateTime(text)).map { context.zones[nil].zone.seconds(of: $0) }
    case .rows: return nil
    }
  }

  private mutating func change(at time: Int64) { nextChange = min(nextChange ?? time, time) }

  private mutating func warn(_ sentence: String) {
    if !warnings.contains(sentence), warnings.count < 8 { warnings.append(sentence) }
  }

  /// Returns words as a text of Markdown without markup, in one line.
  private static func escaped(_ words: String) -> String {
    var escaped = ""
    let characters = Array(words)
    for (place, character) in characters.enumerated() {
      if character.isNewline {
        escaped += " "
        continue
      }
      // Signs and points inside numbers need no backslash, which would look odd in code.
      let isInNumber =
        ".,:-+/%".contains(character) && place + 1 < characters.count && characters[place + 1].isNumber
      let isMark = character.isASCII && (character.isPunctuation || character.isSymbol)
      escaped += isMark && !isInNumber ? "\\" + String(character) : String(character)
    }
    return escaped
  }
}

extension Scene.Content {
  /// Whether the content can refer to live values. Most content does not, and is shown as it is.
  var mayRefer: Bool {
    let may = TextTemplate.mayHaveReferences
    switch self {
    case .banner(let text): return may(text)
    case .markdown(let text): return may(text.text)
    case .ticker(let ticker): return may(ticker.text)
    case .card(let card): return card.mayRefer
    case .board(let board):
      return board.title.map(may) ?? false
        || board.columns.contains { $0.title.map(may) ?? false || $0.cards.contains(where: \.mayRefer) }
    case .now(let now): return [now.title, now.subtitle, now.detail].contains { $0.map(may) ?? false }
    case .clock(let clock): return clock.caption.map(may) ?? false
    case .countdown(let countdown): return countdown.title.map(may) ?? false
    case .qr(let code): return may(code.text) || code.caption.map(may) ?? false
    // The numbers in its cells have words as well.
    case .table: return true
    case .image, .blank, .pattern, .mirror, .entry, .playlist, .schedule, .calendar, .zones, .start, .controller,
      .identify:
      return false
    }
  }

  /// Returns the content with words instead of references to live values.
  func filled(_ words: inout ValueWords) -> Scene.Content {
    switch self {
    case .banner(let text): return .banner(words.filled(text))
    case .markdown(var text):
      text.text = words.filled(text.text, isMarkdown: true)
      return .markdown(text)
    case .ticker(var ticker):
      ticker.text = words.filled(ticker.text)
      return .ticker(ticker)
    case .card(let card): return .card(card.filled(&words))
    case .board(var board):
      board.title = words.filled(board.title)
      for column in board.columns.indices {
        board.columns[column].title = words.filled(board.columns[column].title)
        board.columns[column].cards = board.columns[column].cards.map { $0.filled(&words) }
      }
      return .board(board)
    case .table(let table): return .table(table.filled(&words))
    case .now(var now):
      now.title = words.filled(now.title)
      now.subtitle = words.filled(now.subtitle)
      now.detail = words.filled(now.detail)
      return .now(now)
    case .clock(var clock):
      clock.caption = words.filled(clock.caption)
      return .clock(clock)
    case .countdown(var countdown):
      countdown.title = words.filled(countdown.title)
      return .countdown(countdown)
    case .qr(var code):
      code.text = words.filled(code.text)
      code.caption = words.filled(code.caption)
      return .qr(code)
    case .image, .blank, .pattern, .mirror, .entry, .playlist, .schedule, .calendar, .zones, .start, .controller,
      .identify:
      return self
    }
  }
}

extension Card {
  /// Whether the card can refer to live values.
  fileprivate var mayRefer: Bool {
    [title, content, footer].contains { $0.map(TextTemplate.mayHaveReferences) ?? false }
  }

  /// Returns the card with words instead of references to live values.
  fileprivate func filled(_ words: inout ValueWords) -> Card {
    var card = self
    card.title = words.filled(title)
    card.content = words.filled(content)
    card.footer = words.filled(footer)
    return card
  }
}
