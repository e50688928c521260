import Testing

/// The imports that are allowed in each target. A change of this table needs the same change in Sources/README.md.
struct WallTests {
  private static let nio: Set = ["NIOCore", "NIOPosix"]
  private static let json: Set = ["JSON"]

  /// Modules of the toolchain that every target may import.
  private static let everywhere: Set = ["Glibc", "Synchronization"]

  static let allowed: [String: Set<String>] = [
    "Geometry": [],
    "Primitives": [],
    "Ordering": [],
    "SystemCalls": [],
    "SystemFiles": ["CLinux"],
    "Uevents": nio.union(["SystemCalls", "SystemFiles", "CLinux", "Logging"]),
    "Displays": ["Primitives", "Geometry"],
    "KMS": nio.union([
      "SystemCalls", "SystemFiles", "Uevents", "Displays", "Geometry", "Ordering", "CDRM", "CLinux", "Logging",
    ]),
    "VirtualDisplays": ["Displays", "Geometry"],
    "JSON": [],
    "Calendars": ["Primitives"],
    "Schedules": ["Calendars"],
    "ICalendar": ["Primitives", "Calendars", "CLibical"],
    "Locales": ["CICUFormats"],
    "Scenes": ["Primitives", "Geometry", "Ordering", "JSON", "Calendars", "Schedules", "ICalendar", "Locales"],
    "Markdown": ["CMD4C"],
    "QRCodes": ["SystemCalls", "CQRencode"],
    "Pictures": ["Primitives", "SystemCalls", "Geometry", "CPNG", "CJPEG", "CLinux"],
    "Hyphenation": ["Primitives", "SystemFiles"],
    "Typesetting": [
      "Geometry", "Pictures", "Hyphenation", "CFreeType", "CHarfBuzz", "CFriBidi", "CICU", "CFontconfig",
    ],
    "Layout": ["Primitives", "Geometry", "Scenes", "Markdown", "QRCodes", "Typesetting", "Pictures"],
    "Raster": ["Primitives", "Geometry", "Typesetting", "Pictures", "Layout", "CPixels"],
    "Access": ["SystemCalls"],
    "Configuration": [
      "SystemCalls", "Access", "Calendars", "Geometry", "Displays", "JSON", "Locales", "Scenes", "Schedules",
    ],
    "Control": ["Primitives", "Ordering", "JSON", "Calendars"],
    "Archive": ["SystemCalls", "SystemFiles", "CSQLite", "NIOCore"],
    "Outputs": ["Displays", "Geometry"],
    "Director": [
      "Outputs", "Ordering", "Geometry", "Displays", "Scenes", "Typesetting", "Layout", "Raster", "Pictures", "Access",
      "Configuration", "Control", "NIOCore", "Logging", "JSON", "Schedules", "ICalendar",
    ],
    "SimulatedTime": ["NIOCore", "Dispatch"],
    "Recording": [
      "SimulatedTime", "SystemCalls", "Geometry", "Displays", "JSON", "Scenes", "Configuration", "Control", "Director",
      "NIOCore",
      "Logging", "Schedules",
    ],
    "ControlPage": [],
    "ControlHTTP": nio.union(json).union([
      "Primitives", "SystemCalls", "SystemFiles", "Access", "Control", "NIOHTTP1", "Logging",
    ]),
    "ControlClient": nio.union(json).union(["Primitives", "SystemCalls", "Control", "CLinux", "NIOHTTP1"]),
    "MQTT": ["SystemCalls", "CMosquitto", "CLinux", "NIOCore"],
    "Bridge": nio.union(json).union([
      "Primitives", "SystemCalls", "MQTT", "Configuration", "Archive", "Control", "ControlClient", "Logging",
    ]),
    "placard-mqtt": ["Bridge", "SystemCalls", "MQTT", "JSON", "Configuration", "Control", "ArgumentParser"],
    "Systemd": ["SystemCalls", "CSystemd"],
    "Logind": nio.union(["Systemd", "Logging"]),
    "USBDisplays": [],
    "Lab": json.union(["Primitives", "SystemCalls", "Systemd", "USBDisplays", "CLinux"]),
    "Doctor": ["Primitives", "Ordering", "SystemFiles", "Displays", "Configuration", "Control", "CLinux"],
    "Service": nio.union([
      "Access", "Geometry", "Uevents", "Displays", "KMS", "VirtualDisplays", "Locales", "Scenes", "Configuration",
      "Archive", "Director", "Doctor", "SimulatedTime", "Recording", "Control", "ControlPage", "ControlHTTP", "Systemd",
      "Logind",
      "CLinux", "Logging", "Pictures", "JSON", "SystemCalls", "SystemFiles",
    ]),
    "FastPath": ["CLinux"],
    "CommandLineTool": nio.union(json).union([
      "FastPath", "Primitives", "SystemCalls", "Calendars", "Control", "ControlClient", "Displays", "Geometry",
      "Ordering", "Pictures", "Doctor", "ArgumentParser", "CLinux",
    ]),
    "ProcessArguments": [],
    "placardd": ["Service", "CommandLineTool", "ProcessArguments"],
    "placard": ["CLinux"],
    "Simulation": [
      "SeededRandom", "CSimulatedDisk", "SimulatedTime", "Geometry", "JSON", "Scenes", "Displays", "VirtualDisplays",
      "Configuration", "Control", "ControlHTTP", "ControlClient", "Archive", "Director", "Service", "NIOCore",
      "Logging",
    ],
    "placard-simulate": ["Simulation", "Service", "ProcessArguments", "ArgumentParser"],
    "placard-lab": ["Lab", "USBDisplays", "ProcessArguments", "ArgumentParser"],
    "placard-bench": [
      "SystemCalls", "Calendars", "Geometry", "Scenes", "Schedules", "Typesetting", "Layout", "Raster", "Pictures",
    ],
    "placard-figures": json.union(["Lab", "USBDisplays", "Control"]),
    "embed-files": ["CZlib"],
    "EmbedFiles": ["PackagePlugin"],
  ]

