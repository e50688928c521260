import Control
import FoundationEssentials
import JSON
import Testing

/// The words of the page in its languages.
struct LanguageTests {
  private static let sources = ControlPageTests.sources

  /// The German words by the English ones.
  private static let german: [String: String] = {
    let text = sources["german.js"] ?? ""
    var table: [String: String] = [:]
    for match in text.matches(of: /(?m)^  ("(?:[^"\\]|\\.)*"): ("(?:[^"\\]|\\.)*"),$/) {
      guard let english = string(match.1), let words = string(match.2) else { continue }
      table[english] = words
    }
    return table
  }()

  private static func string(_ literal: Substring) -> String? { (try? JSONValue(parsing: literal.utf8))?.text }

  /// The texts in calls of `t`, by the names of the modules.
  private static let called: [String: Set<String>] = sources.filter { $0.key.hasSuffix(".js") }.mapValues { text in
    Set(text.matches(of: /\bt\(("(?:[^"\\]|\\.)*")/).compactMap { string($0.1) })
  }

  /// The texts of index.html, without the names of languages.
  private static let written: Set<String> = {
    let page = (sources["index.html"] ?? "").replacing(/<option [^>]*lang="[^<]*<\/option>/, with: "")
    let texts = page.matches(of: />([^<]+)</).map { unescaped($0.1) }
    let attributes = page.matches(of: /\s(?:aria-label|placeholder|alt|title)="([^"]+)"/).map {
      unescaped($0.1, keepsLines: true)
    }
    let about = page.matches(of: /<meta name="description" content="([^"]+)"/).map { String($0.1) }
    return Set(texts + attributes + about).subtracting([""])
  }()

  private static func unescaped(_ text: Substring, keepsLines: Bool = false) -> String {
    let plain = text.replacing("&#10;", with: "\n").replacing("&amp;", with: "&")
    if keepsLines { return String(plain) }
    return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The names and descriptions of the fields and kinds in the schema of scenes, as the page shows them.
  private static let described: Set<String> = {
    let path = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/scripts/scene.schema.json"
    guard let data = FileManager.default.contents(atPath: path), let schema = try? JSONValue(parsing: Array(data))
    else {
      return []
    }
    var texts: Set<String> = []
    collect(schema, into: &texts)
    for kind in list(schema["$defs"]?["scene"]?["oneOf"]) {
      guard let name = kind["$ref"]?.text?.split(separator: "/").last.map(String.init),
        let description = schema["$defs"]?[name]?["description"]?.text
      else { continue }
      texts.remove(capital(description))
      texts.formUnion(["Shows \(description).", name == "qr" ? "QR code" : label(name)])
    }
    return texts
  }()

  private static func collect(_ value: JSONValue, into texts: inout Set<String>) {
    switch value {
    case .object(let members):
      if let text = members["description"]?.text { texts.insert(capital(text)) }
      if case .object(let properties)? = members["properties"] {
        texts.formUnion(properties.keys.map { label(String($0.split(separator: ".").last ?? "")) })
      }
      for choice in list(members["enum"]) {
        if let word = choice.text { texts.insert(label(word)) }
        if case .number(let number) = choice { texts.insert(number) }
      }
      for member in members.values { collect(member, into: &texts) }
    case .array(let values): for value in values { collect(value, into: &texts) }
    default: break
    }
  }

  private static func list(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let values)? = value { values } else { [] }
  }

  private static func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
  private static func label(_ name: String) -> String { capital(name.replacing("_", with: " ")) }

  /// The words for the elements of lists, from which texts are built.
  private static let elements: Set<String> = {
    let lists = sources["scene-lists.js"] ?? ""
    let table = lists.firstMatch(of: /singular = \{(.*)\}/)?.1 ?? ""
    let words: Set<String> = Set(table.matches(of: /"([a-z]+)"/).map { String($0.1) }).union(["element"])
    let titles: [String] = words.map(capital)
    return Set(words.map { "Add \("aeiou".contains($0.prefix(1)) ? "an" : "a") \($0)" } + titles)
  }()

  private static var used: Set<String> {
    called.values.reduce(into: written.union(described).union(elements)) { $0.formUnion($1) }
  }

  @Test func `each text of the page has German words, and no other text has`() {
    #expect(Self.written.count > 150 && Self.described.count > 150 && Self.used.count > 600)
    #expect(Self.used.subtracting(Self.german.keys).sorted() == [], "without German words")
    #expect(Set(Self.german.keys).subtracting(Self.used).sorted() == [], "not used any more")
  }

  @Test func `German words have the values of the English ones`() {
    func values(_ text: String) -> [String] { text.matches(of: /\{\w+\}/).map { String($0.0) }.sorted() }
    for (english, german) in Self.german {
      #expect(values(german) == values(english), "\(english)")
      #expect(!german.isEmpty && german.hasPrefix(" ") == english.hasPrefix(" "), "\(english)")
    }
  }

  /// A text that does not go through `t` would stay English.
  @Test func `modules have no other texts for people`() {
    let properties = /(?:text|label|"aria-label"|title|alt|placeholder|group): (?:"|`)([^"`\n]*[A-Za-z]{3}[^"`\n]*)/
    let calls = /(?:announce|tell|notice|Error)\((?:"|`)([^"`\n]*[a-z]{3} [^"`\n]*)/
    for (name, source) in Self.sources where name.hasSuffix(".js") && name != "german.js" && name != "scene-samples.js"
    {
      let found = source.matches(of: properties).map { $0.1 } + source.matches(of: calls).map { $0.1 }
      // Values, examples of input, and the names of files are not words.
      let words = found.filter { !$0.contains("${") && !$0.contains("/home/") && !$0.contains("|") }
      #expect(words.map(String.init) == [], "\(name)")
    }
  }
}
