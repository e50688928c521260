import Configuration
import Displays
import Geometry
import Scenes
import Testing

struct SettingsFileTests {
  private func parse(_ text: String) throws -> Settings { try SettingsFile.parse(text, name: "placard.toml") }

  @Test func `An empty file means the defaults`() throws {
    #expect(try parse("") == Settings())
    #expect(try parse("# nothing\n\n[style]\n") == Settings())
  }

  @Test func `Each key sets what it names`() throws {
    let settings = try parse(
      """
      policy = "halve-above-1080p"
      message = "Grüße\\nfrom the lobby"
      backend = "kms"
      socket = "/tmp/placard.sock"
      atomic = false
      log = "debug"
      rotate = 270
      glyph_cache = "1 MiB"
      state = "/srv/placard.db"
      history_days = 7
      history_size = "1 GiB"
      images_size = "2 GiB"
      forget_monitors_days = 365
      on_host_suspend = true
      edids = "/srv/edids"
      [style]
      foreground = "#fa0"
      background = "#000000"
      accent = "#f00"
      font = "DejaVu Serif:bold"
      safe_area = 7.5
      burn_in_shift = 24
      """)
    var style = Style(
      foreground: Color(red: 0xFF, green: 0xAA, blue: 0), background: .black, font: "DejaVu Serif:bold", safeArea: 0.075
    )
    style.accent = Color(red: 0xFF, green: 0, blue: 0)
    style.burnInShift = 24
    let expected = Settings(
      policy: .halveAbove1080p, style: style, message: "Grüße\nfrom the lobby", socket: "/tmp/placard.sock",
      backend: .kms, isAtomicAllowed: false, rotation: .threeQuarters, glyphCache: 1 << 20, logLevel: .debug,
      storage: .file("/srv/placard.db"), historyDays: 7, historyBytes: 1 << 30, monitorDays: 365,
      edids: "/srv/edids", sleepsOnHostSuspend: true, imagesBytes: 2 << 30)
    #expect(settings == expected)
  }

  @Test func `A policy may be a mode`() throws {
    #expect(try parse("policy = '1280x720@59.94'").policy == .explicit(Size(1280, 720), refresh: 59940))
    #expect(try parse("policy = '1280x720'").policy == .explicit(Size(1280, 720)))
  }

  @Test func `A monitor's rule accepts every identifying feature`() throws {
    let settings = try parse(
      """
      [[monitor]]
      identity = "DEL-A0C4-1f2e3d4c5b6a7988"
      vendor = "DEL"
      product = 0xA0C4
      serial = 4294967295
      serial_string = "7MT0199"
      name = "DELL U2720Q"
      connector = "DP-3"
      path = "mst:71-1-8"
      policy = "native"
      [[monitor]]
      connector = "HDMI-A-1"
      role = "external"
      mode = "1920x1080@60"
      """)
    let match = MonitorMatch(
      vendor: "DEL", product: 0xA0C4, serial: .max, serialString: "7MT0199", name: "DELL U2720Q",
      identity: "DEL-A0C4-1f2e3d4c5b6a7988", connector: "DP-3", path: "mst:71-1-8")
    #expect(settings.monitors.count == 2)
    #expect(settings.monitors.map(\.match) == [match, MonitorMatch(connector: "HDMI-A-1", role: .external)])
    #expect(settings.monitors.map(\.wishes.policy) == [.native, .explicit(Size(1920, 1080), refresh: 60000)])
    #expect(settings.monitors.map(\.wishes.source?.line) == [1, 11])
  }

  @Test func `The first rule that matches a monitor applies`() throws {
    let settings = try parse(
      """
      policy = "halve-above-1080p"
      [[monitor]]
      connector = "DP-1"
      policy = "native"
      [[monitor]]
      connector = "DP-1"
      policy = "legible"
      """)
    #expect(settings.policy(for: MonitorIdentity(edid: [], connector: "DP-1")) == .native)
    #expect(settings.policy(for: MonitorIdentity(edid: [], connector: "DP-2")) == .halveAbove1080p)
  }

  @Test func `A rule may rotate its monitor with or without a mode`() throws {
    let settings = try parse(
      """
      rotate = 180
      policy = "native"
      [[monitor]]
      connector = "DP-1"
      rotate = 90
      [[monitor]]
      connector = "DP-2"
      policy = "legible"
      [[monitor]]
      connector = "DP-3"
      policy = "legible"
      rotate = 0
      """)
    let monitors = (1...4).map { MonitorIdentity(edid: [], connector: "DP-\($0)") }
    #expect(monitors.map { settings.rotation(for: $0) } == [.quarter, .half, .none, .half])
    #expect(monitors.map { settings.policy(for: $0) } == [.native, .legible, .legible, .native])
  }

  @Test(arguments: [
    ("'5 B'", 5), ("'64KiB'", 64 << 10), ("'32 MiB'", 32 << 20), ("\"2  GiB\"", 2 << 30),
  ])
  func `The glyph cache is a size with its unit`(text: String, bytes: Int) throws {
    #expect(try parse("glyph_cache = \(text)").glyphCache == bytes)
  }

  @Test func `Persistence can be disabled`() throws {
    #expect(try parse("state = 'none'").storage == .memory)
    #expect(Settings().storage == .usual)
  }

  @Test func `The safe area may be from 0 to 45 percent`() throws {
    #expect(try parse("style.safe_area = 0").style.safeArea == 0)
    #expect(try parse("style = { safe_area = 45.0 }").style.safeArea == 0.45)
  }
}
