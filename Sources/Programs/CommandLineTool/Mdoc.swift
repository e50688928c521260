/// Manual pages in mdoc(7), which man-db and mandoc display.
struct Mdoc {
  private var lines: [String] = []

  /// Returns the source of a page.
  ///
  /// - Parameters:
  ///   - page: The page's content.
  ///   - date: The date as mdoc writes it, `November 21, 2026`.
  ///   - about: The program's name and version.
  /// - Returns: The source with a line feed at its end.
  static func text(_ page: ManualPage, date: String, about: String) -> String {
    var mdoc = Mdoc()
    mdoc.write(page, date, about)
    return mdoc.lines.joined(separator: "\n") + "\n"
  }

  private mutating func write(_ page: ManualPage, _ date: String, _ about: String) {
    let program = page.program
    lines += [".Dd \(date)", ".Dt \(program.name.uppercased()) \(page.section)", ".Os \(about)"]
    lines += [".Sh NAME", ".Nm \(program.name)", ".Nd \(Self.clause(program.abstract))", ".Sh SYNOPSIS"]
    synopsis(program, hasCommands: !page.commands.isEmpty)
    lines += [".Sh DESCRIPTION"]
    paragraph(program.abstract)
    paragraphs(program.paragraphs)
    lines += [".Sh OPTIONS"]
    list(program.options)
    if !page.commands.isEmpty { lines += [".Sh COMMANDS"] }
    for command in page.commands { write(command) }
    sections(program.sections)
  }

  /// Writes a command as a subsection that starts with its synopsis.
  private mutating func write(_ command: ManualPage.Command) {
    lines += [".Ss \(Self.escaped(command.name))"]
    synopsis(command, hasCommands: false)
    lines.append(".Pp")
    paragraph(command.abstract)
    paragraphs(command.paragraphs)
    list(command.options)
    for section in command.sections { examples(section) }
  }

  private mutating func synopsis(_ command: ManualPage.Command, hasCommands: Bool) {
    guard command.usage.isEmpty else {
      for usage in command.usage {
        let words = usage.split(separator: " ").dropFirst()
        lines += [".Nm \(command.name)"] + (words.isEmpty ? [] : [".Ar \(words.joined(separator: " "))"])
      }
      return
    }
    let words = command.name.split(separator: " ")
    lines.append(".Nm \(words[0])" + (words.count > 1 ? " Cm \(words.dropFirst().joined(separator: " Cm "))" : ""))
    for option in command.options where !option.names.contains("--help") {
      let what = option.names.isEmpty ? "Ar \(option.value ?? "value")" : Self.flag(option, isShort: true)
      let dots = option.isRepeating ? " ..." : ""
      lines.append(option.isOptional ? ".Op \(what)\(dots)" : ".\(what)\(dots)")
    }
    if hasCommands { lines.append(".Ar command ...") }
  }

  private mutating func list(_ options: [ManualPage.Option]) {
    guard !options.isEmpty else { return }
    lines.append(".Bl -tag -width Ds")
    for option in options {
      lines.append(
        ".It " + (option.names.isEmpty ? "Ar \(option.value ?? "value")" : Self.flag(option, isShort: false)))
      paragraph(option.text)
    }
    lines.append(".El")
  }

  private mutating func sections(_ sections: [ManualPage.Section]) {
    let order = ["Environment", "Files", "Exit status", "Example", "Examples"]
    for section in sections.sorted(by: { (order.firstIndex(of: $0.title) ?? 0) < (order.firstIndex(of: $1.title) ?? 0) }
    ) {
      lines.append(".Sh \(section.title.hasPrefix("Example") ? "EXAMPLES" : section.title.uppercased())")
      section.title.hasPrefix("Example") ? literal(section.lines) : table(section.lines)
    }
  }

  private mutating func examples(_ section: ManualPage.Section) {
    lines += [".Pp", "\(Self.escaped(section.title)):"]
    literal(section.lines)
  }

  private mutating func literal(_ text: [String]) {
    lines += [".Bd -literal -offset indent"] + text.map(Self.escaped) + [".Ed"]
  }

  /// Writes lines of a name, two spaces and a text; lines without a name continue the last text.
  private mutating func table(_ text: [String]) {
    lines.append(".Bl -tag -width Ds")
    for line in text {
      let name = line.prefix { $0 != " " }
      if !name.isEmpty { lines.append(".It Li \(Self.escaped(String(name)))") }
      paragraph(String(line.dropFirst(name.count)))
    }
    lines.append(".El")
  }

  private mutating func paragraphs(_ texts: [String]) {
    for text in texts {
      lines.append(".Pp")
      paragraph(text)
    }
  }

  /// Writes a text so that each sentence starts a line and no line is longer than 78 columns.
  private mutating func paragraph(_ text: String) {
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      let next = line.isEmpty ? String(word) : "\(line) \(word)"
      let endsSentence = line.last.map { ".!?".contains($0) } ?? false
      if endsSentence || Self.escaped(next).count > 78 {
        lines.append(Self.escaped(line))
        line = String(word)
      } else {
        line = next
      }
    }
    if !line.isEmpty { lines.append(Self.escaped(line)) }
  }

  /// Returns an option's flags: `Fl -display Ar name` in a synopsis, and all its names in a list of options.
  private static func flag(_ option: ManualPage.Option, isShort: Bool) -> String {
    let names = isShort ? Array(option.names.prefix(1)) : option.names
    let flags = names.map { "Fl \($0.dropFirst().replacingHyphens)" }.joined(separator: " , ")
    return flags + (option.value.map { " Ar \($0)" } ?? "")
  }

  /// Returns a one-line description with a lowercase first letter and no period at its end.
  private static func clause(_ text: String) -> String {
    let plain = text.hasSuffix(".") ? String(text.dropLast()) : text
    return escaped(plain.prefix(1).lowercased() + plain.dropFirst())
  }

  /// Escapes a text, so that roff finds no requests or escapes in it.
  static func escaped(_ text: String) -> String {
    let plain = text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}

extension Substring {
  /// The text with each hyphen as a minus, so that a command copied from the page works in a shell.
  fileprivate var replacingHyphens: String { map { $0 == "-" ? "\\-" : String($0) }.joined() }
}
