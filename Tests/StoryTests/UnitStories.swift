import FoundationEssentials
import Geometry
import Glibc
import Lab
import Scenes
import Testing

/// The unit under a real systemd: the files of scripts/install, in a Debian that boots with them.
@Suite(
  .serialized, .tags(.lab),
  .enabled(if: Installation.unavailableReason == nil, "\(Installation.unavailableReason ?? "")"))
struct UnitStories {
  /// One boot. The stories run from boot to shutdown, in the order of this file.
  private static let lab = Result { try Installation.boot(message: "Unit") }
  private static let size = Size(1024, 768)
  /// The guest's only font, which is independent of this machine.
  private static let style = Style(font: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")

  private func lab() throws -> Lab { try Self.lab.get() }

  private func see(_ message: String, _ lab: Lab, after act: () throws(LabError) -> Void = {}) throws {
    let expected = try Expectation(message, Self.size, style: Self.style)
    do {
      _ = try lab.waitForFrame(0, within: .seconds(60), after: act) { expected.matches($0) }
    } catch {
      Issue.record("the journal:\n\(try lab.journal(of: "placard"))")
      throw error
    }
  }

  private func property(_ name: String, _ lab: Lab) throws -> String {
    let text = try lab.systemctl("show", "--value", "-p", name, "placard")
    return text.split(separator: "\n").first.map(String.init) ?? ""
  }

  @Test func `1: at boot the first card starts the service, and the message is on the monitor`() throws {
    let lab = try lab()
    try lab.shell("until systemctl is-active --quiet placard; do sleep 0.2; done", within: .seconds(60))
    try see("Unit", lab)
    #expect(try property("UnitFileState", lab) == "disabled", "only the udev rule requested the start")
    #expect(try property("NRestarts", lab) == "0")
    // The frame is visible a moment before its flip is reported.
    try lab.shell(
      "until systemctl show --value -p StatusText placard | grep -q '^1 of 1 displays lit'; do sleep 0.2; done",
      within: .seconds(30))
    #expect(try lab.shell("placard displays").contains("Virtual-1"))
  }

  @Test func `2: the service runs as its own user, without any capability`() throws {
    let lab = try lab()
    let status = try lab.text("/proc/\(try property("MainPID", lab))/status")
    let fields: [String: [String]] = status.split(separator: "\n").reduce(into: [:]) { fields, line in
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      fields[words.first ?? ""] = Array(words.dropFirst())
    }
    let user = try lab.shell("id -u placard").filter(\.isNumber)
    #expect(fields["Uid:"]?.count == 4 && fields["Uid:"]?.allSatisfy { $0 == user && $0 != "0" } == true)
    for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
      #expect(fields["\(set):"] == ["0000000000000000"], "\(set)")
    }
    #expect(fields["NoNewPrivs:"] == ["1"])
    #expect(fields["Seccomp:"] == ["2"], "system calls are filtered")
  }

  @Test func `3: uevents reach the service in its sandbox`() throws {
    let lab = try lab()
    let expected = try Expectation("Unit", Self.size, style: Self.style)
    try lab.unplug(0)
    _ = try lab.waitForFrame(0, within: .seconds(30)) { !expected.matches($0) }
    try lab.shell("until placard displays | grep -q disconnected; do sleep 0.2; done", within: .seconds(30))
    try see("Unit", lab) { () throws(LabError) in
      try lab.plug(0, width: Self.size.width, height: Self.size.height)
    }
  }

  @Test func `4: after a kill the service is restarted, and the open sessions are restored`() throws {
    let lab = try lab()
    try lab.shell("placard show --display Virtual-1 --wait Kept")
    try see("Kept", lab)
    let pid = try property("MainPID", lab)
    try lab.systemctl("kill", "-s", "KILL", "placard")
    try lab.shell(
      "until [ $(systemctl show --value -p NRestarts placard) = 1 ] && systemctl is-active --quiet placard; "
        + "do sleep 0.2; done", within: .seconds(60))
    #expect(try property("MainPID", lab) != pid)
    try see("Kept", lab)
    #expect(try lab.shell("placard status").contains("/var/lib/placard/placard.db"))
    #expect(try lab.shell("stat -c %U:%G /var/lib/placard/placard.db") == "placard:placard\n")
    try lab.shell("placard show --clear --display Virtual-1")
    try see("Unit", lab)
  }

  @Test func `5: on a reload the service reads its configuration again and shows its message`() throws {
    let lab = try lab()
    let pid = try property("MainPID", lab)
    try lab.put("message = \"Reloaded\"\n".utf8, to: "/etc/placard/placard.toml")
    try lab.systemctl("reload", "placard")
    #expect(try property("ActiveState", lab) == "active")
    #expect(try property("MainPID", lab) == pid)
    try see("Reloaded", lab)
  }

  @Test func `6: when the service stops, the console returns, and a monitor does not start it`() throws {
    let lab = try lab()
    let banner = try lab.picture(0)
    try lab.systemctl("stop", "placard")
    #expect(try property("Result", lab) == "success")
    #expect(try property("ExecMainStatus", lab) == "0")
    let console = try lab.waitForFrame(0, within: .seconds(30)) { $0.bytes != banner.bytes }
    #expect(console.picture.pixel(1000, 760) == .init(red: 0, green: 0, blue: 0), "the console is black")
    #expect(try lab.text("/sys/kernel/debug/dri/0/state").contains("allocated by = [fbcon]"))
    let mark = try lab.ueventCount
    try lab.unplug(0)
    _ = try lab.waitForUevent(from: mark, within: .seconds(20)) { $0.isHotplug }
    try lab.shell("udevadm settle")
    #expect(try property("ActiveState", lab) == "inactive")
    try lab.systemctl("enable", "placard")
    #expect(try property("UnitFileState", lab) == "enabled")
  }
}

/// The files of scripts/install, in a layer over a Debian.
private enum Installation {
  /// The libraries that the programs are linked with, and the font of the expected frames.
  private static let packages = [
    "fonts-dejavu-core", "libdrm2", "libfontconfig1", "libfreetype6", "libfribidi0", "libharfbuzz0b",
    "libjpeg62-turbo", "libmd4c0", "libpng16-16", "libqrencode4", "libsqlite3-0", "libstdc++6",
  ]

  /// The reason why such a guest cannot run here; nil if it can.
  static let unavailableReason: String? = {
    if Stage.unavailableReason != nil { return "the lab is not available; see scripts/test" }
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
    options.overlayFiles = try files(in: image) + runtime()
    options.bootTime = .seconds(240)
    return try Stage.boot(options)
  }

  /// Runs scripts/install with the programs that were built with these tests.
  private static func place(in image: String) throws {
    let repository = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let programs = ProcessInfo.processInfo.environment["PLACARD_PROGRAMS"] ?? Stage.programs
    let command = "DESTDIR='\(image)' '/\(repository)/scripts/install' --programs '\(programs)' >/dev/null"
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
