import JSON
import Primitives

extension ManualPage {
  /// Creates the page of a program that uses ArgumentParser, from its output for `--experimental-dump-help`.
  init(dump: [UInt8], section: Int) throws(Failure) {
    do {
      let tool = try JSON.decode(Tool.self, from: dump).command
      program = tool.manual(before: "")
      self.section = section
      // Options of the whole program are listed only once.
      let common = Set(program.options)
      commands = tool.shown.map { command in
        var command = command
        command.options.removeAll {
          common.contains($0) || $0.names.contains("--version") || $0.names.contains("--help")
        }
        return command
      }
    } catch {
      throw Failure(.refused, "The input is not a command-line description (--experimental-dump-help): \(error)")
    }
  }

  private struct Tool: Decodable { let command: Info }

  private struct Info: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    struct Argument: Decodable {
      let kind: String
      let shouldDisplay: Bool
      let isOptional: Bool
      let isRepeating: Bool
      let names: [Name]?
      let valueName: String?
      let abstract: String?
      let discussion: String?

      var manual: Option {
        let names = (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
        let text = [abstract, discussion].compactMap(\.self).joined(separator: " ")
        return Option(
          names: names, value: kind == "flag" ? nil : valueName ?? "value", isOptional: isOptional,
          isRepeating: isRepeating, text: text)
      }
    }

    let commandName: String
    let shouldDisplay: Bool?
    let abstract: String?
    let discussion: String?
    let arguments: [Argument]?
    let subcommands: [Info]?

    func manual(before: String) -> Command {
      var command = Command(name: before + commandName, abstract: abstract ?? "")
      command.options = (arguments ?? []).filter(\.shouldDisplay).map(\.manual)
      command.discuss(discussion ?? "")
      return command
    }

    /// The visible commands, each followed by its subcommands.
    var shown: [Command] { (subcommands ?? []).flatMap { $0.all(before: commandName + " ") } }

    private func all(before: String) -> [Command] {
      guard shouldDisplay ?? true, commandName != "help" else { return [] }
      let within = (subcommands ?? []).flatMap { $0.all(before: before + commandName + " ") }
      return [manual(before: before)] + within
    }
  }
}

extension ManualPage {
  /// Creates the page of a program from its help text: the abstract, the usage, `Options:` and other sections.
  init(help text: String, name: String, section: Int) throws(Failure) {
    var blocks = Command.blocks(text)[...]
    guard let first = blocks.popFirst(), blocks.contains(where: { $0.first == "Options:" }) else {
      throw Failure(.refused, "The input is not a help text: it needs an abstract and a section Options:.")
    }
    program = Command(name: name, abstract: first.joined(separator: " "))
    self.section = section
    for block in blocks {
      switch block[0] {
      case "Options:": program.options = Self.options(Array(block.dropFirst()))
      case _ where block[0].hasPrefix("Usage: "): program.usage = [String(block[0].dropFirst(7))]
      default: program.discuss(block.joined(separator: "\n"))
      }
    }
  }

  /// Parses lines like `  --config <file>      What it is`, and lines that continue such a text.
  private static func options(_ lines: [String]) -> [Option] {
    var options: [Option] = []
    for line in lines {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("-"), line.count - text.count < 8 else {
        if let last = options.indices.last { options[last].text += (options[last].text.isEmpty ? "" : " ") + text }
        continue
      }
      // Two spaces separate the option from its text.
      let end = text.firstRange(ofText: "  ")?.lowerBound ?? text.endIndex
      let words = text[..<end].split { $0 == " " || $0 == "," }
      let value = words.first { $0.hasPrefix("<") }.map { String($0.dropFirst().dropLast()) }
      options.append(
        Option(
          names: words.filter { $0.hasPrefix("-") }.map(String.init), value: value,
          text: String(text[end...].drop { $0 == " " })))
    }
    return options
  }
}
