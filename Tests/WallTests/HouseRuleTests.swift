import Testing

/// Rules that keep the code small and the service idle.
struct HouseRuleTests {
  /// Texts that are banned in Sources, with the reason.
  static let banned = [
    ("Task.sleep", "it wakes the process every second from then on: arm a timer of the event loop"),
    ("Task.detached", "it lands on the global pool, which wakes the process every second: use structured tasks"),
    ("DispatchQueue", "libdispatch wakes the process every second"),
    ("DispatchSource", "libdispatch wakes the process every second, and crashes at its end on Linux"),
    ("String(format:", "it brings 44 MB of Foundation"),
    ("DateFormatter", "it brings 44 MB of Foundation"),
    ("fatalError(", "nothing that comes from outside may end the service: throw"),
    ("try!", "nothing that comes from outside may end the service: throw"),
    ("as!", "nothing that comes from outside may end the service: throw"),
    ("usleep(", "wait for the event itself"),
    ("TODO", "finish it or leave it out"),
  ]

  /// Files in which a protocol of a library requires a banned text.
  static let exempt: Set<[String]> = [["Sources/Core/SimulatedTime/SimulatedLoop.swift", "DispatchQueue"]]

  @Test(arguments: Repository.sources)
  func `The sources contain no banned text`(file: Repository.File) {
    for (word, reason) in Self.banned {
      for line in file.lines(with: word) where !Self.exempt.contains([file.path, word]) {
        Issue.record("\(file.path):\(line + 1): \(word): \(reason)")
      }
    }
  }

  /// Texts that are banned in tests. This file contains them.
  private static let idling = ["Task.sleep", "Task.yield", "usleep(", "Thread.sleep", "nanosleep("]

  @Test(arguments: Repository.tests.filter { $0.path != "Tests/WallTests/HouseRuleTests.swift" })
  func `A test neither sleeps nor yields`(file: Repository.File) {
    for word in Self.idling {
      for line in file.lines(with: word) {
        Issue.record("\(file.path):\(line + 1): \(word): wait for the event, or for the condition with Turns")
      }
    }
  }

  /// The targets of the library products. Declarations of all others have package access at most.
  private static let libraries: Set = ["Control", "ControlClient", "JSON", "Lab", "USBDisplays"]

  /// The requirements of `InterfaceObject` and `InterfaceValue`, whose docstrings hold for all types that meet them.
  private static let documented = ["let interface =", "var schema: JSONValue", "var isOptional: Bool"].map {
    " package static \($0)"
  }

  /// The beginnings of the functions of `ControlService` and its parts, such as `func close(_ session`. Its docstrings hold for the
  /// director.
  private static let operations: [Substring] = {
    let files = ["ControlService", "LibraryService"].map { "Sources/Control/Control/\($0).swift" }
    let lines = files.flatMap { (try? Repository.text($0))?.split(separator: "\n") ?? [] }
    return lines.compactMap { line in
      line.hasPrefix("  func ") ? line.dropFirst(2).prefix { $0 != ":" && $0 != ")" } : nil
    }
  }()

  @Test(arguments: Repository.sources)
  func `Only libraries have public declarations, and package declarations have docstrings`(file: Repository.File) {
    for (place, line) in file.lines.enumerated() {
      let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
      guard let access = words.first, let next = words.dropFirst().first else { continue }
      if access == "public" {
        #expect(Self.libraries.contains(file.target), "\(file.path):\(place + 1): write package")
      }
      guard access == "package", !["import", "extension"].contains(next) else { continue }
      guard !Self.documented.contains(where: line.contains) else { continue }
      let isOperation = file.target == "Director" && Self.operations.contains { line.contains("package \($0)") }
      if isOperation { continue }
      let above = file.lines[..<place].reversed().map { $0.drop { $0 == " " } }.first { !$0.hasPrefix("@") }
      #expect(above?.hasPrefix("///") == true, "\(file.path):\(place + 1): it has no docstring")
    }
  }

