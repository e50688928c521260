import NIOHTTP1

/// The words of the login page in one language. The languages are those of the web page's `language.js`.
struct LoginWords: Sendable, Equatable {
  /// The tag of the language.
  let language: String
  let title: String
  let heading: String
  let token: String
  let hint: String
  let button: String
  let link: String
  let wrongToken: String
  private let tooManyAttempts: (before: String, after: String)

  /// Returns the words for a client that has to wait.
  func tooManyAttempts(wait seconds: Int) -> String { "\(tooManyAttempts.before) \(seconds) \(tooManyAttempts.after)" }

  static func == (one: Self, other: Self) -> Bool { one.language == other.language }

  static let english = LoginWords(
    language: "en", title: "Log in to Placard", heading: "Log in", token: "Token",
    hint: "Ask your administrator. The token is the content of the token file.", button: "Log in",
    link: "Go to the page if you are logged in already", wrongToken: "That is not the token.",
    tooManyAttempts: ("Too many attempts. Wait", "seconds."))

  static let german = LoginWords(
    language: "de", title: "Bei Placard anmelden", heading: "Anmelden", token: "Token",
    hint: "Fragen Sie Ihren Administrator. Das Token ist der Inhalt der Token-Datei.", button: "Anmelden",
    link: "Zur Seite, falls Sie schon angemeldet sind", wrongToken: "Das ist nicht das Token.",
    tooManyAttempts: ("Zu viele Versuche. Warten Sie", "Sekunden."))

  private static let all = [english, german]

  /// Returns the words in the language that a client prefers among those of the page (RFC 9110, section 12.5.4).
  ///
  /// - Parameter headers: The headers of the request, whose field `accept-language` has tags such as `de-AT;q=0.8`.
  /// - Returns: The words; English if none is preferred.
  static func preferred(_ headers: HTTPHeaders) -> LoginWords {
    let choices = headers[canonicalForm: "accept-language"].compactMap {
      choice -> (words: LoginWords, weight: Double)? in
      let parts = choice.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
      let code = parts.first?.prefix { $0 != "-" }
      guard let words = all.first(where: { $0.language == code ?? "" }) else { return nil }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      return weight > 0 ? (words, weight) : nil
    }
    // The first of several with the same weight.
    return choices.max { $0.weight < $1.weight }?.words ?? english
  }
}
