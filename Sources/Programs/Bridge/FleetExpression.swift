/// A choice of boxes, such as `tag:lobby and not site:berlin`.
package indirect enum FleetExpression: Hashable, Sendable {
  /// Every box.
  case all
  /// The boxes that have a value, such as the tag `lobby`. A `*` at the end of the value stands for any text.
  case has(Key, String)
  /// The boxes that are not chosen by another expression.
  case not(FleetExpression)
  /// The boxes that both expressions choose.
  case and(FleetExpression, FleetExpression)
  /// The boxes that one of the expressions chooses.
  case or(FleetExpression, FleetExpression)

  /// A property of a box.
  package enum Key: String, Hashable, Sendable, CaseIterable {
    /// The name of a group to which the box belongs.
    case tag
    /// The site.
    case site
    /// The name of the box.
    case node
    /// `ok`, `degraded`, `starting`, `unreachable` or `offline`.
    case state
    /// The identity or the name of a connected monitor.
    case monitor
    /// The version of Placard.
    case version
  }

  /// A mistake in an expression.
  package struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that names the place and the words that are possible there.
    package var description: String
  }

  /// Parses an expression.
  ///
  /// - Parameter text: Terms such as `site:berlin`, joined by `and`, `or` and `not`, with parentheses. `and` binds more
  ///   closely than `or`. An empty text chooses every box.
  /// - Throws: `Mistake` for any other text.
  package init(parsing text: String) throws(Mistake) {
    var parser = Parser(text)
    self = try parser.parse()
  }

  /// Returns whether the expression chooses a box.
  package func matches(_ box: FleetBox) -> Bool {
    switch self {
    case .all: true
    case .has(let key, let value): box.values(of: key).contains { Self.matches($0, value) }
    case .not(let inner): !inner.matches(box)
    case .and(let first, let second): first.matches(box) && second.matches(box)
    case .or(let first, let second): first.matches(box) || second.matches(box)
    }
  }

  private static func matches(_ text: String, _ pattern: String) -> Bool {
    pattern.hasSuffix("*") ? text.hasPrefix(pattern.dropLast()) : text == pattern
  }

  private struct Parser {
    private let words: [String]
    private var place = 0

    init(_ text: String) {
      var words: [String] = []
      var word = ""
      var isQuoted = false
      for character in text {
        if character == "\"" {
          isQuoted.toggle()
        } else if !isQuoted, character.isWhitespace || character == "(" || character == ")" {
          if !word.isEmpty { words.append(word) }
          word = ""
          if !character.isWhitespace { words.append(String(character)) }
        } else {
          word.append(character)
        }
      }
      if !word.isEmpty { words.append(word) }
      self.words = words
    }

    private var next: String? { place < words.count ? words[place] : nil }

    mutating func parse() throws(Mistake) -> FleetExpression {
      guard !words.isEmpty else { return .all }
      guard words.count <= 1000 else { throw mistake("the expression has more than 1000 words") }
      let expression = try parseOr()
      if let next { throw mistake("\"\(next)\" is not expected here: write `and` or `or` between terms") }
      return expression
    }

    private mutating func parseOr() throws(Mistake) -> FleetExpression {
      var expression = try parseAnd()
      while next == "or" {
        place += 1
        expression = .or(expression, try parseAnd())
      }
      return expression
    }

    private mutating func parseAnd() throws(Mistake) -> FleetExpression {
      var expression = try parseFactor(0)
      while next == "and" {
        place += 1
        expression = .and(expression, try parseFactor(0))
      }
      return expression
    }

    private mutating func parseFactor(_ depth: Int) throws(Mistake) -> FleetExpression {
      guard depth < 100 else { throw mistake("the expression is nested too deeply") }
      guard let word = next else { throw mistake("the expression ends where a term is expected, such as tag:lobby") }
      place += 1
      switch word {
      case "not": return .not(try parseFactor(depth + 1))
      case "all": return .all
      case "(":
        let expression = try parseOr()
        guard next == ")" else { throw mistake("a closing parenthesis is missing") }
        place += 1
        return expression
      default: return try term(word)
      }
    }

    private func term(_ word: String) throws(Mistake) -> FleetExpression {
      let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2, let key = Key(rawValue: parts[0]) else {
        let keys = Key.allCases.map { "\($0.rawValue):" }.joined(separator: ", ")
        throw mistake("\"\(word)\" is not a term: write one of \(keys) and a value, as in tag:lobby")
      }
      return .has(key, parts[1])
    }

    private func mistake(_ text: String) -> Mistake { Mistake(description: text) }
  }
}
