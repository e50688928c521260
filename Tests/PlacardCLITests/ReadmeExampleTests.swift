import ArgumentParser
import Calendars
import Foundation
import JSON
import Scenes
import Testing

@testable import CommandLineTool

/// What the README shows can be typed as it stands there.
struct ReadmeExampleTests {
  private static func readme() throws -> [String] {
    let path = URL(filePath: "\(#filePath)/../../../README.md").standardized
    return try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The words of each `placard` command in the blocks of shell text, without what follows a redirection.
  private static func commands() throws -> [[String]] {
    var isShell = false
    var commands: [[String]] = []
    for line in try readme() {
      if line.hasPrefix("```") {
        isShell = line == "```sh"
      } else if isShell {
        let part = line.components(separatedBy: " | ").first { $0.hasPrefix("placard ") }
        if let part { commands.append(words(part)) }
      }
    }
    return commands
  }

  /// Splits as a shell does, for the quotes that the README uses.
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

  @Test func `every command of the README is understood`() throws {
    let commands = try Self.commands()
    #expect(commands.count > 30)
    for words in commands {
      #expect(throws: Never.self, "placard \(words.joined(separator: " "))") { _ = try Placard.parseAsRoot(words) }
    }
  }

  @Test func `every countdown of the README has a target that is a time`() throws {
    let targets = try Self.readme().flatMap { $0.components(separatedBy: "\"to\": \"").dropFirst() }
      .map { $0.components(separatedBy: "\"")[0] }
    #expect(targets.count >= 2)
    for target in targets { #expect(throws: Never.self, "\(target)") { _ = try DateTime(target) } }
  }

  @Test func `every scene of the README is one`() throws {
    let lines = try Self.readme()
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