  @Test(arguments: Repository.sources)
  func `A file has at most 400 lines, and a function at most 80`(file: Repository.File) {
    #expect(file.lines.count <= 401, "\(file.path): move a part of it to another file")
    for function in functions(in: file) {
      #expect(function.length <= 80, "\(file.path):\(function.line): move a part of it to another function")
    }
  }

  @Test func `Nine of ten functions have at most 40 lines, and half of them at most ten`() throws {
    let lengths = Repository.sources.flatMap(functions).map(\.length).sorted()
    try #require(!lengths.isEmpty)
    #expect(lengths[lengths.count / 2] <= 10)
    #expect(lengths[lengths.count * 9 / 10] <= 40)
  }

  @Test(arguments: Repository.sources.filter { ["placardd", "placard", "placard-lab"].contains($0.target) })
  func `A program's own files contain no logic`(file: Repository.File) {
    #expect(file.lines.count <= 150, "\(file.path): move the logic to a library, where it can be tested")
    for line in file.code {
      let words = line.split(separator: " ")
      #expect(!words.contains("actor") && !words.contains("class"), "\(file.path): \(line)")
    }
  }

  @Test(arguments: Repository.sources)
  func `Code that the compiler cannot check has a comment with its proof`(file: Repository.File) {
    for place in ["@unchecked Sendable", "nonisolated(unsafe)", "@preconcurrency"].flatMap(file.lines(with:)) {
      let nearby = file.lines[max(0, place - 3)...min(place + 2, file.lines.count - 1)]
      let hasProof = nearby.contains { $0.contains("// ") && !$0.contains("/// ") }
      #expect(hasProof, "\(file.path):\(place + 1)")
    }
  }

  private struct Function {
    var line: Int
    var length: Int
  }

  /// Returns the functions of a file, from the line with `func`, `init` or `deinit` to the brace with the same
  /// indentation.
  private func functions(in file: Repository.File) -> [Function] {
    var found: [Function] = []
    var start: (place: Int, indent: Int)?
    for (place, line) in file.lines.enumerated() {
      let text = line.drop { $0 == " " }
      let indent = line.utf8.count - text.utf8.count
      if let open = start, indent <= open.indent, text.hasPrefix("}") {
        found.append(Function(line: open.place + 1, length: place - open.place + 1))
        start = nil
      } else if isFunction(text), start.map({ indent <= $0.indent }) ?? true {
        start = text.hasSuffix("}") ? nil : (place, indent)
        if text.hasSuffix("}") { found.append(Function(line: place + 1, length: 1)) }
      }
    }
    return found
  }

  private func isFunction(_ text: some StringProtocol) -> Bool {
    let modifiers: Set = [
      "public", "package", "internal", "private", "fileprivate", "static", "final", "mutating", "consuming",
      "borrowing",
      "nonisolated", "override", "convenience", "required", "isolated", "class",
    ]
    let words = text.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains(String($0)) }
    guard let first = words.first else { return false }
    return first == "func" || first.hasPrefix("init(") || first.hasPrefix("init?(") || first.hasPrefix("init<")
      || first == "deinit"
  }

  /// The decisions and reports in these folders are functions of a state: they neither log nor wait nor call painters.
  @Test(arguments: Repository.sources.filter { $0.isInCore })
  func `The core and its reports are pure`(file: Repository.File) {
    let banned = [
      "import Logging", "import NIO", "import Synchronization", "await ", "Task", "Painter.", "environment.",
    ]
    for word in banned {
      for line in file.lines(with: word) {
        Issue.record("\(file.path):\(line + 1): \(word): move it to the director")
      }
    }
  }
}

extension Repository.File {
  /// Whether it is part of the core.
  fileprivate var isInCore: Bool {
    ["Core", "Reports"].contains { path.hasPrefix("Sources/Core/Director/\($0)/") }
  }
}
