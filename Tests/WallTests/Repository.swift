import FoundationEssentials
import Testing

/// The files of this repository, as the house rules look at them.
enum Repository {
  /// A source file.
  struct File: Sendable, CustomTestStringConvertible {
    /// The target's name: its folder under Sources.
    var target: String
    /// Relative to the root, `Sources/Geometry/Size.swift`.
    var path: String
    /// Without line ends.
    var lines: [Substring]
    /// The lines that are not comments alone.
    var code: [Substring]

    var testDescription: String { path }

    init(path: String, text: String) {
      self.path = path
      target = String(path.split(separator: "/").dropFirst().first ?? "")
      lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Substring($0) }
      code = lines.filter { !$0.utf8.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8) }
    }

    /// The code's lines that hold this text, by number. Most files hold none: one look at the whole is quick.
    func lines(with text: String) -> [Int] {
      guard code.joined(separator: "\n").contains(text) else { return [] }
      return lines.indices.filter { place in lines[place].contains(text) && code.contains(lines[place]) }
    }
  }

  /// From this file's own path.
  static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  /// The text of a file.
  static func text(_ path: String) throws -> String {
    let bytes = try Data(contentsOf: URL(filePath: "\(root)/\(path)"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// All Swift files under Sources.
  static let sources: [File] = files(under: "Sources")

  private static func files(under folder: String) -> [File] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
    return names.filter { $0.hasSuffix(".swift") && $0.contains("/") }.sorted().compactMap { name in
      let path = "\(folder)/\(name)"
      guard let text = try? text(path) else { return nil }
      return File(path: path, text: text)
    }
  }

  /// The targets of Package.swift that are not tests, in order.
  static func targets() throws -> [String] {
    let manifest = try text("Package.swift")
    let list = manifest.firstRange(of: "  targets: [").map { manifest[$0.upperBound...] } ?? ""
    var names: [String] = []
    for call in ["systemLibrary(", "stage(", "program(", "executableTarget("] {
      names += list.ranges(of: call).compactMap { quoted(list[$0.upperBound...]) }
    }
    let places = names.map { list.firstRange(of: "(name: \"\($0)\"") ?? list.firstRange(of: "\"\($0)\"") }
    return zip(names, places).sorted { first, second in
      guard let one = first.1, let two = second.1 else { return false }
      return one.lowerBound < two.lowerBound
    }.map(\.0)
  }

  private static func quoted(_ text: Substring) -> String? {
    let parts = text.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[1]) : nil
  }
}
