// swift-tools-version: 6.2
// The targets of each folder are in the order in which a hotplug event or a message passes through them.
// Sources/README.md describes them.

import PackageDescription

/// The settings of every target: warnings are errors.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The settings of the service's targets. With the implicit import, a single call of `String.contains(String)` links
/// all of Regex, 1.3 MB. A file that needs Regex imports `_StringProcessing`.
let small: [SwiftSetting] =
  strict + [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]

/// The settings of targets with loops over pixels or bytes. They are always optimized: without, they are 5 to 25 times
/// slower.
let pixels: [SwiftSetting] = small + [.unsafeFlags(["-O"])]

/// The settings of targets that compute little: optimized for size, because both programs together must stay below 20
/// MB.
let compact: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
let lean: [SwiftSetting] = small + compact

let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioLocks: Target.Dependency = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// Gives each target the folder of its own name below a folder.
func folder(_ path: String, _ targets: Target...) -> [Target] {
  for target in targets { target.path = "\(path)/\(target.name)" }
  return targets
}

func stage(_ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = lean) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A target that embeds the files of a folder in the program.
func stage(_ name: String, embedding folder: String) -> Target {
  .target(name: name, exclude: [folder], swiftSettings: strict, plugins: ["EmbedFiles"])
}

/// The linker options for release builds: no dynamic symbol table, identical functions merged, and relocations packed
/// (glibc 2.36 or later). They save 4 MB of 23.
///
/// `--icf=all` also merges functions whose addresses are taken. This is safe: the project compares no functions, and no
/// key paths of computed properties, which Swift identifies by their getters.
let packed: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld"]
      + ["--no-export-dynamic", "--icf=all", "-z", "pack-relative-relocs"].flatMap { ["-Xlinker", $0] },
    .when(configuration: .release))
]

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  // Without `-parse-as-library`, the compiler treats a target with a single file as a script.
  let settings = strict + [.unsafeFlags(["-parse-as-library"])]
  return .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings, linkerSettings: packed)
}

/// A program in Embedded Swift, which has 0.1 MB and starts as fast as a C program.
///
/// Embedded Swift cannot import the modules of other programs, so the program's folder has links to the folders of the
/// targets whose files it shares. No test target may depend on it: its own `swift_retain` would replace the tests' one.
func program(_ name: String, embedded dependencies: [Target.Dependency]) -> Target {
  let settings: [SwiftSetting] = [
    .enableExperimentalFeature("Embedded"), .unsafeFlags(["-parse-as-library", "-wmo", "-no-static-stdlib"]),
  ]
  let used: [LinkerSetting] = [
    .unsafeFlags(["-use-ld=lld", "-Xlinker", "--gc-sections", "-Xlinker", "--as-needed"])
  ]
  return .executableTarget(
    name: name, dependencies: dependencies, swiftSettings: strict + settings, linkerSettings: packed + used)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = [],
  settings: [SwiftSetting] = strict
) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: settings)
}

