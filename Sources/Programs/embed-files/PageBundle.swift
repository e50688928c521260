/// A bundler that joins the modules and the style sheets of a page, so that a browser needs one file of each kind.
///
/// The module `app.js` is replaced with the whole program, and `page.css` contains all style sheets in the order of
/// their links in `index.html`. Sources without an `index.html` are unchanged.
enum PageBundle {
  /// An error that prevents a bundle.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// The module that the page loads.
  static let program = "app.js"
  /// The style sheet into which all others are joined.
  static let style = "page.css"
  private static let page = "index.html"

  /// Joins the files of a page.
  ///
  /// - Parameter files: The texts of all files, keyed by name.
  /// - Throws: `Refusal` for an import of a missing file, a cycle of imports, or an unsupported form of import or
  ///   export.
  /// - Returns: The texts of the page's files, keyed by name.
  static func joined(_ files: [String: String]) throws(Refusal) -> [String: String] {
    guard let document = files[page] else { return files }
    var result = files.filter { !$0.key.hasSuffix(".js") && !$0.key.hasSuffix(".css") }
    let (html, sheets) = linked(document)
    result[page] = html
    result[style] = try sheets.map { sheet throws(Refusal) in
      guard let text = files[sheet] else { throw Refusal(description: "\(page) links to \(sheet), which is missing") }
      return text
    }.joined(separator: "\n")
    var modules: [Module] = []
    try add(program, of: files, after: [], to: &modules)
    result[program] = modules.map(\.wrapped).joined(separator: "\n") + "\n"
    return result
  }

  /// Returns the page with all style sheet links replaced with one, and the names of the linked style sheets.
  private static func linked(_ document: String) -> (html: String, sheets: [String]) {
    let (start, end) = ("<link rel=\"stylesheet\" href=\"/page/", "\">")
    var lines: [String] = []
    var sheets: [String] = []
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix(start), text.hasSuffix(end) else {
        lines.append(String(line))
        continue
      }
      if sheets.isEmpty { lines.append("  " + start + style + end) }
      sheets.append(String(text.dropFirst(start.count).dropLast(end.count)))
    }
    return (lines.joined(separator: "\n"), sheets)
  }

  /// Adds a module after the modules that it imports.
  private static func add(
    _ name: String, of files: [String: String], after path: [String], to modules: inout [Module]
  ) throws(Refusal) {
    if modules.contains(where: { $0.name == name }) { return }
    let path = path + [name]
    guard !path.dropLast().contains(name) else {
      throw Refusal(description: "modules import each other: \(path.joined(separator: ", "))")
    }
    guard let text = files[name] else { throw Refusal(description: "\(path.joined(separator: ", ")): no such file") }
    let module = try Module(name: name, text: text)
    for other in module.imports { try add(other, of: files, after: path, to: &modules) }
    modules.append(module)
  }
}

/// A JavaScript module, parsed line by line: `import { a, b } from "./c.js";` and `export` before a declaration.
private struct Module {
  let name: String
  /// The names of the imported modules, in order.
  private(set) var imports: [String] = []
  private var exports: [String] = []
  private var lines: [String] = []

  init(name: String, text: String) throws(PageBundle.Refusal) {
    self.name = name
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.split { " {(=:;".contains($0) }
      switch words.first {
      case "import" where line.hasPrefix("import"): lines.append(try imported(line))
      case "export" where line.hasPrefix("export"): lines.append(try exported(line, words.dropFirst()))
      default: lines.append(String(line))
      }
    }
  }

  /// The module as a constant: its exports, returned by a function that hides its other names.
  var wrapped: String {
    let body = lines.joined(separator: "\n")
    return "const \(Self.constant(name)) = (() => {\n\(body)\nreturn { \(exports.joined(separator: ", ")) };\n})();"
  }

  /// Returns the constant's name: `$board_keys` for `board-keys.js`.
  private static func constant(_ name: String) -> String {
    "$" + name.dropLast(".js".count).map { $0 == "-" ? "_" : String($0) }.joined()
  }

  private mutating func imported(_ line: Substring) throws(PageBundle.Refusal) -> String {
    let (middle, end) = (" from \"./", "\";")
    let names = line.dropFirst("import ".count).prefix { $0 != "}" } + "}"
    let rest = line.dropFirst("import ".count + names.count)
    guard names.hasPrefix("{"), !names.contains(" as "), rest.hasPrefix(middle), rest.hasSuffix(end) else {
      throw PageBundle.Refusal(description: "\(name): write `import { a, b } from \"./c.js\";`, not: \(line)")
    }
    let other = String(rest.dropFirst(middle.count).dropLast(end.count))
    imports.append(other)
    return "const \(names) = \(Self.constant(other));"
  }

  /// Strips `export` from a function, constant, or class; a variable would be copied and not follow later changes.
  private mutating func exported(
    _ line: Substring, _ words: ArraySlice<Substring>
  ) throws(PageBundle.Refusal) -> String {
    let words = words.first == "async" ? words.dropFirst() : words
    guard let kind = words.first, ["function", "const", "class"].contains(kind), let name = words.dropFirst().first
    else {
      throw PageBundle.Refusal(description: "\(self.name): only functions, constants and classes, not: \(line)")
    }
    exports.append(String(name))
    return String(line.dropFirst("export ".count))
  }
}