  /// Modules that only one target may import.
  static let owners = [
    "CDRM": "KMS", "CFreeType": "Typesetting", "CHarfBuzz": "Typesetting", "CFontconfig": "Typesetting",
    "CFriBidi": "Typesetting", "CICU": "Typesetting", "CICUFormats": "Locales",
    "CPNG": "Pictures", "CJPEG": "Pictures", "CMD4C": "Markdown", "CQRencode": "QRCodes", "CPixels": "Raster",
    "CSQLite": "Archive", "CZlib": "embed-files", "CSystemd": "Systemd", "CLibical": "ICalendar",
    "CMosquitto": "MQTT",
  ]

  @Test(arguments: Repository.sources)
  func `A file imports only the modules that its target may import`(file: Repository.File) throws {
    let wall = try #require(Self.allowed[file.target], "add \(file.target) to this table")
    for module in imports(of: file) where !wall.contains(module) && !Self.everywhere.contains(module) {
      Issue.record("\(file.path) imports \(module); \(file.target) may import \(wall.sorted().joined(separator: ", "))")
    }
  }

  @Test func `Each C library is imported by only one target`() {
    let imported = Repository.sources.map { (target: $0.target, modules: imports(of: $0)) }
    for (module, owner) in Self.owners {
      let users = Set(imported.filter { $0.modules.contains(module) }.map(\.target))
      #expect(users == [owner], "only \(owner) may import \(module)")
    }
  }

  @Test func `A C library that is loaded on first use is not linked`() throws {
    let manifest = try Repository.text("Package.swift").split(separator: "\n")
    let loaded = try Self.owners.keys.filter { module in
      let header = "Sources/System/\(module)/shim.h"
      return try Repository.text(header).contains("dlopen(")
    }
    #expect(loaded.sorted() == ["CICU", "CICUFormats", "CLibical", "CSystemd"])
    for module in loaded {
      let line = try #require(manifest.first { $0.contains("systemLibrary(name: \"\(module)\"") })
      // The linker flags of pkg-config would load the library, and those that it needs, at each start.
      #expect(!line.contains("pkgConfig"), "\(module)")
    }
  }

  @Test func `The table keeps the pure targets free of the system`() throws {
    let director = try #require(Self.allowed["Director"])
    #expect(director.isDisjoint(with: ["KMS", "VirtualDisplays", "ControlHTTP", "ControlClient", "NIOPosix", "CDRM"]))
    for (target, modules) in Self.allowed {
      #expect(modules.isDisjoint(with: ["Foundation", "FoundationEssentials"]), "\(target)")
      for (module, owner) in Self.owners where target != owner { #expect(!modules.contains(module), "\(target)") }
    }
    let pure = [
      "Outputs", "Geometry", "Displays", "Scenes", "Markdown", "QRCodes", "Calendars", "Layout", "Access",
      "Configuration",
      "Control", "USBDisplays",
    ]
    for target in pure {
      let modules = try #require(Self.allowed[target])
      #expect(modules.isDisjoint(with: Self.nio.union(["CLinux"])), "\(target) must be pure")
    }
  }

  @Test func `Every target is in the table, and every entry of the table is a target`() throws {
    let targets = try Repository.targets().filter { !$0.hasPrefix("C") || Self.allowed[$0] != nil }
    #expect(Set(targets) == Set(Self.allowed.keys))
  }

  @Test func `Sources/README.md names the targets in the order of Package.swift`() throws {
    let map = try Repository.text("Sources/README.md")
    let named = map.split(separator: "\n").filter { $0.hasPrefix("- `") }.compactMap { line in
      line.dropFirst(3).split(separator: "`").first.map(String.init)
    }
    #expect(named == (try Repository.targets()))
  }

  /// Returns the modules that a file imports.
  private func imports(of file: Repository.File) -> [String] {
    file.code.compactMap { line in
      guard line.utf8.first != UInt8(ascii: " "), line.contains("import ") else { return nil }
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), place + 1 < words.count else { return nil }
      guard words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.levels.contains(String($0)) }) else { return nil }
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let module = kinds.contains(words[place + 1]) ? words.last : words[place + 1]
      return module?.split(separator: ".").first.map(String.init)
    }
  }

  private static let levels: Set = ["public", "package", "internal", "fileprivate", "private"]
}