let package = Package(
  name: "placard",
  products: [
    .library(name: "PlacardClient", targets: ["ControlClient", "Control"]),
    .library(name: "PlacardLab", targets: ["Lab"]),
    .executable(name: "placardd", targets: ["placardd"]),
    .executable(name: "placard", targets: ["placard"]),
    .executable(name: "placard-mqtt", targets: ["placard-mqtt"]),
    .executable(name: "placard-lab", targets: ["placard-lab"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  swiftLanguageModes: [.v6]
)

// The C libraries, interfaces of the operating system, JSON and shared helpers.
package.targets += folder(
  "Sources/System",
  .systemLibrary(name: "CLinux"),
  .systemLibrary(name: "CDRM", pkgConfig: "libdrm", providers: [.apt(["libdrm-dev"])]),
  .systemLibrary(name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
  .systemLibrary(name: "CHarfBuzz", pkgConfig: "harfbuzz", providers: [.apt(["libharfbuzz-dev"])]),
  .systemLibrary(name: "CFriBidi", pkgConfig: "fribidi", providers: [.apt(["libfribidi-dev"])]),
  .systemLibrary(name: "CICU", providers: [.apt(["libicu-dev"])]),
  .systemLibrary(name: "CICUFormats", providers: [.apt(["libicu-dev"])]),
  .systemLibrary(name: "CFontconfig", pkgConfig: "fontconfig", providers: [.apt(["libfontconfig-dev"])]),
  .systemLibrary(name: "CPNG", pkgConfig: "libpng16", providers: [.apt(["libpng-dev"])]),
  .systemLibrary(name: "CMD4C", pkgConfig: "md4c", providers: [.apt(["libmd4c-dev"])]),
  .systemLibrary(name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
  .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg62-turbo-dev"])]),
  .systemLibrary(name: "CPixels"),
  .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
  .systemLibrary(name: "CLibical", providers: [.apt(["libical-dev"])]),
  .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
  .systemLibrary(name: "CMosquitto", providers: [.apt(["libmosquitto-dev", "libssl-dev"])]),
  stage("Primitives", settings: pixels),
  stage("Ordering", settings: pixels),
  stage("SystemCalls"),
  stage("SystemFiles", ["CLinux"]),
  stage("JSON"),
  stage("Systemd", ["SystemCalls", "CSystemd"]),
  stage("Logind", ["Systemd", nio, nioPosix, logging]),
  stage("ProcessArguments"),
  stage("MQTT", ["SystemCalls", "CMosquitto", "CLinux", nio])
)

// Graphics cards and monitors, real ones and those in memory.
package.targets += folder(
  "Sources/Hardware",
  stage("Uevents", ["SystemCalls", "SystemFiles", "CLinux", nio, nioPosix, logging]),
  stage("Displays", ["Primitives", "Geometry"]),
  stage(
    "KMS",
    [
      "SystemCalls", "SystemFiles", "Uevents", "Displays", "Geometry", "Ordering", "CDRM", "CLinux", nio, nioPosix,
      logging,
    ]),
  stage("VirtualDisplays", ["Displays", "Geometry"])
)

// What to show, as values without pixels.
package.targets += folder(
  "Sources/Content",
  stage("Geometry"),
  stage("Calendars", ["Primitives"]),
  stage("Schedules", ["Calendars"]),
  stage("ICalendar", ["Primitives", "Calendars", "CLibical"]),
  stage("Locales", ["CICUFormats"]),
  stage("Scenes", ["Primitives", "Geometry", "Ordering", "JSON", "Calendars", "Schedules", "ICalendar", "Locales"]),
  stage("Markdown", ["CMD4C"], settings: pixels),
  stage("QRCodes", ["SystemCalls", "CQRencode"])
)

// The way from content to pixels.
package.targets += folder(
  "Sources/Drawing",
  stage("Pictures", ["Primitives", "SystemCalls", "Geometry", "CPNG", "CJPEG", "CLinux"], settings: pixels),
  stage("Hyphenation", ["Primitives", "SystemFiles"], settings: pixels),
  stage(
    "Typesetting",
    ["Geometry", "Pictures", "Hyphenation", "CFreeType", "CHarfBuzz", "CFriBidi", "CICU", "CFontconfig"],
    settings: pixels),
  stage(
    "Layout", ["Primitives", "Geometry", "Scenes", "Markdown", "QRCodes", "Typesetting", "Pictures"]),
  stage("Raster", ["Primitives", "Geometry", "Typesetting", "Pictures", "Layout", "CPixels"], settings: pixels)
)

// The decisions, the archive and the recordings.
package.targets += folder(
  "Sources/Core",
  stage("Archive", ["SystemCalls", "SystemFiles", "CSQLite", nio]),
  stage("Outputs", ["Displays", "Geometry"]),
  stage(
    "Director",
    [
      "Outputs", "Geometry", "Ordering", "Displays", "Scenes", "Schedules", "ICalendar", "Typesetting", "Layout",
      "Raster", "Pictures", "Access", "Configuration", "Control", "JSON", nio, logging,
    ]),
  stage("SimulatedTime", [nio]),
  stage(
    "Recording",
    [
      "SimulatedTime", "SystemCalls", "Geometry", "Displays", "JSON", "Scenes", "Schedules", "Configuration", "Control",
      "Director", nio, logging,
    ])
)

// Settings and remote control: who may connect, the server, the page, the client.
package.targets += folder(
  "Sources/Control",
  stage("Access", ["SystemCalls"]),
  stage(
    "Configuration",
    ["SystemCalls", "Access", "Calendars", "Geometry", "Displays", "JSON", "Locales", "Scenes", "Schedules"]),
  stage("Control", ["Primitives", "Ordering", "JSON", "Calendars"]),
  stage("ControlPage", embedding: "Files"),
  stage(
    "ControlHTTP",
    ["Primitives", "SystemCalls", "SystemFiles", "Access", "JSON", "Control", nio, nioPosix, nioHTTP, logging]),
  stage("ControlClient", ["Primitives", "SystemCalls", "JSON", "Control", "CLinux", nio, nioPosix, nioHTTP])
)

// The service, the command line and their libraries, and the tool that embeds the page.
package.targets += folder(
  "Sources/Programs",
  stage(
    "Doctor", ["Primitives", "Ordering", "SystemFiles", "Displays", "Configuration", "Control", "CLinux"]),
  stage(
    "Service",
    [
      "SystemCalls", "SystemFiles", "Access", "Geometry", "Uevents", "Displays", "KMS", "VirtualDisplays", "Locales",
      "Scenes",
      "Configuration", "Archive", "Director", "Doctor", "SimulatedTime", "Recording", "Control", "ControlPage",
      "ControlHTTP", "Systemd",
      "Logind", "CLinux", nio, nioPosix, logging, "Pictures", "JSON",
    ]),
  stage("FastPath", ["CLinux"], settings: strict),
  stage(
    "CommandLineTool",
    [
      "FastPath", "Primitives", "SystemCalls", "JSON", "Calendars", "Control", "ControlClient", "Displays", "Geometry",
      "Ordering", "Pictures", "Doctor", "CLinux", nio, nioPosix, arguments,
    ]),
  stage(
    "Bridge",
    [
      "Primitives", "SystemCalls", "JSON", "MQTT", "Configuration", "Archive", "Control", "ControlClient", nio,
      nioPosix, logging,
    ]),
  program("placardd", ["Service", "CommandLineTool", "ProcessArguments"]),
  program("placard", embedded: ["CLinux"]),
  program("placard-mqtt", ["Bridge", "SystemCalls", "MQTT", "JSON", "Configuration", "Control", arguments]),
  program("embed-files", ["CZlib"]),
  .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"])
)

// Simulated hardware on real kernels, and measurements; the service uses none of it.
package.targets += folder(
  "Sources/Lab",
  stage("USBDisplays", settings: pixels),
  stage("Lab", ["Primitives", "SystemCalls", "JSON", "Systemd", "USBDisplays", "CLinux"], settings: strict),
  stage("CSimulatedDisk", ["CSQLite"]),
  stage(
    "Simulation",
    [
      "SeededRandom", "CSimulatedDisk", "SimulatedTime", "Geometry", "JSON", "Scenes", "Displays",
      "VirtualDisplays", "Configuration", "Control", "ControlHTTP", "ControlClient", "Archive", "Director", "Service",
      nio, logging,
    ], settings: strict),
  program("placard-simulate", ["Simulation", "Service", "ProcessArguments", arguments]),
  program("placard-lab", ["Lab", "USBDisplays", "ProcessArguments", arguments]),
  program(
    "placard-bench",
    ["SystemCalls", "Calendars", "Geometry", "Scenes", "Schedules", "Typesetting", "Layout", "Raster", "Pictures"]),
  program("placard-figures", ["Lab", "USBDisplays", "Control", "JSON"])
)

package.targets += folder(
  "Tests",
  .target(name: "SeededRandom", swiftSettings: strict),
  .target(name: "Oracles", swiftSettings: strict),
  .target(name: "Waiting", dependencies: [nio, nioPosix], swiftSettings: strict),
  .target(name: "FakeServiceSupport", dependencies: ["Control", "JSON"], swiftSettings: strict),
  tests("GeometryTests", ["SeededRandom", "Geometry"]),
  tests("PrimitivesTests", ["Primitives"]),
  tests("OrderingTests", ["Ordering"]),
  tests("SystemCallsTests", ["SystemCalls"]),
  tests("SystemFilesTests", ["SystemFiles"]),
  tests("DoctorTests", ["Doctor", "SystemFiles", "Control", "JSON"]),
  tests("LocalesTests", ["Locales"], exclude: ["oracle.cpp"]),
  tests("ScenesTests", ["SeededRandom", "Geometry", "JSON", "Calendars", "Schedules", "ICalendar", "Scenes"]),
  tests("MarkdownTests", ["Markdown", "JSON"]),
  tests("QRCodesTests", ["QRCodes"]),
  tests("CalendarsTests", ["SeededRandom", "Oracles", "Calendars"]),
  tests("SchedulesTests", ["Oracles", "Calendars", "Scenes", "Schedules"], exclude: ["oracle.py"], settings: pixels),
  tests("ICalendarTests", ["Oracles", "Calendars", "ICalendar", "Scenes"], exclude: ["oracle.py"], settings: pixels),
  tests("SystemdTests", ["Systemd", "CSystemd"]),
  tests("AccessTests", ["Access"]),
  tests("ConfigurationTests", ["Access", "Geometry", "Displays", "Scenes", "Schedules", "Configuration"]),
  tests("WallTests", [], settings: pixels),
  tests("HyphenationTests", ["SeededRandom", "Oracles", "Hyphenation"], exclude: ["oracle.py"]),
  tests("TypesettingTests", ["SeededRandom", "Geometry", "Pictures", "Hyphenation", "Typesetting"]),
  tests("LayoutTests", ["Geometry", "JSON", "Scenes", "Typesetting", "Pictures", "Markdown", "Layout"]),
  tests(
    "RasterTests", ["SeededRandom", "Geometry", "Scenes", "Typesetting", "Layout", "Raster", "Pictures", "CPNG"],
    exclude: ["Golden"],
    settings: pixels),
  tests("PicturesTests", ["SeededRandom", "Geometry", "Pictures", "CJPEG"]),
  tests("DisplaysTests", ["SeededRandom", "Displays", "Geometry"]),
  tests("UeventsTests", ["SeededRandom", "Uevents", "CLinux", nio, nioPosix, logging]),
  tests("JSONTests", ["SeededRandom", "JSON", "Control", "Displays"]),
  tests("ArchiveTests", ["SeededRandom", "Waiting", "Archive", nio, nioPosix]),
  tests("ControlPageTests", ["ControlPage", "Control", "JSON"]),
  tests(
    "ControlHTTPTests",
    [
      "FakeServiceSupport", "Access", "JSON", "Control", "ControlHTTP", "ControlClient", nio, nioPosix, nioHTTP,
      nioEmbedded, logging,
    ]),
  tests(
    "PlacardCLITests",
    [
      "SeededRandom", "FakeServiceSupport", "Access", "FastPath", "CommandLineTool", "JSON", "Control", "ControlClient",
      "ControlHTTP",
      "Calendars", "Geometry", "Scenes",
      "Pictures", arguments, nio, nioPosix, nioHTTP, logging, "Doctor", "placardd", "placard-lab",
    ]),
  tests(
    "ServiceTests",
    [
      "SeededRandom", "Access", "Archive", "Service", "Configuration", "Control", "ControlHTTP",
      "ControlClient", "Director", "Displays", "Geometry", "JSON", "Logind", "Scenes", "Pictures",
      "SystemFiles", "VirtualDisplays", "Recording", "CLinux", "placardd", nio, nioPosix,
    ]),
  tests(
    "LogindTests",
    ["Logind", "Systemd", "CSystemd", "SystemCalls", "Director", "Service", "CLinux", nio, nioPosix, logging]),
  tests("USBDisplaysTests", ["SeededRandom", "USBDisplays", "Displays", "Geometry"]),
  tests("LabTests", ["SystemCalls", "Lab", "USBDisplays", "JSON", "placard-lab"]),
  tests("KMSTests", ["KMS", "CDRM", "Displays", "Geometry", "SystemFiles", nio, nioPosix, nioLocks, logging]),
  tests("OutputsTests", ["SeededRandom", "Outputs", "Displays", "Geometry"]),
  tests(
    "DirectorTests",
    [
      "SeededRandom", "Waiting", "SystemCalls", "Outputs", "Director", "JSON", "Configuration", "Control", "Displays",
      "VirtualDisplays", "Scenes", "Schedules", "Calendars", "Geometry", "Typesetting", "Layout", "Raster", "Pictures",
      nio, nioPosix, nioLocks, logging,
    ]),
  tests(
    "RecordingTests",
    [
      "SeededRandom", "Waiting", "SystemCalls", "Recording", "Director", "JSON", "Configuration", "Control", "Displays",
      "VirtualDisplays", "Geometry", "Scenes", "placardd", nio, nioPosix, logging,
    ], exclude: ["Recordings"]),
  tests("BridgeTests", ["SeededRandom", "Bridge", "MQTT", "Archive", "Configuration", "Control", "JSON"]),
  tests("SimulationTests", ["placard-simulate"]),
  tests(
    "StoryTests",
    [
      "SeededRandom", "Geometry", "Displays", "VirtualDisplays", "JSON", "Calendars", "Schedules", "Scenes",
      "Typesetting", "Layout", "Raster", "Pictures", "Control", "Doctor", "Lab", "USBDisplays", "placardd",
      "placard-lab",
    ])
)
