import Hyphenation

/// The hyphenation of words that are too long for a line.
extension Typesetter {
  /// The smallest number of letters of a word that is divided.
  private static let leastLetters = 6

  /// Sets a message with divided words, whose size as a whole would break words at any place.
  ///
  /// - Parameters:
  ///   - message: The text.
  ///   - rules: The box and the size limits.
  ///   - face: The font of the first run.
  /// - Returns: The fit without words that are broken at any place; nil if there is none.
  func divided(_ message: StyledText, by rules: FitRules, _ face: Face) -> (fitter: TextFitter, fit: TextFitter.Fit)? {
    guard let text = hyphenated(message) else { return nil }
    var shaper = shaper(text, face)
    let fitter = TextFitter(text: shape(&shaper, by: rules, face), rules: rules)
    return fitter.best().flatMap { $0.breaksWords ? nil : (fitter, $0) }
  }

  /// Returns a text with soft hyphens at the places where its words may be divided; nil if there are none.
  ///
  /// - Parameter text: The text. The style of each run determines the language of its words.
  /// - Returns: The text with soft hyphens.
  func hyphenated(_ text: StyledText) -> StyledText? {
    var result = text
    var isDivided = false
    for index in result.runs.indices {
      guard let language = result.runs[index].style.hyphenation else { continue }
      let divided = hyphenated(result.runs[index].text, language)
      isDivided = isDivided || divided != nil
      result.runs[index].text = divided ?? result.runs[index].text
    }
    return isDivided ? result : nil
  }

  private func hyphenated(_ text: String, _ language: String) -> String? {
    var result = String.UnicodeScalarView()
    var isDivided = false
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      let word = rest.prefix { $0.properties.isAlphabetic }
      guard !word.isEmpty else {
        result.append(first)
        rest = rest.dropFirst()
        continue
      }
      rest = rest[word.endIndex...]
      // A word that has soft hyphens is divided at them only.
      let isMarked = result.last?.value == 0xAD || rest.first?.value == 0xAD
      let places =
        word.count < Self.leastLetters || isMarked ? [] : hyphenator.places(in: String(word), language: language)
      for (index, scalar) in word.enumerated() {
        if places.contains(index) { result.append("\u{AD}") }
        result.append(scalar)
      }
      isDivided = isDivided || !places.isEmpty
    }
    return isDivided ? String(result) : nil
  }
}
