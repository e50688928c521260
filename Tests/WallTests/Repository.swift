import FoundationEssentials
import Testing

/// The files of this repository.
enum Repository {
  /// A source file.
  struct File: Sendable, CustomTestStringConvertible {
    /// The target's name: its folder under Tests, or under one of the folders of Sources.
    var target: String
    /// The path relative to the root, such as `Sources/Content/Geometry/Size.swift`.
    var path: String
    /// The lines without line ends.
    var lines: [Substring]
    /// The lines that are not only comments.
    var code: [Substring]

    var testDescription: String { path }

    init(path: String, text: String) {
      self.path = path
      target = String(path.split(separator: "/").dropFirst(path.hasPrefix("Sources/") ? 2 : 1).first ?? "")
      lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Substring($0) }
      code = lines.filter { !$0.utf8.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8) }
    }

    /// Returns the numbers of the code lines that contain a text. Most files do not contain it, so the whole file is
    /// searched first.
    func lines(with text: String) -> [Int] {
      guard code.joined(separator: "\n").contains(text) else { return [] }
      return lines.indices.filter { place in lines[place].contains(text) && code.contains(lines[place]) }
    }
  }

  /// The repository's root, derived from this file's path.
  static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  /// Returns the text of a file.
  static func text(_ path: String) throws -> String {
    let bytes = try Data(contentsOf: URL(filePath: "\(root)/\(path)"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// All Swift files under Sources.
  static let sources: [File] = files(under: "Sources")

  /// All Swift files under Tests.
  static let tests: [File] = files(under: "Tests")

  private static func files(under folder: String) -> [File] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
    return names.filter { $0.hasSuffix(".swift") && $0.contains("/") }.sorted().compactMap { name in
      let path = "\(folder)/\(name)"
      guard let text = try? text(path) else { return nil }
      return File(path: path, text: text)
    }
  }

  /// Returns the targets of Package.swift that are not tests, in order.
  static func targets() throws -> [String] {
    let manifest = try text("Package.swift")
    let list = manifest.firstRange(of: "package.targets += ").map { manifest[$0.upperBound...] } ?? ""
    var found: [(place: String.Index, name: String)] = []
    for call in ["systemLibrary(", "stage(", "program(", "plugin("] {
      for range in list.ranges(of: call) {
        if let name = quoted(list[range.upperBound...]) { found.append((range.lowerBound, name)) }
      }
    }
    return found.sorted { $0.place < $1.place }.map(\.name)
  }

  private static func quoted(_ text: Substring) -> String? {
    let parts = text.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[1]) : nil
  }
}
