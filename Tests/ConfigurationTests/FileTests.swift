import Access
import Glibc
import Scenes
import Schedules
import Testing

@testable import Configuration

struct FileTests {
  /// Returns a path in the repository, relative to this file.
  private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let path = "/tmp/placard-configuration-\(getpid())-\(UInt64.random(in: .min ... .max)).toml"
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    try #require(descriptor >= 0)
    defer { unsafe unlink(path) }
    try #require(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
    try body(path)
  }

  @Test func `The example file contains the defaults`() throws {
    #expect(try SettingsFile.read(repository("scripts/placard.toml")) == Settings())
  }

  @Test func `Each commented-out line of the example is valid`() throws {
    let example = try text(of: repository("scripts/placard.toml"))
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#") && line.dropFirst().first?.isWhitespace == false ? String(line.dropFirst()) : String(line)
    }
    // A rule has either a mode or a policy, but the example shows both.
    let last = try #require(lines.lastIndex { $0.hasPrefix("policy") })
    let settings = try SettingsFile.parse(
      lines.enumerated().filter { $0.offset != last }.map(\.element).joined(separator: "\n"), name: "example")
    var expected = Settings(message: "Welcome", socket: "/run/placard/placard.sock")
    (expected.roles, expected.monitors) = (settings.roles, settings.monitors)
    expected.storage = .file("/var/lib/placard/placard.db")
    expected.edids = "/usr/local/share/edids"
    expected.folders = ["/srv/signs"]
    expected.hours = try DisplayHours(
      parsing: "Mo-Fr 07:00-19:00; Sa 10:00-16:00; Dec 24-26 off", zone: "Europe/Berlin")
    expected.distance = 6000
    (expected.style.font, expected.style.language) = ("DejaVu Sans", "de")
    (expected.style.weight, expected.style.isItalic, expected.style.mostLines) = (700, true, 3)
    (expected.style.smallest, expected.style.largest) = (0.05, 0.2)
    expected.controller = ControllerSettings(
      listen: ListenAddress(parsing: "127.0.0.1:8080"), tokenFile: "/etc/placard/token", hosts: ["sign.example"],
      origins: Set([WebOrigin(parsing: "https://app.example")].compactMap(\.self)),
      proxies: [AddressRange(parsing: "127.0.0.1")].compactMap(\.self), address: "https://sign.example/")
    #expect(settings == expected)
    #expect(settings.roles.count == 2 && settings.monitors.count == 2)
    let words = (settings.roles.values + settings.monitors.map(\.wishes)).flatMap { $0.words() }
    #expect(
      Set(words) == [
        "scene", "mode", "rotate", "foreground", "background", "accent", "font", "safe_area", "burn_in_shift", "tags",
        "hours", "language", "distance", "diagonal",
      ])
  }

  @Test func `A requested file must exist`() throws {
    let error = try #require(throws: ConfigurationError.self) { try SettingsFile.load("/nowhere/placard.toml") }
    #expect("\(error)".hasPrefix("/nowhere/placard.toml: the file does not exist"))
  }

  @Test func `A directory is rejected as a configuration`() throws {
    let error = try #require(throws: ConfigurationError.self) { try SettingsFile.read("/tmp") }
    #expect(error.reason.contains("not a regular file"))
  }

  @Test func `Bytes that are not UTF-8 are rejected with their line`() throws {
    try withFile(Array("message = 'a'\nlog = '".utf8) + [0xFF] + Array("'\n".utf8)) { path in
      let error = try #require(throws: ConfigurationError.self) { try SettingsFile.read(path) }
      #expect(error.line == 2)
      #expect(error.reason.contains("UTF-8"))
    }
  }

  @Test func `A file of more than 64 KiB is rejected`() throws {
    try withFile([UInt8](repeating: UInt8(ascii: "#"), count: (1 << 16) + 1)) { path in
      let error = try #require(throws: ConfigurationError.self) { try SettingsFile.read(path) }
      #expect(error.reason.contains("64 KiB"))
    }
  }

  @Test func `CRLF line ends and a byte order mark are accepted`() throws {
    try withFile([0xEF, 0xBB, 0xBF] + Array("message = 'a'\r\nlog = 'debug'\r\n".utf8)) { path in
      let settings = try SettingsFile.read(path)
      #expect(settings == Settings(message: "a", logLevel: .debug))
    }
  }
}
