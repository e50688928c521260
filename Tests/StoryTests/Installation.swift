import FoundationEssentials
import Glibc
import Lab
import Testing

/// The files of scripts/install, in a layer over a Debian.
enum Installation {
  /// The libraries that the programs are linked with, the font of the expected frames, and a broker with its clients.
  static let packages = [
    "fonts-dejavu-core", "libdrm2", "libfontconfig1", "libfreetype6", "libfribidi0", "libharfbuzz0b",
    "libjpeg62-turbo", "libmd4c0", "libmosquitto1", libpng, "libqrencode4", "libsqlite3-0", "libstdc++6",
    "libsystemd0", "mosquitto", "mosquitto-clients",
  ]

  /// Keeps the broker from starting at boot.
  static let noBroker = LabOptions.OverlayFile.link("/etc/systemd/system/mosquitto.service", to: "/dev/null")

  /// The package of libpng on this host, and thus in the guest.
  ///
  /// Debian 13 renamed it, and debootstrap does not know the old name, which the new package provides.
  private static let libpng: String = {
    let installed = try? FileManager.default.contentsOfDirectory(atPath: "/var/lib/dpkg/info")
    return installed?.contains { $0.hasPrefix("libpng16-16t64") } == true ? "libpng16-16t64" : "libpng16-16"
  }()

  /// The reason why such a guest cannot run here; nil if it can.
  static let unavailableReason: String? = {
    if GuestFixture.unavailableReason != nil { return "the lab is not available; see scripts/test" }
    if RootFS.isCached(packages: packages) { return nil }
    if getuid() != 0 { return "a Debian for the lab is made by root: run these stories once as root" }
    if !FileManager.default.isExecutableFile(atPath: "/usr/sbin/debootstrap") { return "debootstrap is not installed" }
    return nil
  }()

  /// Boots a Debian with the service installed, with this message and one monitor.
  static func boot(message: String) throws -> Lab {
    let image = FileManager.default.temporaryDirectory.appending(path: "placard-unit-\(getpid())").path
    try place(in: image)
    defer { try? FileManager.default.removeItem(atPath: image) }
    try Data("message = \"\(message)\"\n".utf8).write(to: URL(filePath: "\(image)/etc/placard/placard.toml"))
    var options = LabOptions()
    options.root = .debian(try RootFS.debian(packages: packages))
    options.monitors = [0: (1024, 768)]
    options.overlayFiles = try files(in: image) + runtime() + [noBroker]
    options.bootTime = .seconds(240)
    return try GuestFixture.boot(options)
  }

  /// Runs scripts/install with the programs that were built with these tests.
  private static func place(in image: String) throws {
    let repository = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let programs = ProcessInfo.processInfo.environment["PLACARD_PROGRAMS"] ?? GuestFixture.programs
    let command = "DESTDIR='\(image)' '/\(repository)/scripts/install' --mqtt --programs '\(programs)' >/dev/null"
    try #require(unsafe system(command) == 0, "scripts/install failed")
  }

  private static func files(in image: String) throws -> [LabOptions.OverlayFile] {
    try FileManager.default.subpathsOfDirectory(atPath: image).compactMap { path in
      var isDirectory = false
      _ = FileManager.default.fileExists(atPath: "\(image)/\(path)", isDirectory: &isDirectory)
      return isDirectory ? nil : .copy(of: "\(image)/\(path)", at: "/\(path)")
    }
  }

  /// A link to Swift's libraries at the place where debug builds of the programs look for them.
  private static func runtime() -> [LabOptions.OverlayFile] {
    let library = maps().split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }
    guard let library, let start = library.firstIndex(of: "/"), let end = library.lastIndex(of: "/") else { return [] }
    let directory = String(library[start..<end])
    return [.link(directory, to: "/host\(directory)")]
  }

  /// Reads /proc/self/maps, which returns at most a page at a time: `Data(contentsOf:)` stops after the first.
  private static func maps() -> String {
    let file = unsafe open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var (text, buffer, count) = ([UInt8](), [UInt8](repeating: 0, count: 4096), 0)
    repeat {
      count = unsafe read(file, &buffer, buffer.count)
      text += buffer.prefix(max(count, 0))
    } while count > 0
    return String(decoding: text, as: UTF8.self)
  }
}
