import ArgumentParser
import Calendars
import Foundation
import JSON
import Scenes
import Testing

@testable import CommandLineTool

/// Tests that the examples of the README and of the articles work.
struct ReadmeExampleTests {
  /// The lines of all documents.
  private static func documents() throws -> [String] {
    let root = URL(filePath: "\(#filePath)/../../..").standardized
    let catalog = root.appending(path: "Sources/Documentation.docc")
    let articles = try FileManager.default.contentsOfDirectory(atPath: catalog.path).filter { $0.hasSuffix(".md") }
    let files = [root.appending(path: "README.md")] + articles.sorted().map { catalog.appending(path: $0) }
    return try files.flatMap { try String(contentsOf: $0, encoding: .utf8).components(separatedBy: "\n") }
  }

  /// The words of each `placard` command in the shell blocks, up to a redirection.
  private static func commands() throws -> [[String]] {
    var isShell = false
    var commands: [[String]] = []
    for line in try documents() {
      if line.hasPrefix("```") {
        isShell = line == "```sh"
      } else if isShell {
        let part = line.components(separatedBy: " | ").first { $0.hasPrefix("placard ") }
        if let part { commands.append(words(part)) }
      }
    }
    return commands
  }

  /// Splits a line into words like a shell, with the quotes that the documents use.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for letter in line {
      switch letter {
      case quote: quote = nil
      case "\"", "'":
        if quote == nil { (quote, word) = (letter, word ?? "") } else { word?.append(letter) }
      case " " where quote == nil:
        if let whole = word { words.append(whole) }
        word = nil
      case "#" where quote == nil && word == nil, ">" where quote == nil && word == nil: return Array(words.dropFirst())
      default: word = (word ?? "") + String(letter)
      }
    }
    if let word { words.append(word) }
    return Array(words.dropFirst())
  }

  @Test func `every command of the documents is valid`() throws {
    let commands = try Self.commands()
    #expect(commands.count > 50)
    for words in commands {
      #expect(throws: Never.self, "placard \(words.joined(separator: " "))") { _ = try Placard.parseAsRoot(words) }
    }
  }

  @Test func `the target of every countdown in the documents is a time`() throws {
    let targets = try Self.documents().flatMap { $0.components(separatedBy: "\"to\": \"").dropFirst() }
      .map { $0.components(separatedBy: "\"")[0] }
    #expect(targets.count >= 2)
    for target in targets { #expect(throws: Never.self, "\(target)") { _ = try DateTime(target) } }
  }

  @Test func `every scene of the documents is valid`() throws {
    let lines = try Self.documents()
    let blocks = lines.joined(separator: "\n").components(separatedBy: "```json\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    let echoed = lines.filter { $0.hasPrefix("echo '{\"kind\"") }.map { $0.components(separatedBy: "'")[1] }
    let scenes = blocks.filter { $0.contains("\"kind\"") } + echoed
    #expect(scenes.count >= 2)
    for scene in scenes {
      #expect(throws: Never.self, "\(scene)") { _ = try Scene(document: JSONValue(parsing: scene.utf8)) }
    }
  }
}
